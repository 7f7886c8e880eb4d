// ajv.mjs - the same documents through ajv, with every error.
//
//     ajv.mjs DIRECTORY    prints a line for each measurement: its name and nanoseconds for one run
//
// Formats are notes for everyone here. Turns are long enough to collect garbage in.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const TURNS = 12, TURN_NS = 1e7, WARM_UP_NS = 2e8;

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const directory = process.argv[2];
const text = (name, kind) => readFileSync(join(directory, `${name}.${kind}.json`), "utf8");
const now = () => Number(process.hrtime.bigint());
let sink = 0;

function time(run, times) {
    const start = now();
    for (let i = 0; i < times; i++)
        run();
    return (now() - start) / times;
}

function measure(name, run) {
    const end = now() + WARM_UP_NS;
    let best = Infinity;
    do
        best = Math.min(best, time(run, 1));
    while (now() < end);
    for (let turn = 0; turn < TURNS; turn++)
        best = Math.min(best, time(run, Math.ceil(TURN_NS / best)));
    console.log(name, best.toFixed(2));
}

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
        measure(`${name}/${kind}/ajv/judge`, () => { sink += validate(value) ? 1 : validate.errors.length; });
        measure(`${name}/${kind}/ajv/whole`, () => { sink += validate(JSON.parse(json)) ? 1 : validate.errors.length; });
        if (kind !== "valid")
            measure(`${name}/${kind}/ajv/words`, () => { sink += validate(JSON.parse(json)) ? 1 : JSON.stringify(validate.errors).length; });
    }
}
if (sink === 0)
    throw new Error("nothing was measured");
