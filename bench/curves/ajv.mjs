// ajv.mjs - the calls of curves.c through ajv: JSON.parse of a string and validate, by the schema that Tenon publishes.
//
//     ajv.mjs CURVES ROUND    CURVES is the program, ROUND the file of its measurements; prints lines as it does
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const TURNS = 12, TURN_NS = 5e6, WARM_UP_NS = 1e8;

const require = createRequire(new URL("../../tests/js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;

const [curves, round] = process.argv.slice(2);
const ask = (...words) => execFileSync(curves, words, { encoding: "utf8", maxBuffer: 1 << 26 }).trimEnd();
const now = () => Number(process.hrtime.bigint());
let sink = 0;

function time(run, times) {
    const start = now();
    for (let i = 0; i < times; i++)
        run();
    return (now() - start) / times;
}

for (const [, name, count] of readFileSync(round, "utf8").matchAll(/^(params|items|bytes)\/(\d+)\/bind /gm)) {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(JSON.parse(ask("--schema", name, count)));
    const text = ask("--call", name, count);
    if (!validate(JSON.parse(text)))
        throw new Error(`ajv refuses ${name}/${count}: ${JSON.stringify(validate.errors)}`);
    const run = () => { sink += validate(JSON.parse(text)) ? 1 : 0; };
    const end = now() + WARM_UP_NS;
    let best = Infinity;
    do
        best = Math.min(best, time(run, 10));
    while (now() < end);
    for (let turn = 0; turn < TURNS; turn++)
        best = Math.min(best, time(run, Math.ceil(TURN_NS / best)));
    console.log(`${name}/${count}/ajv ${best.toFixed(2)}`);
}
if (sink === 0)
    throw new Error("nothing was measured");
