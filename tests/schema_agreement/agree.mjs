// agree.mjs - generates schemas with every keyword and values for them, and lets the library and ajv judge them.
//
//     agree.mjs JUDGE [SEED [SCHEMAS]]
//
// Where the two differ, one of the known deviations of ajv must explain it, and each explanation is itself a judgement:
// ajv with that deviation mended, or a small reading of the specification, must come to the library's verdict.
// Everything else is a disagreement, and fails. Of 2020-12, that small reading judges every pair too.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const Ajv2020 = require("ajv/dist/2020").default;
const Ajv07 = require("ajv").default;

const [judge, seed = "1", schemas = "2500"] = process.argv.slice(2);
const VALUES = 8, SHOWN = 20;

// ---- Chance --------------------------------------------------------------------------------------------------------

let state = Number(seed) * 2654435761 >>> 0 || 1;
function chance(below) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
}
const one = (list) => list[chance(list.length)];
const some = (list) => list.filter(() => chance(2));
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

// ---- Values --------------------------------------------------------------------------------------------------------

const NAMES = ["a", "b", "c", "ab", "name", "x-y", "", "é"];
const TEXTS = ["", "a", "b", "ab", "abc", "aab", "é", "😀", "a😀b", "12", "2030-01-01", "a b", "\n", "A"];
const NUMBERS = [0, 1, 2, 3, -1, 5, 10, 1.5, 0.1, 0.3, 2.5, 100, -2.5, 1e3, 1e20, 0.0001, 9007199254740991, 4.35];
const PATTERNS = ["^a", "b$", "a+", "^[a-z]*$", "^.{2}$", "[0-9]", "^(a|b)*$", "^\\S+$", "\\u00e9", "^$", "x-"];

function value(depth) {
    switch (chance(depth > 0 ? 9 : 6)) {
    case 0: return null;
    case 1: return chance(2) === 0;
    case 2:
    case 3: return one(NUMBERS);
    case 4:
    case 5: return one(TEXTS);
    case 6: return times(chance(4), () => value(depth - 1));
    default: return Object.fromEntries(times(chance(4), () => [one(NAMES), value(depth - 1)]));
    }
}

// ---- Schemas -------------------------------------------------------------------------------------------------------

class Maker {
    constructor(old) {
        this.old = old;
        this.defs = times(3, (i) => `d${i}`);
        this.seen = []; // values that schemas name, for the instances
    }

    schema(depth) {
        if (chance(12) === 0) return chance(3) > 0;
        const out = {};
        const count = 1 + chance(3);
        for (let i = 0; i < count; i++)
            this.keyword(out, depth);
        return out;
    }

    named() {
        const made = value(2);
        this.seen.push(made);
        return made;
    }

    map(depth, names) {
        return Object.fromEntries(some(names).slice(0, 3).map((name) => [name, this.schema(depth - 1)]));
    }

    list(depth) {
        return times(1 + chance(3), () => this.schema(depth - 1));
    }

