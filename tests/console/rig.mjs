// Servers with a console, pages of a browser that complain of everything, and pictures of them; for run.mjs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";

const need = createRequire(new URL("../js/package.json", import.meta.url)); // pinned there
const axe = need("axe-core"), { chromium } = need("playwright-core");

export const here = fileURLToPath(new URL(".", import.meta.url)), root = join(here, "../..");
export const build = process.env.TENON_BUILD_DIR ?? join(root, "build/dev"), tenon = join(build, "bin/tenon");
export const pictures = process.argv.includes("--pictures");
const LOOK = process.env.TENON_CONSOLE_PICTURES; // keeps pictures of everything, to be looked at
export const folder = mkdtempSync(join(tmpdir(), "tenon-console-"));
const PATIENCE = 60_000; // until what hangs has failed; nothing is measured
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"];

/* ---- Servers, requests, pages ---------------------------------------------------------------------------- */

const children = [];
/** Starts a server and waits for the line with its console; stop() ends it as an operator does. */
export const serve = (...flags) => start(tenon, flags);
export async function start(program, flags, more = {}) {
    const child = spawn(program, flags, { stdio: ["pipe", "ignore", "pipe"], cwd: folder, env: { ...process.env, XDG_DATA_HOME: folder, ...more } });
    const server = { child, log: "", exited: once(child, "exit") };
    children.push(child);
    child.stderr.on("data", (data) => { server.log += data; });
    server.link = () => server.log.match(/http:\S+#token=\S+/g)?.at(-1);
    await until("the console's address", () => server.link() ?? (child.exitCode !== null && assert.fail(server.log)));
    server.origin = new URL(server.link()).origin;
    server.url = server.log.match(/listening on (\S+)/)?.[1];
    server.stop = async () => { child.kill("SIGTERM"); const [code] = await server.exited; assert.equal(code, 0, server.log); };
    return server;
}
export async function until(what, ask) {
    for (const end = Date.now() + PATIENCE; Date.now() < end;) { const v = await ask(); if (v) return v; await new Promise((done) => setTimeout(done, 50)); }
    assert.fail(`never: ${what}`);
}
/** One request with headers as they are, which fetch() would not send. */
export const ask = (origin, path, { method = "GET", headers = {}, body } = {}) => new Promise((done, fail) => {
    const url = new URL(origin), r = request({ host: url.hostname, port: url.port, path, method, headers }, (answer) => {
        let text = "";
        answer.on("data", (d) => { text += d; });
        answer.on("end", () => done({ status: answer.statusCode, headers: answer.headers, text }));
    });
    r.on("error", fail);
    r.end(body);
});
export const JSON_TYPE = { "Content-Type": "application/json" };
/** A session as a script would have it: cookie and key. */
export async function enter(server) {
    const token = server.link().split("#token=")[1], a = await ask(server.origin, "/console/session",
        { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ token }) });
    assert.equal(a.status, 200, a.text);
    return { Cookie: a.headers["set-cookie"][0].split(";")[0], "Tenon-Console-Key": JSON.parse(a.text).key, made: a, token };
}
export const message = (name, args) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call",
    params: { name, arguments: args, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {} } } });
export const MCP = (name) => ({ ...JSON_TYPE, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name });
export const call = (url, name, args) => fetch(url, { method: "POST", headers: MCP(name), body: message(name, args) }).then((a) => a.json());

let browser;
/** A page of the console; what a browser complains of, and every address that it asks for, is kept. */
export async function open(server, { path = "" } = {}) {
    const context = await (await (browser ??= chromium.launch({ executablePath: process.env.TENON_CHROMIUM ?? "/usr/bin/chromium",
        args: FLAGS }))).newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.faults = [];
    page.on("console", (m) => { if (m.type() === "error" && !/503|status of 40/.test(m.text())) page.faults.push(m.text()); });
    page.on("pageerror", (e) => page.faults.push(e.stack));
    page.on("request", (r) => { if (!r.url().startsWith(server.origin) && !r.url().startsWith("data:")) page.faults.push("asked for " + r.url()); });
    const before = server.link();
    await page.goto(before);
    await page.waitForSelector("html[data-ready]");
    await until("the next link", () => server.link() !== before);
    if (path) await page.evaluate((h) => { location.hash = h; }, path);
    return page;
}
export const close = async (page) => { assert.deepEqual(page.faults, []); await page.context().close(); };
export const has = (page, text) => page.waitForFunction((t) => document.body.innerText.includes(t), text);
/** WCAG 2.2 AA by axe-core; the policy forbids scripts of others, so that it comes in through the debugger. */
export async function audit(page, name) {
    await page.evaluate(axe.source + "; undefined");
    const found = await page.evaluate(() => window.axe.run(document,
        { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] }).then((r) =>
        r.violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html.slice(0, 160)}`)));
    assert.deepEqual(found, [], name);
}
export async function picture(page, name) {
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(sideways <= 0, `${name} scrolls sideways by ${sideways}`);
    const over = await page.evaluate(() => [...document.querySelectorAll(".panel:not(.scroll), .ask-body, .got-body, .drawer, .list-rows")].filter((e) =>
        e.scrollWidth > e.clientWidth).map((e) => `${e.className}: ${e.scrollWidth} in ${e.clientWidth}`));
    assert.deepEqual(over, [], `${name} is wider than its place`);
    if (!KEPT.has(name) && !LOOK) return;
    mkdirSync(join(folder, "pictures"), { recursive: true });
    const now = await page.screenshot({ path: join(folder, "pictures", name + ".png") });
    if (!KEPT.has(name)) return;
    const file = join(root, "docs/pictures", `console-${name}.png`);
    if (pictures) writeFileSync(file, now);
    const apart = await distance(page, readFileSync(file), now);
    assert.ok(apart < 12, `${name} is not as its picture in docs/pictures: ${apart.toFixed(1)} of 255; --pictures writes it anew`);
}
/** What is shown now, in both schemes and from narrow to wide. */
export async function everywhere(page, name) {
    for (const scheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await audit(page, `${name}, ${scheme}`);
        for (const width of [1280, 1600, 768, 360]) { await page.setViewportSize({ width, height: width === 360 ? 740 : 800 });
            await picture(page, `${name}-${scheme}${width === 1280 ? "" : "-" + width}`); }
        await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}
/** Pictures of the documentation. Numbers, times and fonts differ from one run to the next: layout and colours do not. */
const KEPT = new Set(["overview-dark", "tools-light", "tools-dark", "wrong-light", "guard"]);
/** The mean difference of two pictures, drawn small, so that letters become grey. */
async function distance(page, one, two) {
    const blank = await page.context().newPage();
    const apart = await blank.evaluate(async (sources) => {
        const pixels = await Promise.all(sources.map(async (data) => {
            const image = new Image();
            image.src = "data:image/png;base64," + data;
            await image.decode();
            const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 40 }), pen = canvas.getContext("2d");
            pen.imageSmoothingQuality = "high";
            pen.drawImage(image, 0, 0, 64, 40);
            return pen.getImageData(0, 0, 64, 40).data;
        }));
        return pixels[0].reduce((sum, v, i) => sum + Math.abs(v - pixels[1][i]), 0) / (64 * 40 * 3);
    }, [one, two].map((b) => b.toString("base64")));
    await blank.close();
    return apart;
}

/** Whatever still runs, and what was written. */
export async function end() {
    for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await (await browser)?.close();
    if (LOOK) console.log(`pictures: ${join(folder, "pictures")}`); else rmSync(folder, { recursive: true, force: true });
}
