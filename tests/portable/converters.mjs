// What the AI SDK's providers send for tools: each line {"id", "provider", "schema"} is answered by one with the parameters of the
// request, or with the words of a refusal. Nothing is sent: the provider is given a fetch of ours.
//
//     converters.mjs FOLDER    where the packages are installed
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const need = createRequire(join(process.argv[2], "package.json")), load = (name) => import(pathToFileURL(need.resolve(name)));
const { generateText, jsonSchema, tool } = await load("ai");
const providers = {
    google: [(await load("@ai-sdk/google")).createGoogleGenerativeAI, "gemini-2.5-pro", (body) => body.tools[0].functionDeclarations[0].parameters],
    openai: [(await load("@ai-sdk/openai")).createOpenAI, "gpt-5", (body) => body.tools[0].strict && body.tools[0].parameters],
    anthropic: [(await load("@ai-sdk/anthropic")).createAnthropic, "claude-sonnet-4-5", (body) => body.tools[0].strict && body.tools[0].input_schema],
};

async function convert(provider, schema) {
    const [create, model, parameters] = providers[provider];
    let sent = null;
    const fetch = async (_, { body }) => { sent = JSON.parse(body); throw new Error("it is not sent"); };
    const one = tool({ description: "A tool.", inputSchema: jsonSchema(schema), ...(provider === "google" ? {} : { strict: true }) });
    try { await generateText({ model: create({ apiKey: "none", fetch })(model), prompt: "Go.", maxRetries: 0, tools: { t: one } }); } catch (e) { if (!sent) throw e; }
    return parameters(sent) ?? {};
}

for await (const line of createInterface({ input: process.stdin })) {
    const { id, provider, schema } = JSON.parse(line);
    const said = await convert(provider, schema).then((converted) => ({ converted }), (e) => ({ refused: String(e.message) }));
    process.stdout.write(JSON.stringify({ id, ...said }) + "\n");
}