    keyword(out, depth) {
        const leaf = [
            () => { out.type = one(["string", "number", "integer", "object", "array", "boolean", "null"]); },
            () => { out.type = [...new Set(times(1 + chance(3), () => one(["string", "integer", "number", "object", "array", "null"])))]; },
            () => { out.enum = times(1 + chance(11), () => this.named()).filter((item, at, all) =>
                all.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at); },
            () => { out.const = this.named(); },
            () => { out.minimum = one(NUMBERS); },
            () => { out.maximum = one(NUMBERS); },
            () => { out.exclusiveMinimum = one(NUMBERS); },
            () => { out.exclusiveMaximum = one(NUMBERS); },
            () => { out.multipleOf = one([1, 2, 3, 0.5, 0.1, 0.01, 1.5, 0.0001]); },
            () => { out.minLength = chance(4); },
            () => { out.maxLength = chance(4); },
            () => { out.pattern = one(PATTERNS); },
            () => { out.minItems = chance(3); },
            () => { out.maxItems = chance(4); },
            () => { out.uniqueItems = chance(4) > 0; },
            () => { out.minProperties = chance(3); },
            () => { out.maxProperties = chance(4); },
            () => { out.required = some(NAMES).slice(0, 2); },
            () => { out.format = one(["date", "ipv4", "email", "unknown"]); },
        ];
        const deep = [
            () => { out.properties = this.map(depth, NAMES); },
            () => { out.properties = this.map(depth, NAMES); out.additionalProperties = this.schema(depth - 1); },
            () => { out.patternProperties = this.map(depth, PATTERNS); },
            () => { out.additionalProperties = this.schema(depth - 1); },
            () => { out.propertyNames = this.schema(depth - 1); },
            () => { out.items = this.schema(depth - 1); },
            () => { out.contains = this.schema(depth - 1); },
            () => { out.allOf = this.list(depth); },
            () => { out.anyOf = this.list(depth); },
            () => { out.oneOf = this.list(depth); },
            () => { out.not = this.schema(depth - 1); },
            () => { out.if = this.schema(depth - 1); out.then = this.schema(depth - 1);
                    if (chance(2)) out.else = this.schema(depth - 1); },
            () => { out.if = this.schema(depth - 1); out.else = this.schema(depth - 1); },
            () => { out.$ref = `#/${this.old ? "definitions" : "$defs"}/${one(this.defs)}`; },
            () => { out.$ref = "#"; },
        ];
        const modern = [
            () => { out.prefixItems = this.list(depth); },
            () => { out.prefixItems = this.list(depth); out.items = this.schema(depth - 1); },
            () => { out.contains = this.schema(depth - 1); out.minContains = chance(3); },
            () => { out.contains = this.schema(depth - 1); out.maxContains = chance(3); },
            () => { out.dependentRequired = Object.fromEntries(some(NAMES).slice(0, 2).map((name) => [name, some(NAMES).slice(0, 2)])); },
            () => { out.dependentSchemas = this.map(depth, NAMES); },
            () => { out.unevaluatedProperties = this.schema(depth - 1); },
            () => { out.unevaluatedItems = this.schema(depth - 1); },
            () => { out.unevaluatedProperties = false; out.properties = this.map(depth, NAMES); },
            () => { out.unevaluatedItems = false; out.prefixItems = this.list(depth); },
            () => { out.$dynamicRef = "#here"; },
        ];
        const former = [
            () => { out.items = this.list(depth); },
            () => { out.items = this.list(depth); out.additionalItems = this.schema(depth - 1); },
            () => { out.dependencies = { [one(NAMES)]: chance(2) ? some(NAMES).slice(0, 2) : this.schema(depth - 1) }; },
        ];
        const all = depth > 0 ? [...leaf, ...deep, ...deep, ...(this.old ? former : modern)] : leaf;
        one(all)();
    }

    whole() {
        const out = this.schema(3);
        if (typeof out !== "object") return { allOf: [out] };
        out[this.old ? "definitions" : "$defs"] = Object.fromEntries(this.defs.map((name) => [name, this.schema(2)]));
        if (!this.old) out.$dynamicAnchor = "here";
        return out;
    }
}

// ---- Is there a way from a schema to itself without going deeper into the value? -----------------------------------

const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];

function circular(root) {
    const open = new Set(), done = new Set();
    const target = (ref) => ref === "#" || ref === "#here" ? root : ref.split("/").slice(1).reduce((at, key) => at[key], root);
    const visit = (schema) => {
        if (typeof schema !== "object" || schema === null || done.has(schema)) return false;
        if (open.has(schema)) return true;
        open.add(schema);
        const next = [];
        for (const ref of [schema.$ref, schema.$dynamicRef])
            if (ref) next.push(target(ref));
        for (const key of IN_PLACE)
            if (schema[key] && typeof schema[key] === "object")
                next.push(...(["not", "if", "then", "else"].includes(key) ? [schema[key]] : Object.values(schema[key])));
        if (next.some((inner) => !Array.isArray(inner) && visit(inner))) return true;
        open.delete(schema);
        done.add(schema);
        return false;
    };
    const every = (at) => typeof at === "object" && at !== null && (visit(at) || Object.values(at).some(every));
    return every(root);
}

