// What is tried over every connection. A case gets a peer (connect.mjs) and throws when something is wrong.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

const guarded = Boolean(process.env.TENON_TEST_GUARDED);

/** The envelope of an answer: as the model reads it, and as programs do, which must be the same but for the issues of a refusal: of
 * those the text has only what no sentence says. A guard's own answer for a tool with an outputSchema is text alone: clients of the
 * first generation hold structuredContent to that schema, errors too. */
function envelope(result) {
    const text = JSON.parse(result.content[0].text);
    if (guarded && result.isError && result.structuredContent === undefined)
        return text;
    const whole = result.structuredContent, issues = whole.error?.details?.issues;
    const said = structuredClone(whole);
    if (issues && !(guarded && isDeepStrictEqual(text, whole))) // a guard's own has all of it as text, too
        said.error.details.issues = issues.filter(one => "suggestion" in one || "example" in one)
            .map(({ parameter, suggestion, example }) => suggestion === undefined ? { parameter, example } : { parameter, suggestion });
    assert.deepEqual(text, said, "structuredContent is what the text says");
    return whole;
}

const textOf = (result) => envelope(result).data.text;

/** Resolves with the first message that a peer gets by `method`. */
function first(peer, method) {
    return new Promise((resolve) => peer.on(method, resolve));
}

/** Waits for a promise, but not for ever; says what did not come. */
function within(ms, promise, what) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`${what} did not come`)), ms)));
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function rejects(promise, code) {
    await assert.rejects(promise, (error) => {
        assert.equal(error.code, code, `${error.message}: code`);
        return true;
    });
}

/** Listens for changes, as the era of the peer does it, runs `action`, and returns the notification. */
async function changed(peer, filter, method, action) {
    const told = first(peer, method);
    const subscription = peer.modern ? await peer.client.listen(filter) : undefined;
    await action();
    const params = await within(10_000, told, method);
    await subscription?.close();
    return params;
}

const tools = {
    async "lists tools, each with a schema"({ client }) {
        const { tools } = await client.listTools();
        assert.equal(tools[0].name, "test_simple_text");
        for (const tool of tools) {
            assert.ok(tool.description, tool.name);
            assert.equal(tool.inputSchema.type, "object", tool.name);
        }
        assert.ok(tools.find(({ name }) => name === "test_division").outputSchema);
    },
    async "calls a tool"(peer) {
        assert.equal(textOf(await peer.call("test_simple_text", {})), "This is a simple text response for testing.");
    },
    async "gets data that keeps the outputSchema, which the client checks"(peer) {
        await peer.client.listTools();
        const answer = envelope(await peer.call("test_division", { dividend: 7, divisor: 2 }));
        assert.deepEqual(answer.data, { quotient: 3, remainder: 1 });
    },
    async "gets an error of a tool with an outputSchema as a result"(peer) {
        await peer.client.listTools();
        for (const args of [{ dividend: 7, divisor: 0 }, { dividend: "seven" }, { dividend: 1, divisor: 1, other: 1 }]) {
            const result = await peer.call("test_division", args);
            assert.equal(result.isError, true, JSON.stringify(args));
            assert.equal(envelope(result).error.code, "VALIDATION_ERROR");
        }
    },
    async "gets an error that the handler made"(peer) {
        const result = await peer.call("test_error_handling", {});
        assert.equal(result.isError, true);
        assert.match(envelope(result).error.message, /intentionally/);
    },
    async "is told that there is no such tool"(peer) {
        await rejects(peer.call("test_nothing", {}), -32602);
    },
    async "gets pictures, sound, resources and links"(peer) {
        const types = async (name) => (await peer.call(name, {})).content.map(({ type }) => type);
        assert.deepEqual(await types("test_image_content"), ["text", "image"]);
        assert.deepEqual(await types("test_audio_content"), ["text", "audio"]);
        assert.deepEqual(await types("test_multiple_content_types"), ["text", "image", "resource", "resource_link"]);
    },
    async "sends an argument that is also a header"(peer) {
        await peer.client.listTools();
        assert.equal(textOf(await peer.call("test_x_mcp_header", { region: "Zürich 🏔" })), "Region: Zürich 🏔");
    },
    async "is judged by a JSON Schema"(peer) {
        const good = await peer.call("json_schema_2020_12_tool", { name: "Ada", email: "ada@example.com" });
        assert.equal(textOf(good), "Contact: Ada");
        assert.equal((await peer.call("json_schema_2020_12_tool", { contactMethod: "phone" })).isError, true);
    },
};

