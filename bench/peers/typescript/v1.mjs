// TypeScript SDK v1, stateless over HTTP as its examples do it: a server and a transport for each request.
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { listen, tools } from "./tool.mjs";

function make() {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    for (const tool of tools)
        server.registerTool(...tool);
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
