// agree.mjs - holds the library to its own schemas: reads what judge.c printed, and lets ajv judge the same arguments.
//
// Where the two disagree, a declared leniency or a declared rule beyond JSON Schema must explain it. A call that only the
// library takes is put into the form that was published, leniency by leniency; then ajv must take it, and what the
// library counted and said must show that it noticed. A call that only ajv takes must have issues that each name a rule
// that the schema cannot say. Everything else is a disagreement, and fails.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const Ajv = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const SHOWN = 40;
const ajv = addFormats(new Ajv({ strict: false, strictNumbers: true }));

// ---- The published form of a value ---------------------------------------------------------------------------------

const BLANK = /^[ \t\n\r\v\f]*$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const EPOCH_MIN = 1e11;
const trim = (text) => text.replace(/^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g, "");
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// What each leniency must leave behind: a count of forms, a count of types, a message, or nothing.
const LENIENCIES = {
    "null or blank is absent": null,
    "a word for nothing": "messages",
    "another name": null,
    "a name in another spelling": "messages",
    "number or boolean in a map": "coerced",
    "a list of one": "coerced",
    "JSON text": "reformed",
    "comma list": "reformed",
    "lone value": "coerced",
    "number in text": "coerced",
    "number in a comma list": "reformed",
    "boolean in text": "coerced",
    "case or blanks of an enum": "reformed",
    "clamped": "messages",
    "within tolerance": "reformed",
    "blanks around a date": "reformed",
    "date as milliseconds": "reformed",
    "date as timestamp": null,
    "space for T": null,
    "native for JSON text": null,
    "unknown name in a lenient tool": null,
    "arguments as text": "messages",
    "arguments null": null,
};

class Former {
    constructor(tool) {
        this.tool = tool;
        this.used = new Set();
    }

    use(leniency, value) {
        if (!(leniency in LENIENCIES)) throw new Error(leniency);
        this.used.add(leniency);
        return value;
    }

    strict(row) {
        return row.strict || this.tool.strict;
    }

    parsed(text) {
        try {
            return this.use("JSON text", JSON.parse(text));
        } catch {
            return undefined;
        }
    }

    number(row, value, schema, comma) {
        if (typeof value === "string" && !this.strict(row) && NUMBER.test(trim(value)))
            value = this.use(comma ? "number in a comma list" : "number in text", Number(trim(value)));
        if (typeof value !== "number") return value;
        const low = schema.minimum ?? -Infinity, high = schema.maximum ?? Infinity;
        if (value >= low && value <= high) return value;
        const bound = value < low ? low : high;
        if (row.tolerance && Math.abs(value - bound) <= row.tolerance) return this.use("within tolerance", bound);
        if (row.clamp && Number.isInteger(value) >= (row.kind === "int"))
            return this.use("clamped", value < low && "lowDefault" in row ? row.lowDefault : bound);
        return value;
    }

    choice(row, value) {
        if (typeof value !== "string" || row.names.includes(value)) return value;
        const text = trim(value);
        if (row.names.includes(text)) return this.use("case or blanks of an enum", text);
        const same = row.names.filter((name) => name.toLowerCase() === text.toLowerCase());
        return !row.exact && same.length === 1 ? this.use("case or blanks of an enum", same[0]) : value;
    }

    moment(row, value) {
        if (typeof value === "string" && trim(value) !== value) value = this.use("blanks around a date", trim(value));
        if (typeof value === "string" && /^\d+$/.test(value)) value = Number(value);
        if (Number.isInteger(value) && value >= EPOCH_MIN && value <= 253402300799999)
            value = this.use("date as milliseconds", new Date(value).toISOString());
        if (typeof value !== "string" || DAY.test(value)) return value;
        if (/^\d{4}-\d\d-\d\d /.test(value)) value = this.use("space for T", value.replace(" ", "T"));
        if (row.kind === "date" && ajv.validate({ type: "string", format: "date-time" }, value))
            return this.use("date as timestamp", value.slice(0, 10));
        return value;
    }

