// TypeScript SDK v2 as its documentation serves: a factory behind createMcpHandler, or serveStdio.
import { createServer } from "node:http";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { annotations, description, fields, listen, name, search } from "./tool.mjs";

const inputSchema = z.strictObject(fields);

function factory() {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    server.registerTool(name, { description, annotations, inputSchema }, search);
    return server;
}

if (process.argv[2] === "--http") {
    const handle = toNodeHandler(createMcpHandler(factory));
    const host = localhostHostValidation(), origin = localhostOriginValidation();
    listen(createServer((request, response) => {
        if (host(request, response) && origin(request, response))
            handle(request, response);
    }));
} else {
    serveStdio(factory);
}
