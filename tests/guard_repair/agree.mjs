// What ajv says of calls (formats are annotations, as for the guard): reads {schema, sent, got} a line, and prints "valid"/"invalid" of what was sent and of what the server got.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

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

for (const line of readFileSync(0, "utf8").split("\n").filter((one) => one)) {
    const { schema, sent, got } = JSON.parse(line);
    const word = (value) => (value === undefined || value === null ? "none" : check(schema)(value) ? "valid" : "invalid");
    console.log(`${word(sent)} ${word(got)}`);
}
