// cases.mjs - schemas and documents of the kinds that programs exchange, each valid, with one fault at its end, and with
// many; always the same ones.
//
//     cases.mjs DIRECTORY    writes NAME.schema.json, NAME.valid.json, NAME.late.json and NAME.many.json
//
// Names with a number ("events-100") are for how the cost grows.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

// ---- Chance that repeats itself ------------------------------------------------------------------------------------

let state = 0x2545f491;
function chance(below) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
}
const one = list => list[chance(list.length)];
const hex = len => Array.from({ length: len }, () => "0123456789abcdef"[chance(16)]).join("");
const word = () => one(["amber", "basalt", "cobalt", "delta", "ember", "fjord", "granite", "harbor", "indigo", "juniper"]);
const words = count => Array.from({ length: count }, word).join(" ");
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const copy = value => JSON.parse(JSON.stringify(value));

// ---- Arguments of a tool -------------------------------------------------------------------------------------------

const tool = {
    schema: {
        $schema: DIALECT, type: "object", additionalProperties: false, required: ["query"],
        properties: {
            query: { type: "string", minLength: 1, maxLength: 10000 },
            tags: { type: "array", items: { type: "string" }, maxItems: 20 },
            limit: { type: "integer", minimum: 1, maximum: 10 },
            threshold: { type: "number", minimum: 0, maximum: 1 },
            mode: { enum: ["fast", "balanced", "deep"] },
            verbose: { type: "boolean" },
        },
    },
    valid: () => ({ query: words(9), tags: ["guide", "spec", "note"], limit: 5, threshold: 0.55, mode: "balanced",
                    verbose: true }),
    late: value => { value.verbose = "yes"; },
    many: value => Object.assign(value, { query: "", tags: 7, limit: 50, threshold: 1.5, mode: "slow", verbose: "no",
                                          more: 1 }),
};

// ---- A manifest of a package ---------------------------------------------------------------------------------------

const manifest = {
    schema: {
        $schema: DIALECT, type: "object", required: ["name", "version"],
        properties: {
            name: { type: "string", maxLength: 214, minLength: 1, pattern: "^[a-z0-9-~][a-z0-9-._~]*$" },
            version: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
            description: { type: "string" }, homepage: { type: "string" }, license: { type: "string" },
            private: { type: "boolean" },
            keywords: { type: "array", items: { type: "string" } },
            author: { $ref: "#/$defs/person" },
            contributors: { type: "array", items: { $ref: "#/$defs/person" } },
            files: { type: "array", items: { type: "string" } },
            repository: { anyOf: [{ type: "string" },
                { type: "object", properties: { type: { type: "string" }, url: { type: "string" } } }] },
            bugs: { anyOf: [{ type: "string" },
                { type: "object", properties: { url: { type: "string" }, email: { type: "string" } } }] },
            scripts: { type: "object", additionalProperties: { type: "string" } },
            engines: { type: "object", additionalProperties: { type: "string" } },
            dependencies: { $ref: "#/$defs/dependencies" },
            devDependencies: { $ref: "#/$defs/dependencies" },
            peerDependencies: { $ref: "#/$defs/dependencies" },
            exports: { anyOf: [{ type: "string" }, { $ref: "#/$defs/exports" }] },
            type: { enum: ["commonjs", "module"] },
            workspaces: { type: "array", items: { type: "string" } },
        },
        $defs: {
            person: { type: ["object", "string"], required: ["name"],
                properties: { name: { type: "string" }, url: { type: "string" }, email: { type: "string" } } },
            dependencies: { type: "object", additionalProperties: { type: "string" },
                propertyNames: { type: "string", minLength: 1 } },
            exports: { type: "object", additionalProperties: { anyOf: [{ type: "string" }, { $ref: "#/$defs/exports" }] } },
        },
    },
    valid: () => ({
        name: "harbor-tools", version: "4.11.2", description: words(12), license: "MIT",
        homepage: "https://example.org/harbor", keywords: list(12, word), type: "module",
        author: { name: "Ada Example", email: "ada@example.org" },
        contributors: list(14, i => i % 3 ? { name: words(2), url: "https://example.org/" + i } : words(2)),
        files: list(10, i => `dist/${word()}-${i}.js`),
        repository: { type: "git", url: "git+https://example.org/harbor.git" },
        bugs: { url: "https://example.org/harbor/issues" },
        scripts: Object.fromEntries(list(18, i => [`${word()}:${i}`, words(5)])),
        engines: { node: ">=20" },
        exports: { ".": { import: "./dist/index.js", require: "./dist/index.cjs" },
                   ...Object.fromEntries(list(20, i => [`./${word()}-${i}`, { default: `./dist/${i}.js` }])) },
        dependencies: Object.fromEntries(list(40, i => [`${word()}-${i}`, `^${chance(9)}.${chance(9)}.0`])),
        devDependencies: Object.fromEntries(list(60, i => [`@${word()}/${word()}-${i}`, `~${chance(9)}.${chance(9)}.1`])),
        peerDependencies: {}, private: false, workspaces: list(5, i => `packages/${i}`),
    }),
    late: value => { value.workspaces[4] = 4; },
    many: value => { value.version = "4.11"; value.keywords[3] = null; value.contributors[1] = { url: 5 };
                     value.scripts.test = 1; value.dependencies.left = 7; value.type = "esm"; value.workspaces = {}; },
};

