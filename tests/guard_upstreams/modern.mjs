// A server of the official SDK's second generation, which speaks 2026-07-28 and the revisions before: results of every form.
import { createRequire } from "node:module";

const require = createRequire(new URL("../js/package.json", import.meta.url));
const { McpServer, acceptedContent, inputRequired } = require("@modelcontextprotocol/server");
const { serveStdio } = require("@modelcontextprotocol/server/stdio");
const { z } = require("zod");

function make() {
    const server = new McpServer({ name: "second", version: "2.0.0" },
        { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: "Be brief." });
    const text = (said) => ({ content: [{ type: "text", text: said }] });

    server.registerTool("add",
        { description: "Adds two numbers.", inputSchema: z.object({ a: z.number().int(), b: z.number().default(1) }) },
        async ({ a, b }) => text(`${a + b}`));
    server.registerTool("weather",
        { inputSchema: z.object({ city: z.enum(["Bern", "Rome"]) }),
            outputSchema: z.object({ city: z.string(), degrees: z.number(), wind: z.array(z.number()) }) },
        async ({ city }) => ({ ...text(city), structuredContent: { city, degrees: 1.5, wind: [1e21, -0.1] } }));
    server.registerTool("cut", { inputSchema: z.object({ at: z.number().int().min(0).max(9) }) },
        async ({ at }) => text("emoji 😀😀😀".slice(0, 6 + at)));
    server.registerTool("fails", { inputSchema: z.object({}) }, async () => ({ ...text("it failed"), isError: true }));
    server.registerTool("throws", { inputSchema: z.object({}) }, async () => { throw new Error("it threw"); });
    server.registerTool("pictures", { inputSchema: z.object({}) }, async () => ({
        content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }, { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
            { type: "resource_link", uri: "second://note", name: "note" }] }));
    server.registerTool("ask", { description: "Asks for a name.", inputSchema: z.object({}) }, async (_, context) => {
        const given = acceptedContent(context.mcpReq.inputResponses, "name");
        if (given)
            return text(`Hello, ${given.name}.`);
        return inputRequired({
            inputRequests: {
                name: inputRequired.elicit({
                    message: "Who is there?",
                    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
                }),
            },
        });
    });
    server.registerResource("note", "second://note", { mimeType: "text/plain" },
        async (uri) => ({ contents: [{ uri: uri.href, text: "a note" }] }));
    server.registerPrompt("greet", { argsSchema: z.object({ name: z.string() }) },
        ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: `Greet ${name}.` } }] }));
    return server;
}

serveStdio(make);
