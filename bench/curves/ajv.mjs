// ajv.mjs - the calls of curves.c through ajv: JSON.parse of a string and validate, by the schema that Tenon publishes.
//
//     ajv.mjs CURVES ROUND    CURVES is the program, ROUND the file of its measurements; prints lines as it does
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { measure } from "../js/measure.mjs";

const HOW = { turns: 12, turnNs: 5e6, warmUpNs: 1e8, few: 10 };

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const [curves, round] = process.argv.slice(2);
const ask = (...words) => execFileSync(curves, words, { encoding: "utf8", maxBuffer: 1 << 26 }).trimEnd();
let sink = 0;

for (const [, name, count] of readFileSync(round, "utf8").matchAll(/^(params|items|bytes)\/(\d+)\/bind /gm)) {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(ask("--schema", name, count)));
    const text = ask("--call", name, count);
    if (!validate(JSON.parse(text)))
        throw new Error(`ajv refuses ${name}/${count}: ${JSON.stringify(validate.errors)}`);
    measure(`${name}/${count}/ajv`, () => { sink += validate(JSON.parse(text)) ? 1 : 0; }, HOW);
}
if (sink === 0)
    throw new Error("nothing was measured");
