// Connections of the official clients to the conformance server, all with the same face.
//
// The two generations differ in how handlers are registered and how options are passed; a `peer` hides that:
//
//     peer.client                      the client itself
//     peer.modern                      does it speak 2026-07-28?
//     peer.call(name, args, options)   calls a tool
//     peer.on(method, handler)         answers requests of that method, or gets its notifications
import { createRequire } from "node:module";
import { serverWords } from "../js/serve.mjs";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const v2 = require("@modelcontextprotocol/client");
const { StdioClientTransport: StdioTransport2 } = require("@modelcontextprotocol/client/stdio");
const { Client: Client1 } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport: StdioTransport1 } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport: HttpTransport1 } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const types1 = require("@modelcontextprotocol/sdk/types.js");

const identity = { name: "tenon-tests", version: "1.0.0" };
const capabilities = { elicitation: {}, sampling: {}, roots: { listChanged: true } };

const schemas1 = {
    "elicitation/create": types1.ElicitRequestSchema,
    "sampling/createMessage": types1.CreateMessageRequestSchema,
    "roots/list": types1.ListRootsRequestSchema,
    "notifications/message": types1.LoggingMessageNotificationSchema,
    "notifications/tools/list_changed": types1.ToolListChangedNotificationSchema,
    "notifications/prompts/list_changed": types1.PromptListChangedNotificationSchema,
    "notifications/resources/updated": types1.ResourceUpdatedNotificationSchema,
};

function register(client, method, key, handler) {
    if (method.startsWith("notifications/"))
        client.setNotificationHandler(key, (message) => handler(message.params));
    else
        client.setRequestHandler(key, (message) => handler(message.params));
}

/** The first generation, which speaks the legacy revisions only. */
async function connect1(transport) {
    const client = new Client1(identity, { capabilities });
    await client.connect(transport);
    return {
        client,
        modern: false,
        call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
        on: (method, handler) => register(client, method, schemas1[method], handler),
    };
}

async function connect2(transport, mode) {
    const client = new v2.Client(identity, { capabilities, versionNegotiation: { mode } });
    await client.connect(transport);
    return {
        client,
        modern: client.getProtocolEra() === "modern",
        call: (name, args, options) => client.callTool({ name, arguments: args }, options),
        on: (method, handler) => register(client, method, method, handler),
    };
}

const pipe = (Transport) => new Transport({ command: serverWords()[0], args: serverWords().slice(1), stderr: "inherit" });
const modern = { pin: "2026-07-28" };

/** Every way to connect: its name, how, and the revision that must come out of it. `url` is of a server over HTTP. */
export const ways = [
    { name: "v1 stdio", version: "2025-11-25", connect: () => connect1(pipe(StdioTransport1)) },
    { name: "v1 http", version: "2025-11-25", connect: (url) => connect1(new HttpTransport1(new URL(url))) },
    { name: "v2 stdio legacy", version: "2025-11-25", connect: () => connect2(pipe(StdioTransport2), "legacy") },
    { name: "v2 stdio modern", version: "2026-07-28", connect: () => connect2(pipe(StdioTransport2), modern) },
    { name: "v2 stdio auto", version: "2026-07-28", connect: () => connect2(pipe(StdioTransport2), "auto") },
    { name: "v2 http legacy", version: "2025-11-25", connect: (url) => connect2(http2(url), "legacy") },
    { name: "v2 http modern", version: "2026-07-28", connect: (url) => connect2(http2(url), modern) },
    { name: "v2 http auto", version: "2026-07-28", connect: (url) => connect2(http2(url), "auto") },
];

function http2(url) {
    return new v2.StreamableHTTPClientTransport(new URL(url));
}
