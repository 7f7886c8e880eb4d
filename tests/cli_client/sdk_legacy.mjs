// A server of the official SDK from before 2026-07-28, over stdio.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "legacy", version: "1.0.0" });

server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: { a: z.number().int(), b: z.number().default(1) } },
    async ({ a, b }) => ({ content: [{ type: "text", text: `${a + b}` }] }));
server.registerTool("ask", { description: "Asks for a name." }, async () => {
    const answer = await server.server.elicitInput({
        message: "Who is there?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
    return { content: [{ type: "text", text: JSON.stringify(answer) }] };
});
await server.connect(new StdioServerTransport());