// ---- A description of an interface over HTTP -----------------------------------------------------------------------

const openapi = {
    schema: {
        $schema: DIALECT, type: "object", required: ["openapi", "info", "paths"],
        properties: {
            openapi: { type: "string", pattern: "^3\\.1\\.\\d+(-.+)?$" }, info: { $ref: "#/$defs/info" },
            servers: { type: "array", items: { $ref: "#/$defs/server" } }, paths: { $ref: "#/$defs/paths" },
            components: { $ref: "#/$defs/components" },
            tags: { type: "array", items: { type: "object", required: ["name"],
                properties: { name: { type: "string" }, description: { type: "string" } } } },
        },
        patternProperties: { "^x-": true }, additionalProperties: false,
        $defs: {
            info: { type: "object", required: ["title", "version"], properties: { title: { type: "string" },
                summary: { type: "string" }, description: { type: "string" }, version: { type: "string" } },
                patternProperties: { "^x-": true }, additionalProperties: false },
            server: { type: "object", required: ["url"], properties: { url: { type: "string" },
                description: { type: "string" } } },
            paths: { type: "object", patternProperties: { "^/": { $ref: "#/$defs/path" }, "^x-": true },
                additionalProperties: false },
            path: { type: "object", properties: { summary: { type: "string" },
                parameters: { type: "array", items: { $ref: "#/$defs/parameter-or-reference" } },
                get: { $ref: "#/$defs/operation" }, put: { $ref: "#/$defs/operation" },
                post: { $ref: "#/$defs/operation" }, delete: { $ref: "#/$defs/operation" },
                patch: { $ref: "#/$defs/operation" } },
                patternProperties: { "^x-": true }, additionalProperties: false },
            operation: { type: "object", required: ["responses"], properties: {
                tags: { type: "array", items: { type: "string" } }, summary: { type: "string" },
                description: { type: "string" }, operationId: { type: "string" }, deprecated: { type: "boolean" },
                parameters: { type: "array", items: { $ref: "#/$defs/parameter-or-reference" } },
                requestBody: { $ref: "#/$defs/body-or-reference" }, responses: { $ref: "#/$defs/responses" } },
                patternProperties: { "^x-": true }, additionalProperties: false },
            reference: { type: "object", required: ["$ref"], properties: { $ref: { type: "string" } } },
            "parameter-or-reference": { if: { type: "object", required: ["$ref"] }, then: { $ref: "#/$defs/reference" },
                else: { $ref: "#/$defs/parameter" } },
            parameter: { type: "object", required: ["name", "in"], properties: { name: { type: "string" },
                in: { enum: ["query", "header", "path", "cookie"] }, description: { type: "string" },
                required: { type: "boolean" }, schema: { $ref: "#/$defs/schema" } },
                allOf: [{ if: { properties: { in: { const: "path" } } },
                    then: { properties: { required: { const: true } }, required: ["required"] } }] },
            "body-or-reference": { if: { type: "object", required: ["$ref"] }, then: { $ref: "#/$defs/reference" },
                else: { $ref: "#/$defs/body" } },
            body: { type: "object", required: ["content"], properties: { description: { type: "string" },
                required: { type: "boolean" }, content: { $ref: "#/$defs/content" } } },
            content: { type: "object", additionalProperties: { $ref: "#/$defs/media" },
                propertyNames: { pattern: "^[a-z]+/[a-z+.-]+$" } },
            media: { type: "object", properties: { schema: { $ref: "#/$defs/schema" }, example: true } },
            responses: { type: "object", minProperties: 1, properties: { default: { $ref: "#/$defs/response" } },
                patternProperties: { "^[1-5](?:[0-9]{2}|XX)$": { $ref: "#/$defs/response" }, "^x-": true },
                additionalProperties: false },
            response: { type: "object", required: ["description"], properties: { description: { type: "string" },
                content: { $ref: "#/$defs/content" } } },
            components: { type: "object", properties: { schemas: { type: "object",
                additionalProperties: { $ref: "#/$defs/schema" } } } },
            schema: { type: ["object", "boolean"], properties: { type: { enum: ["string", "integer", "number", "boolean",
                "array", "object", "null"] }, $ref: { type: "string" }, format: { type: "string" },
                items: { $ref: "#/$defs/schema" }, properties: { type: "object",
                additionalProperties: { $ref: "#/$defs/schema" } }, required: { type: "array", items: { type: "string" },
                uniqueItems: true }, enum: { type: "array" }, minimum: { type: "number" }, maximum: { type: "number" } } },
        },
    },
    valid: () => {
        const schema = depth => depth === 0
            ? one([{ type: "string" }, { type: "integer", minimum: 0 }, { $ref: "#/components/schemas/Item" }])
            : one([{ type: "array", items: schema(depth - 1) }, { type: "object", required: ["id", "name"],
                properties: { id: { type: "integer" }, name: schema(0), [word()]: schema(depth - 1) } }]);
        const content = depth => ({ "application/json": { schema: schema(depth) } });
        const operation = (path, verb, index) => ({
            tags: [word()], summary: words(5), operationId: `${verb}${index}`,
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } },
                { name: "page", in: "query", schema: { type: "integer", minimum: 1 } }, { $ref: "#/components/parameters/sort" }],
            ...(verb === "post" ? { requestBody: { required: true, content: content(2) } } : {}),
            responses: { 200: { description: words(3), content: content(2) }, 404: { description: "Not found." },
                         default: { description: "A fault." } },
        });
        return {
            openapi: "3.1.0", info: { title: words(2), version: "1.4.0", description: words(30) },
            servers: [{ url: "https://example.org/v1" }],
            paths: Object.fromEntries(list(60, i => [`/${word()}/${i}/{id}`, Object.fromEntries(
                ["get", "post", "delete"].map(verb => [verb, operation(i, verb, i)]))])),
            components: { schemas: Object.fromEntries(list(40, i => [`Item${i}`, schema(3)])) },
            tags: list(12, () => ({ name: word(), description: words(6) })),
        };
    },
    late: value => { value.tags[11] = { description: "nameless" }; },
    many: value => { const paths = Object.values(value.paths); paths[3].get.responses = {};
                     paths[20].post.parameters[0].required = false; paths[40].get.tags = "one";
                     value.components.schemas.Item7 = 7; value.info.version = 1; value.extra = true; },
};

