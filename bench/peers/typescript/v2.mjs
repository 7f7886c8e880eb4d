// TypeScript SDK v2 as its documentation serves: a factory behind createMcpHandler, or serveStdio.
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { listen, tools } from "./tool.mjs";

function factory() {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    for (const tool of tools)
        server.registerTool(...tool);
    return server;
}

if (process.argv[2] === "--http") {
    const handle = toNodeHandler(createMcpHandler(factory, { responseMode: "json" }));
    const host = localhostHostValidation(), origin = localhostOriginValidation();
    listen(createServer((request, response) => {
        if (host(request, response) && origin(request, response))
            handle(request, response);
    }));
} else {
    serveStdio(factory);
}
