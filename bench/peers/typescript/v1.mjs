// TypeScript SDK v1, stateless over HTTP as its examples do it: a server and a transport for each request.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";
import { annotations, description, fields, listen, name, search } from "./tool.mjs";

const inputSchema = z.strictObject(fields);

function make() {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    server.registerTool(name, { description, annotations, inputSchema }, search);
    return server;
}

if (process.argv[2] === "--http") {
    listen(createServer(async (request, response) => {
        const server = make();
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
        response.on("close", () => server.close());
        await server.connect(transport);
        await transport.handleRequest(request, response);
    }));
} else {
    await make().connect(new StdioServerTransport());
}