// ---- A map ---------------------------------------------------------------------------------------------------------

const position = { type: "array", minItems: 2, items: { type: "number" } };
const shape = (name, coordinates) => ({ type: "object", required: ["type", "coordinates"], properties: {
    type: { enum: [name] }, coordinates, bbox: { type: "array", minItems: 4, items: { type: "number" } } } });
const lines = { type: "array", minItems: 2, items: { $ref: "#/$defs/position" } };
const ring = { type: "array", minItems: 4, items: { $ref: "#/$defs/position" } };
const geojson = count => ({
    schema: {
        $schema: DIALECT, type: "object", required: ["type", "features"],
        properties: { type: { enum: ["FeatureCollection"] }, features: { type: "array", items: { $ref: "#/$defs/feature" } } },
        $defs: {
            position,
            feature: { type: "object", required: ["type", "properties", "geometry"], properties: {
                type: { enum: ["Feature"] }, id: { oneOf: [{ type: "number" }, { type: "string" }] },
                properties: { oneOf: [{ type: "null" }, { type: "object" }] },
                geometry: { oneOf: [{ type: "null" },
                    shape("Point", { $ref: "#/$defs/position" }), shape("LineString", lines),
                    shape("Polygon", { type: "array", items: ring }),
                    shape("MultiPoint", { type: "array", items: { $ref: "#/$defs/position" } }),
                    shape("MultiLineString", { type: "array", items: lines }),
                    shape("MultiPolygon", { type: "array", items: { type: "array", items: ring } })] } } },
        },
    },
    valid: () => {
        const place = () => [chance(36000) / 100 - 180, chance(18000) / 100 - 90];
        const round = () => { const first = place(); return [first, ...list(8, place), first]; };
        const geometry = () => one([() => ({ type: "Point", coordinates: place() }),
            () => ({ type: "LineString", coordinates: list(10, place) }),
            () => ({ type: "Polygon", coordinates: [round()] }),
            () => ({ type: "MultiPolygon", coordinates: [[round()], [round()]] })])();
        return { type: "FeatureCollection", features: list(count, id => ({ type: "Feature", id,
            properties: { name: words(2), height: chance(3000), kind: word() }, geometry: geometry() })) };
    },
    late: value => { value.features.at(-1).geometry = { type: "Point", coordinates: ["0", 0] }; },
    many: value => { for (let i = 0; i < count; i += Math.ceil(count / 10)) delete value.features[i].properties; },
});

