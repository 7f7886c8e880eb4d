// A server of the official SDK's wire, by hand, for what no server would publish: every kind of schema, hostile names and texts,
// progress, questions, long answers. With a file as its argument it publishes the tools that stand there.
import { createInterface } from "node:readline";
import { readFileSync, watchFile } from "node:fs";

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const every = {
    type: "object", required: ["text", "count"], additionalProperties: false,
    $defs: { Colour: { enum: ["red", "green"] }, Node: { type: "object",
        properties: { label: { type: "string" }, next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] } } } },
    properties: {
        text: { type: "string", description: HOSTILE }, count: { type: "integer", minimum: 0, maximum: 100 }, ratio: { type: "number" },
        flag: { type: "boolean" }, colour: { $ref: "#/$defs/Colour" }, colours: { type: "array", items: { $ref: "#/$defs/Colour" } },
        words: { type: "array", items: { type: "string" } }, inner: { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } } },
        map: { type: "object", additionalProperties: { type: "string" } }, any: {}, maybe: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
        shape: { oneOf: [{ type: "object", title: "Circle", properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
            { type: "object", title: "Square", properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] }] },
        tree: { $ref: "#/$defs/Node" }, password: { type: "string", writeOnly: true },
    },
};
let tools = [
    { name: "every_kind", title: HOSTILE, description: HOSTILE, inputSchema: every, annotations: { readOnlyHint: true } },
    { name: "slow", description: "Works in ten steps.", inputSchema: { type: "object", properties: { steps: { type: "integer" } } } },
    { name: "asks", description: "Asks for a name.", inputSchema: { type: "object", properties: {} } },
    { name: "opens", description: "Sends to an address.", inputSchema: { type: "object", properties: { address: { type: "string" } } } },
    { name: "samples", description: "Asks a model.", inputSchema: { type: "object", properties: {} } },
    { name: "sounds", description: "Answers with a sound.", inputSchema: { type: "object", properties: {} } },
    { name: "careless", description: "Its schema is not for every client.",
        inputSchema: { type: "object", properties: { list: { type: "array" },
        either: { anyOf: [{ type: "integer" }, { type: "null" }], default: "x" } } } },
    { name: "exact", description: "Answers with the call as it came.", inputSchema: { type: "object", properties: { id: { type: "integer" }, any: {},
        text: { type: "string" }, lost: { $ref: "#/$defs/%zz" }, map: { type: "object", additionalProperties: { type: "string" } },
        list: { type: "array", items: { type: "integer" } }, colours: { type: "array", items: { oneOf: [{ const: "#f00", title: "Red" }, { const: "#0f0" }] } } } } },
    { name: "chooses", description: "Asks for a colour.", inputSchema: { type: "object", properties: {} } },
    { name: "bytes", description: "Answers with a file.", inputSchema: { type: "object", properties: {} } },
    { name: "huge", description: "Answers at length.", inputSchema: { type: "object", properties: {} } },
];
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\n");
const file = process.argv[2];
if (file) {
    const load = () => { tools = JSON.parse(readFileSync(file, "utf8")); };
    load();
    watchFile(file, { interval: 100 }, () => { load(); send({ method: "notifications/tools/list_changed" }); });
}
const cancelled = new Set(), waiting = new Map();
let asked = 1000;
const question = (method, params) => new Promise((done) => { waiting.set(++asked, done); send({ id: asked, method, params }); });
/* A wave of 80 samples, of one byte each. */
const SOUND = Buffer.concat([Buffer.from("RIFF"), Buffer.from(Uint32Array.of(116).buffer), Buffer.from("WAVEfmt "),
    Buffer.from(Uint32Array.of(16).buffer), Buffer.from(Uint16Array.of(1, 1).buffer),
    Buffer.from(Uint32Array.of(8000, 8000).buffer), Buffer.from(Uint16Array.of(1, 8).buffer), Buffer.from("data"),
        Buffer.from(Uint32Array.of(80).buffer), Buffer.alloc(80, 128)]).toString("base64");
const BOOKS = { dune: "Arrakis.", emma: "Highbury." };
const others = {
    "resources/list": () => ({ resources: [{ uri: "book://dune", name: "dune" }] }),
    "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "book://{title}{?page}", name: "book", description: HOSTILE }] }),
    "resources/read": ({ uri }) => ({ contents: [{ uri, mimeType: "text/plain", text: BOOKS[uri.match(/^book:\/\/(\w+)/)?.[1]] + " " + uri }] }),
    "prompts/list": () => ({ prompts: [{ name: "greet", description: HOSTILE, arguments: [{ name: "who", description: HOSTILE, required: true }] }] }),
    "prompts/get": ({ arguments: args }) => ({ messages: [{ role: "user", content: { type: "text", text: `Greet ${args?.who} ${HOSTILE}` } }] }),
    "completion/complete": ({ argument: { value } }) => ({ completion: { values: Object.keys(BOOKS).filter((b) => b.startsWith(value)) } }),
};

