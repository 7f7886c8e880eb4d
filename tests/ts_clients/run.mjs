// Every case (cases.mjs) over every connection (connect.mjs): both generations of the official client, stdio and HTTP,
// legacy and modern; and the client of the tasks extension (tasks.mjs).
//
//     tests/ts_clients/run.sh [PART]    only connections and cases whose name, "v1 http: calls a tool", has PART in it
import assert from "node:assert/strict";
import { serve } from "../js/serve.mjs";
import { cases as everywhere } from "./cases.mjs";
import { ways } from "./connect.mjs";
import { taskCases } from "./tasks.mjs";

// What a guard does otherwise, with its reason.
const leftOut = process.env.TENON_TEST_GUARDED ? {
    "hears that lists change": "the server changes them and changes them back: what is published does not differ",
    "hears that a resource changes, if it subscribed": "subscriptions do not pass yet",
} : {};

const wanted = process.argv[2] ?? "";
const LIMIT_MS = 90_000;
let passed = 0;
const failures = [];

async function attempt(name, action) {
    let timer;
    const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("it took too long")), LIMIT_MS)));
    try {
        const value = await Promise.race([action(), late]);
        passed++;
        return value;
    } catch (error) {
        failures.push(name);
        console.log(`FAILED ${name}\n    ${error.stack.split("\n").slice(0, 12).join("\n    ")}`);
        return undefined;
    } finally {
        clearTimeout(timer);
    }
}

async function tryAll(way, url) {
    const cases = way.name === "v2 http modern" ? { ...everywhere, ...taskCases(url) } : everywhere;
    const names = Object.keys(cases).filter((name) => `${way.name}: ${name}`.includes(wanted) && !leftOut[name]);
    if (names.length === 0)
        return;
    const peer = await attempt(`${way.name}: connects`, async () => {
        const peer = await way.connect(url);
        const version = peer.client.getNegotiatedProtocolVersion?.() ?? peer.client.transport.protocolVersion;
        assert.equal(version ?? way.version, way.version);
        return peer;
    });
    if (!peer)
        return;
    for (const name of names)
        await attempt(`${way.name}: ${name}`, () => cases[name](peer));
    await attempt(`${way.name}: closes`, () => peer.client.close());
}

Object.entries(leftOut).forEach(([name, why]) => console.log(`left out: ${name} (${why})`));
const server = await serve();
for (const way of ways)
    await tryAll(way, server.url);
const ended = await server.stop();
if (ended !== 0) {
    failures.push("stop");
    console.log(`FAILED: the server ended with ${ended}:\n${server.log.slice(-20).join("\n")}`);
}
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