// ---- A workflow of continuous integration --------------------------------------------------------------------------

const workflow = {
    schema: {
        $schema: DIALECT, type: "object", required: ["on", "jobs"], additionalProperties: false,
        properties: { name: { type: "string" }, env: { $ref: "#/$defs/env" },
            on: { oneOf: [{ $ref: "#/$defs/event" }, { type: "array", minItems: 1, items: { $ref: "#/$defs/event" } },
                { type: "object", propertyNames: { $ref: "#/$defs/event" }, additionalProperties: { oneOf: [{ type: "null" },
                    { type: "object", properties: { branches: { $ref: "#/$defs/globs" }, paths: { $ref: "#/$defs/globs" } } }] } }] },
            concurrency: { oneOf: [{ type: "string" }, { $ref: "#/$defs/concurrency" }] },
            jobs: { type: "object", minProperties: 1, patternProperties: { "^[_a-zA-Z][a-zA-Z0-9_-]*$": {
                oneOf: [{ $ref: "#/$defs/job" }, { $ref: "#/$defs/call" }] } }, additionalProperties: false } },
        $defs: {
            event: { enum: ["push", "pull_request", "schedule", "workflow_dispatch", "release", "merge_group"] },
            globs: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
            env: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
            concurrency: { type: "object", required: ["group"], additionalProperties: false, properties: {
                group: { type: "string" }, "cancel-in-progress": { type: ["boolean", "string"] } } },
            strategy: { type: "object", required: ["matrix"], properties: { matrix: { type: "object", minProperties: 1,
                additionalProperties: { oneOf: [{ type: "array", minItems: 1 }, { type: "string" }] } },
                "fail-fast": { type: "boolean" }, "max-parallel": { type: "integer", minimum: 1 } } },
            step: { type: "object", additionalProperties: false, dependentRequired: { "working-directory": ["run"],
                shell: ["run"] }, oneOf: [{ required: ["uses"] }, { required: ["run"] }], properties: {
                id: { type: "string" }, if: { type: ["boolean", "string"] }, name: { type: "string" },
                uses: { type: "string", pattern: "^[^@]+@[^@]+$" }, run: { type: "string" },
                "working-directory": { type: "string" }, shell: { anyOf: [{ type: "string" },
                    { enum: ["bash", "pwsh", "sh"] }] }, with: { $ref: "#/$defs/env" }, env: { $ref: "#/$defs/env" },
                "continue-on-error": { type: ["boolean", "string"] }, "timeout-minutes": { type: "number", minimum: 0 } } },
            job: { type: "object", required: ["runs-on"], additionalProperties: false, properties: { name: { type: "string" },
                needs: { oneOf: [{ type: "array", minItems: 1, items: { type: "string" } }, { type: "string" }] },
                "runs-on": { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
                env: { $ref: "#/$defs/env" }, if: { type: ["boolean", "string"] }, strategy: { $ref: "#/$defs/strategy" },
                steps: { type: "array", minItems: 1, items: { $ref: "#/$defs/step" } },
                "timeout-minutes": { type: "number" }, concurrency: { $ref: "#/$defs/concurrency" } } },
            call: { type: "object", required: ["uses"], additionalProperties: false, properties: { uses: { type: "string" },
                with: { $ref: "#/$defs/env" }, needs: { type: "string" } } },
        },
    },
    valid: () => ({
        name: "build", on: { push: { branches: ["main", "release/*"] }, pull_request: null }, env: { CI: true, LEVEL: 2 },
        jobs: Object.fromEntries([...list(12, i => [`job_${i}`, { name: words(2), "runs-on": "linux",
            ...(i ? { needs: [`job_${i - 1}`] } : {}), strategy: { matrix: { os: ["linux", "mac"], level: [1, 2, 3] } },
            steps: list(14, k => k % 3 ? { name: words(3), run: words(8), shell: "bash", env: { A: "1", B: k } }
                : { uses: `example/${word()}@v${k}`, with: { depth: 0, path: "src" } }) }]),
            ["publish", { uses: "example/publish@v1", with: { quiet: true } }]]),
        concurrency: { group: "build", "cancel-in-progress": true },
    }),
    late: value => { value.concurrency["cancel-in-progress"] = 1; },
    many: value => { value.jobs.job_2.steps[3].run = 5; value.jobs.job_5["runs-on"] = 7; value.env.X = null;
                     value.jobs.job_9.steps[1].uses = "a@b"; value.extra = 1; value.jobs.job_7.strategy.matrix = {}; },
};

// ---- Events of a log -----------------------------------------------------------------------------------------------

const events = count => ({
    schema: {
        $schema: DIALECT, type: "array", items: {
            type: "object", required: ["id", "time", "level", "source", "message"], additionalProperties: false,
            properties: {
                id: { type: "string", pattern: "^[0-9a-f]{16}$" }, time: { type: "string", format: "date-time" },
                level: { enum: ["debug", "info", "notice", "warning", "error", "critical"] },
                source: { type: "object", required: ["service", "host"], properties: { service: { type: "string" },
                    host: { type: "string", maxLength: 64 }, pid: { type: "integer", minimum: 1, maximum: 4194304 } } },
                message: { type: "string", maxLength: 4096 }, duration: { type: "number", minimum: 0 },
                status: { type: "integer", minimum: 100, maximum: 599 }, user: { type: ["string", "null"] },
                tags: { type: "array", maxItems: 16, items: { type: "string", minLength: 1 } },
                context: { type: "object", additionalProperties: { type: ["string", "number", "boolean", "null"] } },
            },
        },
    },
    valid: () => list(count, i => ({
        id: hex(16), time: "2031-02-03T04:05:06.789Z", level: one(["debug", "info", "info", "warning", "error"]),
        source: { service: word(), host: `${word()}-${chance(50)}`, pid: 1 + chance(60000) }, message: words(7),
        duration: chance(100000) / 1000, status: 200 + chance(300), user: i % 4 ? word() : null, tags: list(3, word),
        context: { path: `/${word()}/${i}`, retries: chance(4), cached: i % 2 === 0, trace: hex(8) },
    })),
    late: value => { value.at(-1).context.trace = []; },
    many: value => { for (let i = 0; i < count; i += Math.ceil(count / 10)) value[i].level = "loud"; },
});

// ---- A tree --------------------------------------------------------------------------------------------------------

const tree = {
    schema: {
        $schema: DIALECT, $ref: "#/$defs/node",
        $defs: { node: { type: "object", required: ["name", "kind"], properties: { name: { type: "string", minLength: 1 },
            kind: { enum: ["branch", "leaf"] }, weight: { type: "number" },
            children: { type: "array", items: { $ref: "#/$defs/node" } } }, additionalProperties: false } },
    },
    valid: () => {
        const node = depth => depth === 0 ? { name: word(), kind: "leaf", weight: chance(1000) / 8 }
            : { name: word(), kind: "branch", children: [node(depth - 1), ...list(3, () => ({ name: word(), kind: "leaf" }))] };
        const wide = depth => depth === 0 ? node(40) : { name: word(), kind: "branch", children: list(3, () => wide(depth - 1)) };
        return wide(3);
    },
    late: value => { let at = value; while (at.children) at = at.children.at(-1); at.weight = "heavy"; },
    many: value => { for (const child of value.children) child.children.at(-1).kind = "bush"; },
};

// ---- A configuration -----------------------------------------------------------------------------------------------

const config = {
    schema: {
        $schema: DIALECT, type: "object", required: ["version", "services"],
        properties: { version: { const: 3 }, log: { $ref: "#/$defs/log" }, services: { type: "object", minProperties: 1,
            propertyNames: { pattern: "^[a-z][a-z0-9-]*$" }, additionalProperties: { $ref: "#/$defs/service" } },
            limits: { type: "object", patternProperties: { "^(cpu|memory)$": { type: "string", pattern: "^[0-9]+(m|Mi|Gi)?$" },
                "_seconds$": { type: "integer", minimum: 0 }, "_ratio$": { type: "number", exclusiveMinimum: 0, maximum: 1 } },
                additionalProperties: false } },
        patternProperties: { "^x-": { type: "object" } }, additionalProperties: false,
        $defs: {
            log: { type: "object", properties: { level: { enum: ["debug", "info", "error"] }, to: { type: "string" } },
                if: { properties: { to: { const: "file" } }, required: ["to"] },
                then: { properties: { path: { type: "string", pattern: "^/" } }, required: ["path"] },
                else: { properties: { path: false } } },
            base: { type: "object", required: ["kind"], properties: { kind: { enum: ["http", "queue", "timer"] },
                replicas: { type: "integer", minimum: 1, maximum: 100 }, env: { type: "object", patternProperties: {
                    "^[A-Z][A-Z0-9_]*$": { type: ["string", "number", "boolean"] } }, additionalProperties: false } } },
            service: { $ref: "#/$defs/base", allOf: [
                { if: { properties: { kind: { const: "http" } } }, then: { required: ["port"], properties: {
                    port: { type: "integer", minimum: 1, maximum: 65535 }, routes: { type: "array", uniqueItems: true,
                    items: { type: "string", pattern: "^/[a-z0-9/{}_-]*$" } } } } },
                { if: { properties: { kind: { const: "queue" } } }, then: { required: ["topic"], properties: {
                    topic: { type: "string" }, batch: { type: "integer", multipleOf: 8 } } } },
                { if: { properties: { kind: { const: "timer" } } }, then: { required: ["every"], properties: {
                    every: { type: "string", pattern: "^[0-9]+[smhd]$" } } } }],
                unevaluatedProperties: false },
        },
    },
    valid: () => ({
        version: 3, log: { level: "info", to: "file", path: "/var/log/harbor" },
        services: Object.fromEntries(list(80, i => [`${word()}-${i}`, { ...one([
            () => ({ kind: "http", port: 1024 + chance(9000), routes: list(6, k => `/${word()}/${k}`) }),
            () => ({ kind: "queue", topic: word(), batch: 8 * chance(32) }), () => ({ kind: "timer", every: `${chance(60)}s` })])(),
            replicas: 1 + chance(9), env: Object.fromEntries(list(6, k => [`${word().toUpperCase()}_${k}`, one(["a", 1, true])])) }])),
        "x-notes": { text: words(20) },
        limits: { cpu: "500m", memory: "2Gi", read_seconds: 30, write_seconds: 60, load_ratio: 0.75 },
    }),
    late: value => { value.limits.load_ratio = 1.5; },
    many: value => { const services = Object.values(value.services); services[3].extra = 1; services[20].env.lower = 1;
                     services[40].replicas = 0; value.log.path = "relative"; value.services["No-Good"] = services[0];
                     value.version = 2; },
};

// ---- All of them ---------------------------------------------------------------------------------------------------

const all = { tool, manifest, openapi, geojson: geojson(1000), workflow, events: events(2000), tree, config };
for (const count of [20, 200, 2000]) {
    all[`events-${count}`] = events(count);
    all[`geojson-${count}`] = geojson(count);
}
for (const [name, { schema, valid, late, many }] of Object.entries(all)) {
    const value = valid();
    const write = (kind, what) => writeFileSync(join(process.argv[2], `${name}.${kind}.json`), JSON.stringify(what));
    const spoilt = spoil => { const other = copy(value); spoil(other); return other; };
    write("schema", schema);
    write("valid", value);
    write("late", spoilt(late));
    write("many", spoilt(many));
}