// ---- Deviations of ajv ---------------------------------------------------------------------------------------------

const options = { allErrors: true, strict: false, validateFormats: false, logger: false };

// A number as an integer times a power of ten, for exact division.
function decimal(number) {
    const [mantissa, exponent = "0"] = String(number).split("e");
    const [whole, rest = ""] = mantissa.split(".");
    return [BigInt(whole + rest), Number(exponent) - rest.length];
}

function isMultiple(number, of) {
    let [a, x] = decimal(number), [b, y] = decimal(of);
    const low = Math.min(x, y);
    return (a * 10n ** BigInt(x - low)) % (b * 10n ** BigInt(y - low)) === 0n;
}

function exact(Ajv) {
    const ajv = new Ajv(options);
    ajv.removeKeyword("multipleOf");
    ajv.addKeyword({ keyword: "multipleOf", type: "number", validate: (of, data) => isMultiple(data, of) });
    return ajv;
}

// draft-07: what stands beside $ref does not count.
function alone(schema) {
    if (Array.isArray(schema)) return schema.map(alone);
    if (typeof schema !== "object" || schema === null) return schema;
    if (typeof schema.$ref === "string" && Object.keys(schema).some((key) => !["$ref", "definitions"].includes(key)))
        return { $ref: schema.$ref, ...(schema.definitions ? { definitions: alone(schema.definitions) } : {}) };
    return Object.fromEntries(Object.entries(schema).map(([key, inner]) =>
        [key, ["const", "enum"].includes(key) ? inner : alone(inner)]));
}

// A small reading of 2020-12, keyword by keyword, with no thought of speed: [valid, names or items seen].
class Reader {
    constructor(root) {
        this.root = root;
    }

    target(ref) {
        return ref === "#" || ref === "#here" ? this.root
            : ref.split("/").slice(1).reduce((at, key) => at[key], this.root);
    }

    static type(data) {
        return data === null ? "null" : Array.isArray(data) ? "array" : typeof data;
    }