    list(row, value, schema) {
        const strict = this.strict(row);
        let comma = false;
        if (typeof value === "string" && (trim(value).startsWith("[") || row.item.members)) {
            value = this.parsed(value) ?? value;
        }
        if (typeof value === "string" && row.comma && !strict) {
            value = this.use("comma list", value.split(",").map(trim));
            comma = true;
        } else if (!Array.isArray(value) && !strict && this.fitsAlone(row, value)) {
            value = this.use("lone value", [value]);
        }
        if (!Array.isArray(value)) return value;
        return value.map((item) => this.value(row.item, item, schema?.items ?? {}, comma));
    }

    fitsAlone(row, value) {
        if (row.item.members) return isObject(value);
        return typeof value === (row.item.kind === "int" || row.item.kind === "num" ? "number" : "string");
    }

    // The value in the form that the schema wants, as far as the row allows to put it there.
    value(row, value, schema, comma = false) {
        if (Array.isArray(value) && value.length === 1 && row.single && !this.strict(row) && this.couldBe(row, value[0]))
            value = this.use("a list of one", value[0]);
        switch (row.kind) {
        case "int":
        case "num": return this.number(row, value, schema, comma);
        case "bool": {
            const word = typeof value === "string" && !this.strict(row) ? trim(value).toLowerCase() : "";
            return word === "true" || word === "false" ? this.use("boolean in text", word === "true") : value;
        }
        case "enum": return this.choice(row, value);
        case "date":
        case "timestamp": return this.moment(row, value);
        case "list": return this.list(row, value, schema);
        case "object":
        case "map":
            if (typeof value === "string") value = this.parsed(value) ?? value;
            if (!isObject(value)) return value;
            return row.kind === "object" ? this.members(row.members, value, schema) : this.texts(row, value);
        default: return value;
        }
    }

    couldBe(row, value) {
        const text = typeof value === "string" ? trim(value) : "";
        switch (row.kind) {
        case "int":
        case "num": return typeof value === "number" || NUMBER.test(text);
        case "bool": return typeof value === "boolean" || ["true", "false"].includes(text.toLowerCase());
        case "date":
        case "timestamp": return text !== "" || typeof value === "number";
        case "list":
        case "object":
        case "map":
        case "json": return false;
        default: return text !== "";
        }
    }

    texts(row, map) {
        const out = {};
        for (const [name, value] of Object.entries(map)) {
            const scalar = (typeof value === "number" || typeof value === "boolean") && !this.strict(row);
            Object.defineProperty(out, name, {
                value: scalar ? this.use("number or boolean in a map", String(value)) : value, enumerable: true });
        }
        return out;
    }

    // The declared name that is the same but for case and separators inside it.
    spelled(rows, object, name) {
        const plain = (text) => text.replaceAll(/(?<=.)[-_ ]+(?=.)/g, "").toLowerCase();
        const same = Object.keys(rows).filter((key) => plain(key) === plain(name));
        if (same.length !== 1 || Object.hasOwn(object, same[0]) || this.strict(rows[same[0]])) return undefined;
        return this.tool.lenient && !rows[same[0]].required ? undefined : same[0];
    }

    isAbsent(row, value) {
        if (row.required || this.tool.destructive) return false;
        if (value === null) return true;
        if (typeof value !== "string") return false;
        const text = ["str", "path", "uuid", "url", "id"].includes(row.kind);
        if (!text && this.strict(row)) return false;
        if (BLANK.test(value)) return !row.blankOk;
        const names = row.names ?? row.item?.names ?? [];
        if (text || !["null", "none", "undefined"].includes(trim(value).toLowerCase()) ||
            names.some((name) => name.toLowerCase() === trim(value).toLowerCase()))
            return false;
        this.use("a word for nothing");
        return true;
    }

