// The tools of bench/mcp/server.c, for both lines of the TypeScript SDK. BENCH_SHAPE asks for those of the cost curves:
// "tools 100" is a hundred copies of the search, "params 20", "items 1000" and "text 10000" one tool of that size.
import * as z from "zod";

const searchSchema = z.strictObject({
    query: z.string().min(1).max(200).describe("What to look for."),
    limit: z.number().int().min(1).max(100).default(10).describe("Most results."),
    score: z.number().min(0).max(1).default(0.5).describe("Least relevance."),
    archived: z.boolean().default(false).describe("Archived notes, too."),
    level: z.enum(["low", "medium", "high"]).default("medium").describe("How deep."),
    tags: z.array(z.string().min(1).max(30)).max(10).default([]).describe("Only with these tags."),
});

const say = (text) => ({ content: [{ type: "text", text }] });
const search = ({ query, limit, level, tags }) => say(`${query}: ${limit} results at ${level}, ${tags.length} tags.`);
const searchTool = (name) => [
    name, { description: "Search the notes.", annotations: { readOnlyHint: true }, inputSchema: searchSchema }, search,
];
const grownTool = (fields, run) => ["grown", { description: "Grows.", inputSchema: z.strictObject(fields) }, run];
const numbered = (count, make) => Array.from({ length: count }, (_, number) => make(number));

const shapes = {
    tools: (count) => numbered(count, (number) => searchTool(`search_${number}`)),
    params: (count) => [grownTool(
        Object.fromEntries(numbered(count, (number) => [`P${number}`, z.number().int().min(0).max(1000).describe("A number.")])),
        (args) => say(`sum ${Object.values(args).reduce((sum, one) => sum + one, 0)}.`))],
    items: () => [grownTool({ items: z.array(z.string().min(1).max(64)).max(10000).describe("Some texts.") }, ({ items }) => say(`${items.length} items.`))],
    text: () => [grownTool({ text: z.string().min(1).max(1048576).describe("A text.") }, ({ text }) => say(`${text.length} bytes.`))],
};

/** What registerTool takes, for each tool: made once, for servers are made for each request. */
const [what, count] = (process.env.BENCH_SHAPE ?? "").split(" ");
export const tools = what ? shapes[what](Number(count)) : [searchTool("search")];

/** Serves node's (request, response) handler on a free port, and says where. */
export function listen(server) {
    server.listen(0, "127.0.0.1", () => console.error(`listening on http://127.0.0.1:${server.address().port}/mcp`));
}