const running = {
    async "hears of progress"(peer) {
        const seen = [];
        const onprogress = ({ progress, total }) => seen.push([progress, total]);
        await peer.call("test_tool_with_progress", {}, { onprogress });
        assert.deepEqual(seen, [[0, 100], [50, 100], [100, 100]]);
    },
    async "hears log lines, of the level that it asked for"(peer) {
        const seen = [];
        peer.on("notifications/message", ({ level, data }) => seen.push([level, data]));
        const call = (level) => peer.modern
            ? peer.client.callTool({ name: "test_tool_with_logging", arguments: {},
                _meta: { "io.modelcontextprotocol/logLevel": level } })
            : peer.client.setLoggingLevel(level).then(() => peer.call("test_tool_with_logging", {}));
        await call("warning");
        assert.deepEqual(seen, []);
        await call("info");
        assert.equal(seen.length, 3);
        assert.equal(seen[0][0], "info");
        assert.match(JSON.stringify(seen[2][1]), /Tool execution completed/);
    },
    async "cancels a call, and the handler ends"(peer) {
        const count = async () => Number(textOf(await peer.call("test_cancelled_calls", {})));
        const before = await count();
        const stop = new AbortController();
        const started = new Promise((resolve) => {
            const options = { signal: stop.signal, onprogress: resolve, timeout: 60_000 };
            peer.call("slow_compute", { seconds: 60 }, options).then(
                () => resolve(new Error("it was not cancelled")), resolve);
        });
        assert.ok(!((await within(10_000, started, "progress")) instanceof Error));
        stop.abort("no longer wanted");
        // A guard keeps other calls of a client without a name away from the server that may still work on this one, for 30 s.
        const end = Date.now() + (process.env.TENON_TEST_GUARDED ? 60_000 : 10_000);
        while ((await count()) <= before) {
            assert.ok(Date.now() < end, "the handler did not see that it was cancelled");
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    },
    async "runs several calls at once"(peer) {
        const all = Array.from({ length: 8 }, (_, i) => peer.call("slow_compute", { seconds: 0.05, label: `n${i}` }));
        (await Promise.all(all)).forEach((result, i) => assert.match(textOf(result), new RegExp(`n${i} `)));
    },
};

const accept = (content) => async () => ({ action: "accept", content });

const asking = {
    async "fills in a form"(peer) {
        let asked;
        peer.on("elicitation/create", (params) => {
            asked = params;
            return { action: "accept", content: { username: "ada", email: "ada@example.com" } };
        });
        assert.equal(textOf(await peer.call("test_elicitation", { message: "Who?" })),
            "User response: ada <ada@example.com>");
        assert.equal(asked.message, "Who?");
        assert.deepEqual(asked.requestedSchema.required, ["username", "email"]);
    },
    async "declines a form, or goes away from it"(peer) {
        for (const action of ["decline", "cancel"]) {
            peer.on("elicitation/create", async () => ({ action }));
            const result = await peer.call("test_elicitation", { message: "Who?" });
            assert.equal(result.isError, true, action);
            assert.equal(envelope(result).error.code, "DENIED", action);
        }
    },
    async "sees the defaults and choices of a form"(peer) {
        let schema;
        peer.on("elicitation/create", (params) => {
            schema = params.requestedSchema;
            return { action: "accept", content: { name: "Ada", age: 36, score: 1.5, status: "pending", verified: false } };
        });
        assert.match(textOf(await peer.call("test_elicitation_sep1034_defaults", {})), /Ada, 36, 1.5, pending, not verified/);
        assert.deepEqual(Object.entries(schema.properties).map(([name, { default: value }]) => [name, value]),
            [["name", "John Doe"], ["age", 30], ["score", 95.5], ["status", "active"], ["verified", true]]);
    },
    async "asks its model"(peer) {
        let asked;
        peer.on("sampling/createMessage", ({ messages }) => {
            asked = [messages[0].content].flat()[0].text;
            return { role: "assistant", model: "none", content: { type: "text", text: "Paris" } };
        });
        assert.equal(textOf(await peer.call("test_sampling", { prompt: "What's \"the\"\ncapital?" })), "LLM response: Paris");
        assert.equal(asked, "What's \"the\"\ncapital?");
    },
    async "lists its roots"(peer) {
        peer.on("roots/list", async () => ({ roots: [{ uri: "file:///a" }, { uri: "file:///b" }] }));
        assert.equal(textOf(await peer.call("test_input_required_result_list_roots", {})),
            "2 roots, the first is file:///a");
    },
    async "answers two questions, one after the other"(peer) {
        const answers = [{ name: "Ada" }, { color: "blue" }];
        peer.on("elicitation/create", async () => ({ action: "accept", content: answers.shift() }));
        assert.equal(textOf(await peer.call("test_input_required_result_multi_round", {})), "Ada likes blue.");
    },
    async "answers three questions at once"(peer) {
        peer.on("elicitation/create", accept({ name: "Ada" }));
        peer.on("sampling/createMessage", async () =>
            ({ role: "assistant", model: "none", content: { type: "text", text: "Hello," } }));
        peer.on("roots/list", async () => ({ roots: [] }));
        assert.equal(textOf(await peer.call("test_input_required_result_multiple_inputs", {})), "Hello, Ada (0 roots)");
    },
};

const offered = {
    async "lists and reads resources"({ client }) {
        const { resources } = await client.listResources();
        assert.deepEqual(resources.map(({ uri }) => uri),
            ["test://static-text", "test://static-binary", "test://watched-resource", "skill://write-reports/SKILL.md",
                "skill://greeting/SKILL.md"]);
        const [text] = (await client.readResource({ uri: "test://static-text" })).contents;
        assert.equal(text.text, "This is the content of the static text resource.");
        assert.equal(text.mimeType, "text/plain");
        const [binary] = (await client.readResource({ uri: "test://static-binary" })).contents;
        assert.match(Buffer.from(binary.blob, "base64").toString("latin1"), /^\x89PNG/);
    },
    async "reads a resource of a template"({ client }) {
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.equal(resourceTemplates[0].uriTemplate, "test://template/{id}/data");
        const [item] = (await client.readResource({ uri: "test://template/123/data" })).contents;
        assert.equal(item.uri, "test://template/123/data");
        assert.equal(JSON.parse(item.text).id, "123");
    },
    async "is told that there is no such resource"({ client, modern }) {
        // legacy servers say -32002, which the newer client shows as what it became
        await assert.rejects(client.readResource({ uri: "test://nothing" }),
            ({ code }) => code === -32602 || (!modern && code === -32002));
        await assert.rejects(client.readResource({ uri: "test://template/none/data" }));
    },
    async "lists and gets prompts"({ client }) {
        const { prompts } = await client.listPrompts();
        const { arguments: args } = prompts.find(({ name }) => name === "test_prompt_with_arguments");
        assert.deepEqual(args.map(({ name, required }) => [name, required]), [["arg1", true], ["arg2", true]]);
        const prompt = (name, more) => client.getPrompt({ name, ...more });
        const { messages } = await prompt("test_prompt_with_arguments", { arguments: { arg1: "a", arg2: "b" } });
        assert.deepEqual(messages, [{ role: "user",
            content: { type: "text", text: "Prompt with arguments: arg1='a', arg2='b'" } }]);
        assert.deepEqual((await prompt("test_prompt_with_image")).messages.map(({ content }) => content.type),
            ["image", "text"]);
        const uri = { arguments: { resourceUri: "test://x" } };
        assert.equal((await prompt("test_prompt_with_embedded_resource", uri)).messages[0].content.resource.uri, "test://x");
    },
    async "is told what is wrong with a prompt"({ client }) {
        await rejects(client.getPrompt({ name: "test_nothing" }), -32602);
        await rejects(client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a" } }), -32602);
    },
    async "is asked by a prompt"(peer) {
        peer.on("elicitation/create", accept({ context: "tests" }));
        const { messages } = await peer.client.getPrompt({ name: "test_input_required_result_prompt" });
        assert.equal(messages[0].content.text, "Use this context: tests");
    },
    async "completes arguments and variables"({ client }) {
        const complete = async (ref, name, value) =>
            (await client.complete({ ref, argument: { name, value } })).completion.values;
        assert.deepEqual(await complete({ type: "ref/prompt", name: "test_prompt_with_arguments" }, "arg1", "par"),
            ["paris", "park", "party"]);
        assert.deepEqual(await complete({ type: "ref/resource", uri: "test://template/{id}/data" }, "id", "12"),
            ["12", "123"]);
    },
};

const changes = {
    async "hears that lists change"(peer) {
        await changed(peer, { toolsListChanged: true }, "notifications/tools/list_changed",
            () => peer.call("test_trigger_tool_change", {}));
        await changed(peer, { promptsListChanged: true }, "notifications/prompts/list_changed",
            () => peer.call("test_trigger_prompt_change", {}));
    },
    async "hears that a resource changes, if it subscribed"(peer) {
        const uri = "test://watched-resource";
        if (!peer.modern)
            await peer.client.subscribeResource({ uri });
        const params = await changed(peer, { resourceSubscriptions: [uri] }, "notifications/resources/updated",
            () => peer.call("test_trigger_resource_update", {}));
        assert.equal(params.uri, uri);
        if (!peer.modern)
            await peer.client.unsubscribeResource({ uri });
    },
    async "is there"({ client, modern }) {
        await (modern ? client.discover() : client.ping());
        assert.equal(client.getServerVersion().name, "tenon-conformance");
        assert.match(client.getInstructions(), /testing/);
    },
};

export const cases = { ...tools, ...running, ...asking, ...offered, ...changes };
