// What ajv says of calls (formats are annotations, as for the guard): reads a line of [{schema, sent, got}, ...], and prints one of ["valid"/"invalid" of what was sent, the same of what the server got].
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const kinds = { draft7: require("ajv"), draft2020: require("ajv/dist/2020") };
const compiled = new Map();

function check(schema) {
    const key = JSON.stringify(schema);
    if (!compiled.has(key)) {
        const Ajv = (/draft-07/.test(schema.$schema ?? "") ? kinds.draft7 : kinds.draft2020).default;
        const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
        compiled.set(key, ajv.compile(schema));
    }
    return compiled.get(key);
}

const word = (schema, value) => (value === undefined || value === null ? "none" : check(schema)(value) ? "valid" : "invalid");

for await (const line of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(JSON.parse(line).map(({ schema, sent, got }) => [word(schema, sent), word(schema, got)])));
}
