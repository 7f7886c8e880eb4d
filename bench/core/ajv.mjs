// ajv.mjs - the same calls through ajv: JSON.parse and validate with every error, by the schema that Tenon publishes.
//
//     ajv.mjs CORE    prints a line for each measurement: its name and nanoseconds for one run
//
// Once it begins with a string, which nobody sends, and once with the bytes, as yyjson and Tenon do. Turns are long
// enough to collect garbage in.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

import { measure } from "../js/measure.mjs";

const HOW = { turns: 60, turnNs: 2e7, warmUpNs: 1e9, few: 1000 };

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const core = process.argv[2];
const ask = (...words) => execFileSync(core, words, { encoding: "utf8" }).trimEnd();
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(ask("--schema")));
const valid = ask("--call", "valid"), faults = ask("--call", "faults");

let sink = 0;

const judge = text => { sink += validate(JSON.parse(text)) ? 1 : 0; };
const report = text => { sink += validate(JSON.parse(text)) ? 1 : JSON.stringify(validate.errors).length; };
const validBytes = Buffer.from(valid), faultsBytes = Buffer.from(faults);
const measurements = [
    ["ajv/valid", () => judge(valid)],
    ["ajv/faults", () => report(faults)],
    ["ajv/valid/bytes", () => judge(validBytes.toString())],
    ["ajv/faults/bytes", () => report(faultsBytes.toString())],
];

if (!validate(JSON.parse(valid)))
    throw new Error("ajv refuses the valid call: " + JSON.stringify(validate.errors));
if (validate(JSON.parse(faults)) || validate.errors.length !== 7)
    throw new Error("ajv finds another number of faults: " + JSON.stringify(validate.errors));

for (const [name, run] of measurements)
    measure(name, run, HOW);
if (sink === 0)
    throw new Error("nothing was measured");
