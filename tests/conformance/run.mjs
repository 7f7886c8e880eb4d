// Runs the official conformance suites against the conformance server over HTTP, at every revision they know.
//
//     tests/conformance/run.sh                  all runs, a line each
//     tests/conformance/run.sh --scenario NAME  one scenario of the newest suite, with every check that it made
//
// A failed check fails the test, also of scenarios that the suites do not score (extensions, and scenarios that are
// pending there); warnings are counted and shown. Nothing is expected to fail.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../js/serve.mjs";

const modules = fileURLToPath(new URL("../js/node_modules", import.meta.url));
const newest = join(modules, "@modelcontextprotocol/conformance/dist/index.js");
const older = join(modules, "conformance-0-1/dist/index.js");

const SKILLS = "sep-2640"; // scenarios that skip every check when the extension is not offered

const runs = [
    { name: "2026-07-28", suite: newest, options: ["--requirements", "2026-07-28"] },
    { name: "2025-11-25", suite: newest, options: ["--requirements", "2025-11-25"] },
    { name: "2025-06-18", suite: newest, options: ["--suite", "all", "--spec-version", "2025-06-18"] },
    { name: "2025-03-26", suite: newest, options: ["--suite", "all", "--spec-version", "2025-03-26"] },
    { name: "0.1.16", suite: older, options: ["--suite", "all"] },
];

async function output(suite, options) {
    const child = spawn(process.execPath, [suite, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (data) => (text += data));
    child.stderr.on("data", (data) => (text += data));
    const [code] = await once(child, "close");
    return { code, text };
}

/** The checks that a run left in its directory, with the scenario of each. */
function checksIn(directory) {
    const checks = [];
    for (const name of readdirSync(directory)) {
        const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
        for (const check of JSON.parse(readFileSync(join(directory, name, "checks.json"), "utf8")))
            checks.push({ ...check, scenario });
    }
    return checks;
}

function show(check) {
    const text = (check.errorMessage ?? check.description).replace(/\s+/g, " ");
    console.log(`    ${check.status} ${check.scenario}: ${check.id}: ${text.slice(0, 1000)}`);
}

/** One line for a run, and what was not well; true if nothing failed. */
async function run({ name, suite, options }, url) {
    const directory = mkdtempSync(join(tmpdir(), "tenon-conformance-"));
    const { code, text } = await output(suite, ["server", "--url", url, ...options, "-o", directory]);
    const checks = checksIn(directory);
    rmSync(directory, { recursive: true });

    const of = (status) => checks.filter((check) => check.status === status);
    const left = of("SKIPPED").filter(({ scenario }) => scenario.startsWith(SKILLS)); // the server offers all of it
    const failed = [...of("FAILURE"), ...left];
    const scenarios = new Set(checks.map((check) => check.scenario)).size;
    const fine = code === 0 && failed.length === 0 && of("SUCCESS").length > 0;
    console.log(`${fine ? "ok" : "FAILED"} ${name}: ${scenarios} scenarios, ${of("SUCCESS").length} checks passed, ` +
        `${failed.length} failed, ${of("WARNING").length} warnings, ${of("SKIPPED").length} skipped`);
    [...failed, ...of("WARNING")].forEach(show);
    if (checks.length === 0 || (code !== 0 && failed.length === 0))
        console.log(text);
    return fine;
}

/** A server of its own for what is done with its address; true if that, and its end, were fine. */
async function withServer(action) {
    const server = await serve();
    const fine = await action(server.url);
    const ended = await server.stop();
    if (ended !== 0)
        console.log(`FAILED: the server ended with ${ended}:\n${server.log.slice(-20).join("\n")}`);
    return fine && ended === 0;
}

async function showScenario(url) {
    const { code, text } = await output(newest, ["server", "--url", url, "--verbose", ...process.argv.slice(2)]);
    console.log(text);
    return code === 0;
}

let fine = true;
if (process.argv[2] === "--scenario")
    fine = await withServer(showScenario);
else
    for (const one of runs)
        fine = (await withServer((url) => run(one, url))) && fine;
process.exit(fine ? 0 : 1);