    members(rows, object, schema) {
        const out = {};
        for (let [name, value] of Object.entries(object)) {
            if (!Object.hasOwn(rows, name)) {
                const real = Object.keys(rows).find((key) => rows[key].aliases.includes(name));
                if (real && !Object.hasOwn(object, real)) name = this.use("another name", real);
            }
            if (!Object.hasOwn(rows, name)) {
                const real = this.spelled(rows, object, name);
                if (real) name = this.use("a name in another spelling", real);
            }
            if (!Object.hasOwn(rows, name)) {
                Object.defineProperty(out, name, { value, enumerable: true });
                continue;
            }
            const row = rows[name], want = schema?.properties?.[name] ?? {};
            if (this.isAbsent(row, value)) {
                this.use("null or blank is absent");
                continue;
            }
            if (row.jsonText) { // published as text: what is in it the schema does not say
                out[name] = typeof value === "string" ? value : this.use("native for JSON text", JSON.stringify(value));
                continue;
            }
            out[name] = this.value({ ...row, single: true }, value, want);
        }
        return out;
    }

    arguments(args) {
        if (typeof args === "string") {
            const value = this.parsed(args);
            if (value !== undefined) {
                this.used.delete("JSON text");
                args = this.use("arguments as text", value);
            }
        }
        if (args === null) args = this.use("arguments null", {});
        return isObject(args) ? this.members(this.tool.members, args, this.tool.input) : args;
    }
}

// ---- Rules that a schema cannot say --------------------------------------------------------------------------------

// The value, and the row, that an issue is about.
function find(tool, args, parameter) {
    const steps = parameter.startsWith("/")
        ? parameter.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
        : [parameter];
    let row = { members: tool.members }, value = args, jsonText = false;
    for (const step of steps) {
        row = row?.members && !row.item ? row.members[step] : row?.item;
        value = value?.[step];
        jsonText ||= Boolean(row?.jsonText);
    }
    return { row, value, jsonText };
}

const hasNul = (value) => JSON.stringify(value)?.includes("\\u0000");
const hasLoneSurrogate = (value) => /\\ud[89a-f]/.test(JSON.stringify(value)); // which escapes those alone
const inexact = (value) => typeof value === "number" && !Number.isSafeInteger(value);

const depth = (value) => typeof value === "object" && value ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
const declared = ({ tool, code }) => tool.rules.includes(code);
const isAbsent = ({ value }) => value === undefined || value === null || (typeof value === "string" && BLANK.test(value));

// By code: may an issue stand where ajv sees no fault? `raw` is the text of the arguments.
const BEYOND = {
    path: ({ row }) => row.kind === "path" || row.item?.kind === "path",
    order: declared,
    together: (found) => declared(found) && isAbsent(found),
    exclusive: (found) => declared(found) && !isAbsent(found),
    any_of: (found) => declared(found) && isAbsent(found),
    requires: (found) => declared(found) && isAbsent(found),
    check: declared,
    cursor: ({ value }) => typeof value === "string",
    limit: ({ args }) => depth(args) > 64,
    empty: ({ value }) => typeof value === "string" && BLANK.test(value), // minLength counts blanks
    null: ({ tool, value }) => tool.destructive && typeof value === "string" && BLANK.test(value),
    text: ({ value }) => hasNul(value) || hasLoneSurrogate(value), // neither can be text of C or UTF-8
    repeated: ({ args, raw }) => raw.replaceAll(/\s/g, "").length > JSON.stringify(args).replaceAll(/\s/g, "").length,
    range: ({ value }) => inexact(value), // beyond 64 bits, where the schema says no bound
    type: ({ row, value }) => row.kind === "num" ? inexact(value) : row.item?.kind === "num" && value?.some?.(inexact),
    date: ({ value }) => typeof value === "string" && /^000[01]/.test(value), // before the year 1
    format: ({ row, value }) => row.kind === "url" && row.schemes && /^ftp:/.test(value),
    required: ({ row, value }) => row.jsonText && typeof value === "string", // blank, or a word for nothing
};

// Why a call that ajv takes may be refused all the same; undefined when it may not.
function whyRefused(tool, args, raw, issues) {
    const whys = new Set();
    for (const issue of issues) {
        const found = { ...find(tool, args, issue.parameter), tool, args, raw, code: issue.code };
        const why = found.jsonText ? "what JSON text holds"
            : BEYOND[issue.code]?.(found) ? `rule: ${issue.code}` : undefined;
        if (!why) return undefined;
        whys.add(why);
    }
    return whys.size > 0 ? [...whys] : undefined;
}