    static same(a, b) {
        if (Reader.type(a) !== Reader.type(b)) return false;
        if (Array.isArray(a)) return a.length === b.length && a.every((item, at) => Reader.same(item, b[at]));
        if (Reader.type(a) !== "object") return a === b;
        const keys = Object.keys(a);
        return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && Reader.same(a[key], b[key]));
    }

    plain(schema, data) {
        const type = Reader.type(data), is = (name) => name === type || (name === "integer" && Number.isInteger(data));
        const length = type === "string" ? [...data].length : 0;
        const size = type === "object" ? Object.keys(data).length : 0;
        const rules = {
            type: () => [schema.type].flat().some(is),
            enum: () => schema.enum.some((item) => Reader.same(item, data)),
            const: () => Reader.same(schema.const, data),
            minimum: () => type !== "number" || data >= schema.minimum,
            maximum: () => type !== "number" || data <= schema.maximum,
            exclusiveMinimum: () => type !== "number" || data > schema.exclusiveMinimum,
            exclusiveMaximum: () => type !== "number" || data < schema.exclusiveMaximum,
            multipleOf: () => type !== "number" || isMultiple(data, schema.multipleOf),
            minLength: () => type !== "string" || length >= schema.minLength,
            maxLength: () => type !== "string" || length <= schema.maxLength,
            pattern: () => type !== "string" || new RegExp(schema.pattern, "u").test(data),
            minItems: () => type !== "array" || data.length >= schema.minItems,
            maxItems: () => type !== "array" || data.length <= schema.maxItems,
            uniqueItems: () => type !== "array" || !schema.uniqueItems ||
                !data.some((item, at) => data.slice(0, at).some((other) => Reader.same(item, other))),
            minProperties: () => type !== "object" || size >= schema.minProperties,
            maxProperties: () => type !== "object" || size <= schema.maxProperties,
            required: () => type !== "object" || schema.required.every((name) => Object.hasOwn(data, name)),
            dependentRequired: () => type !== "object" || Object.entries(schema.dependentRequired).every(([name, names]) =>
                !Object.hasOwn(data, name) || names.every((other) => Object.hasOwn(data, other))),
        };
        return Object.keys(schema).every((key) => !rules[key] || rules[key]());
    }

    judge(schema, data) {
        if (typeof schema === "boolean") return [schema, new Set()];
        const seen = new Set(), fits = (inner, at) => this.judge(inner, at)[0];
        let valid = this.plain(schema, data);
        const apply = (inner) => {
            const [fine, more] = this.judge(inner, data);
            if (fine) more.forEach((key) => seen.add(key));
            return fine;
        };
        if (schema.$ref) valid = apply(this.target(schema.$ref)) && valid;
        if (schema.$dynamicRef) valid = apply(this.target(schema.$dynamicRef)) && valid;
        for (const inner of schema.allOf ?? []) valid = apply(inner) && valid;
        if (schema.anyOf) valid = schema.anyOf.map(apply).some(Boolean) && valid;
        if (schema.oneOf) valid = schema.oneOf.map(apply).filter(Boolean).length === 1 && valid;
        if ("not" in schema) valid = !fits(schema.not, data) && valid;
        if ("if" in schema) {
            const next = apply(schema.if) ? schema.then : schema.else;
            if (next !== undefined) valid = apply(next) && valid;
        }
        if (Reader.type(data) === "object") {
            for (const [name, inner] of Object.entries(schema.dependentSchemas ?? {}))
                if (Object.hasOwn(data, name)) valid = apply(inner) && valid;
            for (const [name, item] of Object.entries(data)) {
                let known = false;
                const use = (inner) => { known = true; valid = fits(inner, item) && valid; };
                if ("propertyNames" in schema) valid = fits(schema.propertyNames, name) && valid;
                if (Object.hasOwn(schema.properties ?? {}, name)) use(schema.properties[name]);
                for (const [pattern, inner] of Object.entries(schema.patternProperties ?? {}))
                    if (new RegExp(pattern, "u").test(name)) use(inner);
                if (!known && "additionalProperties" in schema) use(schema.additionalProperties);
                if (known) seen.add(name);
            }
            if ("unevaluatedProperties" in schema)
                for (const [name, item] of Object.entries(data))
                    if (!seen.has(name)) { seen.add(name); valid = fits(schema.unevaluatedProperties, item) && valid; }
        }
        if (Array.isArray(data)) {
            const prefix = schema.prefixItems ?? [];
            data.forEach((item, at) => {
                const inner = at < prefix.length ? prefix[at] : schema.items;
                if (inner !== undefined) { seen.add(at); valid = fits(inner, item) && valid; }
            });
            if ("contains" in schema) {
                const found = data.map((item) => fits(schema.contains, item));
                found.forEach((yes, at) => { if (yes) seen.add(at); });
                const count = found.filter(Boolean).length;
                valid = count >= (schema.minContains ?? 1) && count <= (schema.maxContains ?? Infinity) && valid;
            }
            if ("unevaluatedItems" in schema)
                data.forEach((item, at) => {
                    if (!seen.has(at)) { seen.add(at); valid = fits(schema.unevaluatedItems, item) && valid; }
                });
        }
        return [valid, seen];
    }
}

const uses = (schema, ...keys) => JSON.stringify(schema).match(new RegExp(`"(${keys.map((key) => key.replace("$", "\\$")).join("|")})":`)) !== null;
const sound = (make) => { try { return make(); } catch { return undefined; } };

