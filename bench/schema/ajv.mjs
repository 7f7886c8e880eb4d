// ajv.mjs - the same documents through ajv, with every error.
//
//     ajv.mjs DIRECTORY    prints a line for each measurement: its name and nanoseconds for one run
//
// Formats are notes for everyone here. Turns are long enough to collect garbage in.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { measure } from "../js/measure.mjs";

const HOW = { turns: 12, turnNs: 1e7, warmUpNs: 2e8, few: 1 };

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const directory = process.argv[2];
const text = (name, kind) => readFileSync(join(directory, `${name}.${kind}.json`), "utf8");
let sink = 0;

for (const file of readdirSync(directory)) {
    if (!file.endsWith(".schema.json") || /-\d+\./.test(file))
        continue; // those are for how Tenon's cost grows
    const name = file.slice(0, -".schema.json".length);
    const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(text(name, "schema")));
    for (const kind of ["valid", "late", "many"]) {
        const json = text(name, kind), value = JSON.parse(json);
        if (validate(value) !== (kind === "valid"))
            throw new Error(`ajv judges ${name}.${kind} otherwise: ${JSON.stringify(validate.errors)}`);
        measure(`${name}/${kind}/ajv/judge`, () => { sink += validate(value) ? 1 : validate.errors.length; }, HOW);
        measure(`${name}/${kind}/ajv/whole`, () => { sink += validate(JSON.parse(json)) ? 1 : validate.errors.length; }, HOW);
        if (kind !== "valid")
            measure(`${name}/${kind}/ajv/words`, () => { sink += validate(JSON.parse(json)) ? 1 : JSON.stringify(validate.errors).length; }, HOW);
    }
}
if (sink === 0)
    throw new Error("nothing was measured");
