// The official client of the tasks extension, which follows a tool's call wherever it leads: to a result at once, to
// questions, to a task. It speaks 2026-07-28 over HTTP here.
import assert from "node:assert/strict";

const { createTaskSessionFromClient } =
    await import(new URL("../js/node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js", import.meta.url));

const VERSION = "2026-07-28";
const named = { "tools/call": "name", "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId" };

/** Sends a whole request, as the extension wants it of its host, and returns the response. */
function dispatcher(url) {
    let last = 0;
    return async (request, { signal } = {}) => {
        const headers = { "content-type": "application/json", accept: "application/json, text/event-stream",
            "mcp-protocol-version": VERSION, "mcp-method": request.method };
        if (named[request.method])
            headers["mcp-name"] = request.params[named[request.method]];
        const body = JSON.stringify({ ...request, jsonrpc: "2.0", id: request.id ?? `tasks-${++last}` });
        const text = await (await fetch(url, { method: "POST", headers, body, signal })).text();
        const json = text.startsWith("{") ? text : text.match(/^data: (.*)\n\n$/m)?.[1];
        const { result, error } = JSON.parse(json);
        return error ? { kind: "error", error } : { kind: "result", result };
    };
}

const answers = {
    "Delete a.txt?": { confirm: true },
    "Who comes first?": { name: "Ada" },
    "Who comes second?": { name: "Grace" },
    "What is your name?": { name: "Ada" },
};

function begin(client, url) {
    const asked = [];
    const session = createTaskSessionFromClient(client, {
        endpointId: "conformance",
        rawDispatch: dispatcher(url),
        v2RequestFraming: { protocolVersion: VERSION, clientInfo: { name: "tenon-tests", version: "1.0.0" },
            clientCapabilities: { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } } },
        onInputRequest: async ({ params }, { scope }) => {
            asked.push(scope);
            return { action: "accept", content: answers[params.message] };
        },
    });
    const run = async (name, args) => {
        const execution = await session.callTool(name, args);
        const { outcome } = await execution.settle();
        return { kind: execution.kind, ...outcome };
    };
    return { session, asked, run };
}

const textOf = ({ result }) => result.structuredContent.data.text;

/** The cases of a client that is connected to `url`. */
export function taskCases(url) {
    const within = (action) => async ({ client }) => {
        const tools = begin(client, url);
        try {
            await action(tools);
        } finally {
            await tools.session.close();
        }
    };
    return {
        "gets a result at once": within(async ({ run }) => {
            const outcome = await run("greet", { name: "Ada" });
            assert.equal(outcome.kind, "immediate");
            assert.equal(outcome.result.content[0].text, "Hello, Ada!");
        }),
        "waits for a task": within(async ({ run }) => {
            const outcome = await run("slow_compute", { seconds: 0.2, label: "it" });
            assert.equal(outcome.kind, "task");
            assert.equal(textOf(outcome), "Computed it for 0.2 seconds.");
        }),
        "gets an error of a tool as the result of its task": within(async ({ run }) => {
            const outcome = await run("failing_job", {});
            assert.equal(outcome.status, "completed");
            assert.equal(outcome.result.isError, true);
        }),
        "is told that a task went wrong": within(async ({ run }) => {
            const outcome = await run("protocol_error_job", {});
            assert.equal(outcome.status, "failed");
            assert.equal(outcome.error.code, -32603);
        }),
        "cancels a task": within(async ({ session }) => {
            const execution = await session.callTool("slow_compute", { seconds: 60 });
            await execution.cancel();
            assert.equal((await execution.settle()).outcome.status, "cancelled");
        }),
        "answers the questions of a task": within(async ({ run, asked }) => {
            assert.equal(textOf(await run("confirm_delete", { filename: "a.txt" })), "a.txt was deleted.");
            assert.equal(textOf(await run("multi_input", {})), "Ada, then Grace.");
            assert.deepEqual(asked, ["task", "task", "task"]);
        }),
        "answers a question before the task": within(async ({ run, asked }) => {
            const outcome = await run("test_tool_with_task", {});
            assert.equal(outcome.kind, "task");
            assert.equal(textOf(outcome), "Worked for Ada.");
            assert.deepEqual(asked, ["request"]);
        }),
    };
}
