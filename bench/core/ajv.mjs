// ajv.mjs - the same calls through ajv: JSON.parse and validate with every error, by the schema that Tenon publishes.
//
//     ajv.mjs CORE    prints a line for each measurement: its name and nanoseconds for one run
//
// Once it begins with a string, which nobody sends, and once with the bytes, as yyjson and Tenon do. Turns are long
// enough to collect garbage in.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const TURNS = 60, TURN_NS = 2e7, WARM_UP_NS = 1e9;

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const core = process.argv[2];
const ask = (...words) => execFileSync(core, words, { encoding: "utf8" }).trimEnd();
const validate = new Ajv({ allErrors: true }).compile(JSON.parse(ask("--schema")));
const valid = ask("--call", "valid"), faults = ask("--call", "faults");

const now = () => Number(process.hrtime.bigint());
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

function time(run, times) {
    const start = now();
    for (let i = 0; i < times; i++)
        run();
    return (now() - start) / times;
}

for (const [name, run] of measurements) {
    const end = now() + WARM_UP_NS;
    let best = Infinity;
    while (now() < end)
        best = Math.min(best, time(run, 1000));
    for (let turn = 0; turn < TURNS; turn++)
        best = Math.min(best, time(run, Math.ceil(TURN_NS / best)));
    console.log(name, best.toFixed(2));
}
if (sink === 0)
    throw new Error("nothing was measured");
