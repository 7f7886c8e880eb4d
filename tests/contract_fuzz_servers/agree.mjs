// What ajv says of calls: reads a schema a line, with the calls in "x-sent", and prints "valid" or "invalid" for each. Formats are annotations.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const kinds = { draft7: require("ajv"), draft2020: require("ajv/dist/2020") };

for (const line of readFileSync(0, "utf8").split("\n").filter((one) => one)) {
    const schema = JSON.parse(line);
    const sent = schema["x-sent"];
    delete schema["x-sent"];
    const Ajv = (/draft-07/.test(schema.$schema ?? "") ? kinds.draft7 : kinds.draft2020).default;
    const check = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema);
    console.log(sent.map((one) => (check(one) ? "valid" : "invalid")).join(" "));
}