// ---- Judging -------------------------------------------------------------------------------------------------------

const counts = new Map();
let tool, portable = 0, calls = 0, both = 0, neither = 0, faults = 0, envelopes = 0;

const count = (what) => counts.set(what, (counts.get(what) ?? 0) + 1);

function fault(what, line, more = "") {
    if (faults++ < SHOWN)
        console.log(`${tool.tool}: ${what} ${more}\n  args   ${line.args?.slice(0, 600)}\n  answer ` +
            JSON.stringify(line.answer).slice(0, 700));
}

function readTool(line) {
    tool = line;
    for (const name of ["input", "portable", "output"]) {
        if (!ajv.validateSchema(tool[name])) fault(`its ${name} schema is none: ${ajv.errorsText()}`, {});
        tool[`${name}Check`] = ajv.compile(tool[name]);
    }
}

// A call in the portable form is what the form publishes, and does what the same call does in the full form.
function readPortable(line) {
    const args = JSON.parse(line.portableArgs);

    portable++;
    if (!tool.portableCheck(args))
        fault(`sent what its portable schema refuses: ${ajv.errorsText(tool.portableCheck.errors)}`, { ...line, args: line.portableArgs });
    if (line.answer.status !== line.wide.status || JSON.stringify(line.answer.data) !== JSON.stringify(line.wide.data))
        fault("does something else in the portable form", { ...line, args: line.portableArgs }, JSON.stringify(line.wide).slice(0, 500));
}

const RULES = new Set(["any_of", "together", "requires"]);

// What the full form takes, the portable form takes too: there are only more ways to leave something out. A rule may then ask for it.
function readBoth(line) {
    const issues = line.portableAnswer.error?.details.issues ?? [];

    if (line.answer.status === "SUCCESS" && issues.some((issue) => !RULES.has(issue.code)))
        fault("is taken in the full form and not in the portable one", line, JSON.stringify(line.portableAnswer).slice(0, 500));
}

function readCall(line) {
    const taken = line.answer.status === "SUCCESS";
    let args, parsed = true;

    readBoth(line);

    calls++;
    envelopes++;
    if (!tool.outputCheck(line.answer))
        fault(`its answer breaks its output schema: ${ajv.errorsText(tool.outputCheck.errors)}`, line);
    try {
        args = JSON.parse(line.args);
    } catch {
        parsed = false;
    }
    if (!parsed) {
        if (taken) fault("took what is no JSON", line);
        neither++;
        return;
    }
    const agrees = tool.inputCheck(args);
    if (taken && agrees) {
        both++;
    } else if (taken) {
        const former = new Former(tool), formed = former.arguments(args);
        if (!tool.inputCheck(formed)) {
            fault(`took what ajv refuses: ${ajv.errorsText(tool.inputCheck.errors)}`, line, [...former.used].join(", "));
        } else if (former.used.size === 0) {
            fault("took what ajv refuses, without any leniency", line);
        }
        for (const leniency of former.used) {
            const sign = LENIENCIES[leniency];
            const shown = sign === "messages" ? line.answer.messages.length : sign ? line[sign] : 1;
            if (shown === 0) fault(`took '${leniency}' without a sign in ${sign}`, line);
            count(leniency);
        }
    } else if (agrees) {
        const whys = whyRefused(tool, args, line.args, line.answer.error.details.issues);
        if (!whys) fault("refused what ajv takes", line);
        whys?.forEach(count);
    } else {
        neither++;
    }
}

for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const line = JSON.parse(text);
    if ("tool" in line) readTool(line);
    else if ("portableArgs" in line) readPortable(line);
    else readCall(line);
}
console.log(`${calls} calls: taken by both ${both}, by neither ${neither}; ${envelopes} answers fit their schemas; ${portable} in the portable form`);
for (const [what, number] of [...counts].sort()) console.log(`${String(number).padStart(7)}  ${what}`);
console.log(faults ? `${faults} disagreements` : "no disagreement that was not declared");
process.exit(faults || calls === 0 ? 1 : 0);
