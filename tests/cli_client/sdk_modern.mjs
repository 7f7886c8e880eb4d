// A server of the official SDK that knows 2026-07-28 and the revisions before: over stdio, or with --http on a free port.
import { createServer } from "node:http";
import { McpServer, acceptedContent, createMcpHandler, inputRequired } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function make() {
    const server = new McpServer({ name: "modern", version: "1.0.0" }, { capabilities: { tools: {} } });

    server.registerTool(
        "add",
        { description: "Adds two numbers.", inputSchema: z.object({ a: z.number().int(), b: z.number().default(1) }) },
        async ({ a, b }) => ({ content: [{ type: "text", text: `${a + b}` }] }));
    server.registerTool("ask", { description: "Asks for a name.", inputSchema: z.object({}) }, async (_, context) => {
        const given = acceptedContent(context.mcpReq.inputResponses, "name");
        if (given)
            return { content: [{ type: "text", text: `Hello, ${given.name}.` }] };
        return inputRequired({
            inputRequests: {
                name: inputRequired.elicit({
                    message: "Who is there?",
                    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
                }),
            },
        });
    });
    return server;
}

/** Hands a request of Node to a handler of fetch's kind, and its response back. */
async function serve(handler, request, response) {
    const body = request.method === "POST" ? Buffer.concat(await request.toArray()) : undefined;
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method, headers: request.headers, body,
    }));

    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const piece of answer.body ?? [])
        response.write(piece);
    response.end();
}

if (process.argv[2] === "--http") {
    const handler = createMcpHandler(make);
    const listener = createServer((request, response) => serve(handler, request, response));

    listener.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
} else {
    serveStdio(make);
}
