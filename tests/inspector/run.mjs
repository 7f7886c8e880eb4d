// The Inspector's command line, over stdio and HTTP, legacy and modern: a case is its arguments and what must come out.
//
//     tests/inspector/run.sh [PART]    only cases whose name, "http modern: tools/list", has PART in it
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve, serverWords } from "../js/serve.mjs";

const inspector = fileURLToPath(
    new URL("../js/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "tenon-inspector-")); // it keeps a catalogue of servers there
const EXIT_TOOL_ERROR = 5;

async function inspect(target, era, options) {
    const child = spawn(process.execPath,
        [inspector, "--cli", ...target, "--protocol-era", era, "--format", "json", ...options],
        { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: home } });
    let out = "", error = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (error += data));
    const [code] = await once(child, "close");
    return { code, out, error };
}

const tool = (name, ...more) => ["--method", "tools/call", "--tool-name", name, ...more];
const envelope = (result) => JSON.parse(result.content[0].text);

const cases = [
    { name: "initialize", options: ["--method", "initialize"],
        check: (result, era) => assert.match(JSON.stringify(result), era === "modern" ? /2026-07-28/ : /2025-11-25/) },
    { name: "tools/list, strictly", options: ["--method", "tools/list", "--strict"],
        check: ({ tools }) => assert.equal(tools[0].name, "test_simple_text") },
    { name: "tools/call", options: tool("test_division", "--tool-arg", "dividend=7", "--tool-arg", "divisor=2"),
        check: (result) => assert.deepEqual(envelope(result).data, { quotient: 3, remainder: 1 }) },
    { name: "tools/call with JSON", options: tool("test_division", "--tool-args-json", '{"dividend":9,"divisor":4}'),
        check: (result) => assert.deepEqual(result.structuredContent.data, { quotient: 2, remainder: 1 }) },
    { name: "tools/call that fails", options: tool("test_error_handling"), exit: EXIT_TOOL_ERROR,
        check: (result) => assert.equal(result.isError, true) },
    { name: "tools/call with a wrong argument", options: tool("test_division", "--tool-args-json", '{"dividend":1}'),
        exit: EXIT_TOOL_ERROR, check: (result) => assert.equal(envelope(result).error.code, "VALIDATION_ERROR") },
    { name: "tools/call with a header", options: tool("test_x_mcp_header", "--tool-arg", "region=eu-1"),
        check: (result) => assert.equal(envelope(result).data.text, "Region: eu-1") },
    { name: "resources/list", options: ["--method", "resources/list"],
        check: ({ resources }) => assert.equal(resources[0].uri, "test://static-text") },
    { name: "resources/read", options: ["--method", "resources/read", "--uri", "test://template/7/data"],
        check: ({ contents }) => assert.equal(JSON.parse(contents[0].text).id, "7") },
    { name: "resources/templates/list", options: ["--method", "resources/templates/list"],
        check: ({ resourceTemplates }) => assert.equal(resourceTemplates[0].uriTemplate, "test://template/{id}/data") },
    { name: "prompts/list", options: ["--method", "prompts/list"],
        check: ({ prompts }) => assert.equal(prompts[0].name, "test_simple_prompt") },
    { name: "prompts/get", options: ["--method", "prompts/get", "--prompt-name", "test_prompt_with_arguments",
        "--prompt-args", "arg1=x", "arg2=y"],
        check: ({ messages }) => assert.match(messages[0].content.text, /arg1='x', arg2='y'/) },
];

async function attempt(name, target, era, { options, exit = 0, check }) {
    const { code, out, error } = await inspect(target, era, options);
    try {
        assert.equal(code, exit, "exit code");
        const answer = JSON.parse(out);
        check(answer.result ?? answer, era);
        return true;
    } catch (wrong) {
        console.log(`FAILED ${name}: ${wrong.message}\n${out.slice(0, 2000)}\n${error.slice(0, 2000)}`);
        return false;
    }
}

const wanted = process.argv[2] ?? "";
let passed = 0, failed = 0;

async function tryAll(transport, target) {
    for (const era of ["legacy", "modern"])
        for (const one of cases) {
            const name = `${transport} ${era}: ${one.name}`;
            if (name.includes(wanted))
                (await attempt(name, target, era, one)) ? passed++ : failed++;
        }
}

// It takes a "--" among the words of a command for its own: the command is a file.
const command = join(home, "server");
writeFileSync(command, `#!/bin/sh\nexec ${serverWords().map((word) => `'${word}'`).join(" ")}\n`, { mode: 0o755 });

const server = await serve();
await Promise.all([tryAll("stdio", [command]), tryAll("http", [server.url, "--transport", "http"])]);
const ended = await server.stop();
rmSync(home, { recursive: true });
console.log(`${passed} passed, ${failed} failed, the server ended with ${ended}`);
process.exit(failed || ended !== 0 ? 1 : 0);
