// The tool of bench/mcp/server.c, for both lines of the TypeScript SDK.
import * as z from "zod";

export const name = "search";
export const description = "Search the notes.";
export const annotations = { readOnlyHint: true };

export const fields = {
    query: z.string().min(1).max(200).describe("What to look for."),
    limit: z.number().int().min(1).max(100).default(10).describe("Most results."),
    score: z.number().min(0).max(1).default(0.5).describe("Least relevance."),
    archived: z.boolean().default(false).describe("Archived notes, too."),
    level: z.enum(["low", "medium", "high"]).default("medium").describe("How deep."),
    tags: z.array(z.string().min(1).max(30)).max(10).default([]).describe("Only with these tags."),
};

export function search({ query, limit, level, tags }) {
    return { content: [{ type: "text", text: `${query}: ${limit} results at ${level}, ${tags.length} tags.` }] };
}

/** Serves node's (request, response) handler on a free port, and says where. */
export function listen(server) {
    server.listen(0, "127.0.0.1", () => console.error(`listening on http://127.0.0.1:${server.address().port}/mcp`));
}