// Each: its name, whether a schema can meet it, and the verdict without it.
const DEVIATIONS = [
    { name: "multipleOf divides doubles",
      applies: (schema) => uses(schema, "multipleOf"),
      verdict: (schema, data, old) => sound(() => exact(old ? Ajv07 : Ajv2020).compile(schema)(data)) },
    { name: "draft-07: what stands beside $ref counts",
      applies: (schema, old) => old && uses(schema, "$ref"),
      verdict: (schema, data) => sound(() => exact(Ajv07).compile(alone(schema))(data)) },
    { name: "unevaluated* does not see all that was evaluated",
      applies: (schema, old) => !old && uses(schema, "unevaluatedItems", "unevaluatedProperties"),
      verdict: (schema, data) => new Reader(schema).judge(schema, data)[0] },
    { name: "it throws on references in circles", // $dynamicRef, or schemas that refer to each other
      applies: (schema, old, theirs) => !old && theirs === undefined,
      verdict: (schema, data) => new Reader(schema).judge(schema, data)[0] },
];

// ---- Judging -------------------------------------------------------------------------------------------------------

const cases = [];
for (let i = 0; i < Number(schemas); i++) {
    const old = i % 3 === 2;
    const maker = new Maker(old);
    const schema = maker.whole();
    if (circular(schema)) continue;
    const values = times(VALUES, () => (maker.seen.length && chance(3) === 0 ? one(maker.seen) : value(3)));
    cases.push({ old, schema, values });
}

const input = cases.map(({ old, schema, values }) =>
    [`${old ? "D" : "S"} ${JSON.stringify(schema)}`, ...values.map((data) => `I ${JSON.stringify(data)}`)].join("\n")).join("\n") + "\n";
const run = spawnSync(judge, { input, encoding: "utf8", maxBuffer: 1 << 30 });
if (run.status !== 0) throw new Error(`${judge}: ${run.status} ${run.stderr}`);
const lines = run.stdout.split("\n");
const tally = { pairs: 0, valid: 0, same: 0 }, explained = {}, bad = [];

for (const { old, schema, values } of cases) {
    const error = lines.shift();
    const ajv = sound(() => new (old ? Ajv07 : Ajv2020)(options).compile(schema));
    if (error || !ajv) {
        bad.push({ schema, why: error || "ajv refuses it" });
        values.forEach(() => lines.shift());
        continue;
    }
    for (const data of values) {
        const line = lines.shift(), ours = line[0] === "1", theirs = sound(() => ajv(data)); // undefined when it throws
        tally.pairs++;
        tally.valid += ours;
        if (!/^[01] /.test(line)) {
            bad.push({ schema, data, why: line });
        } else if (!old && new Reader(schema).judge(schema, data)[0] !== ours) {
            bad.push({ schema, data, ours: line, theirs, why: "the specification is read otherwise" });
        } else if (ours === theirs) {
            tally.same++;
        } else {
            const why = DEVIATIONS.find((deviation) => deviation.applies(schema, old, theirs) &&
                deviation.verdict(schema, data, old) === ours);
            if (why) explained[why.name] = (explained[why.name] ?? 0) + 1;
            else bad.push({ old, schema, data, ours: line, theirs, errors: ajv.errors?.map((e) => `${e.schemaPath} ${e.message}`) });
        }
    }
}

console.log(`${cases.length} schemas, ${tally.pairs} pairs: ${tally.valid} valid, ${tally.same} judged the same`);
for (const [name, count] of Object.entries(explained))
    console.log(`${count} differ: ${name}`);
for (const one of bad.slice(0, SHOWN))
    console.error(JSON.stringify(one));
if (tally.pairs < Number(schemas) || tally.valid < tally.pairs / 10 || bad.length > 0) {
    console.error(`${bad.length} not explained`);
    process.exit(1);
}