/* Answers that no server should give. */
const ODD = {
    no_text: { content: [{ type: "text" }] }, no_list: { content: "abc" },
        blocks: { content: [null, 5, "x", { type: "image" }, { type: "audio" }, { type: "resource" }, { type: "resource_link" }] },
    envelope: { content: [{ type: "text", text: 5 }], structuredContent: { status: "ERROR",
        error: { code: ["x"], message: { a: 1 }, details: { issues: 5, fieldErrors: null } }, messages: 7, data: null } },
    issues: { content: [], structuredContent: { status: "ERROR",
        error: { code: "VALIDATION_ERROR", message: "m", details: { issues: [null, {}, { parameter: 5, code: {}, message: [] },
        { parameter: "/a/b", code: "x", suggestion: {} }], fieldErrors: { a: null } } }, data: null } },
};

async function call(id, { name, arguments: args = {}, _meta: meta = {} }, line) {
    const answer = (structuredContent, more = []) => send({ id,
        result: { content: [{ type: "text", text: JSON.stringify(structuredContent) }, ...more], structuredContent } });
    if (name === "answers" && ODD[args.kind]) return send({ id, result: ODD[args.kind] });
    if (name === "slow") {
        for (let i = 1; i <= (args.steps ?? 10); i++) {
            if (cancelled.has(id)) return;
            send({ method: "notifications/progress", params: { progressToken: meta.progressToken, progress: i, total: args.steps ?? 10, message: `Step ${i}` } });
            await new Promise((done) => setTimeout(done, 100));
        }
        return answer({ steps: args.steps ?? 10 });
    }
    if (name === "asks") return answer({ reply: await question("elicitation/create",
        { message: "What is your name?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }) });
    if (name === "exact") // as it was written: JSON.parse() would lose digits
        return process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${line}}}\n`);
    if (name === "chooses") return answer({ reply: await question("elicitation/create", { message: "Which?", requestedSchema: { type: "object",
        properties: { colour: { type: "string", enum: ["#f00", "#0f0"], enumNames: ["Red", "Green"], default: "#0f0" }, share: { type: "number", minimum: 0.0,
        maximum: 1.0, default: 0.5 }, mail: { type: "string" } }, required: ["colour", "mail"] } }) });
    if (name === "bytes") return send({ id, result: { content: [{ type: "resource", resource: { uri: "file:///srv/a.pdf",
        mimeType: "application/pdf", blob: btoa("%PDF-1.7") } }] } });
    if (name === "opens") return answer({ reply: await question("elicitation/create",
        { mode: "url", elicitationId: "e1", message: "Sign in there.", url: args.address }) });
    if (name === "samples") return answer({ reply: await question("sampling/createMessage",
        { maxTokens: 20, messages: [{ role: "user", content: { type: "text", text: HOSTILE } }] }) });
    if (name === "sounds") return send({ id, result: { content: [{ type: "audio", mimeType: "audio/wav", data: SOUND },
        { type: "audio", mimeType: "text/html", data: btoa(HOSTILE) }] } });
    if (name === "huge") return send({ id, result: { content: [{ type: "text", text: HOSTILE + "x".repeat(3_000_000) },
        { type: "image", mimeType: "image/svg+xml", data: btoa("<svg onload='1'/>") }] } });
    return answer({ got: args, hostile: HOSTILE });
}

createInterface({ input: process.stdin }).on("line", (line) => {
    const m = JSON.parse(line);
    if (m.method === "initialize") send({ id: m.id, result: { protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true }, ...(file ? {} : { resources: {}, prompts: {}, completions: {} }) },
        serverInfo: { name: "kinds", version: "1" } } });
    else if (m.method === "tools/list") send({ id: m.id, result: { tools } });
    else if (m.method === "tools/call") call(m.id, m.params, line);
    else if (m.method === "notifications/cancelled") { cancelled.add(m.params.requestId); process.stderr.write("cancelled\n"); }
    else if (m.method === undefined && waiting.has(m.id)) waiting.get(m.id)(m.result ?? m.error);
    else if (others[m.method] && !file) send({ id: m.id, result: others[m.method](m.params ?? {}) });
    else if (m.id !== undefined) send({ id: m.id, error: { code: -32601, message: "no such method" } });
}).on("close", () => process.exit(0));
