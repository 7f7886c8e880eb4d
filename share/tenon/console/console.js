/* Tenon console. Everything from a server is put into the page as text, never as markup; sizes of bars are attributes of SVG, so
   that the strict content policy needs no inline style. Numbers come from the endpoints below /console, and tools are called at
   /console/mcp, where the page is a client like any other. */

/* ---- Small things */

const $ = (id) => document.getElementById(id), active = () => document.activeElement;
const query = (s) => document.querySelector(s), queryAll = (s) => [...document.querySelectorAll(s)], page = document.documentElement;
const fill = (e, attributes, children) => {
  for (const [k, v] of Object.entries(attributes ?? {})) {
    if (v === false || v == null) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v); else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat(9).filter((c) => c !== false && c != null).map((c) => (typeof c === "string" && e.tagName !== "TEXTAREA" ? visible(c) : c)));
  return e;
};
/* Characters that are not seen, or turn the order of what follows: as their numbers, so that no text reads other than it is. */
const visible = (t) => t.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
  (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
/* Elements: "p.small.muted" is a p with two classes. A button sends no form unless it says so. */
const make = (space) => (tag, attributes, ...children) => {
  const [name, ...classes] = tag.split("."), e = document.createElementNS(space, name);
  if (name === "button") e.type = name;
  return fill(e, classes.length ? { class: classes.join(" "), ...attributes } : attributes, children);
};
const h = make("http://www.w3.org/1999/xhtml"), s = make("http://www.w3.org/2000/svg");
const icon = (name) => s("svg.icon", { "aria-hidden": "true" }, s("use", { href: "#i-" + name }));
const num = (n) => n.toLocaleString("en");
const percent = (part, whole) => (!whole || !part ? "0 %" : part / whole < 0.001 ? "< 0.1 %" : (100 * part / whole).toFixed(1) + " %");
const ms = (v) => (v >= 1000 ? (v / 1000).toFixed(1) + " s" : v >= 100 ? v.toFixed(0) + " ms" : v >= 10 ? v.toFixed(1) + " ms" : v.toFixed(2) + " ms");
const bytes = (n) => (n >= 1048576 ? (n / 1048576).toFixed(1).replace(".0", "") + " MiB" : n >= 1024 ? (n / 1024).toFixed(1) + " KiB" : n + " B");
const time = (t, fraction) => new Date(t).toISOString().slice(11, fraction ? 23 : 19);
const now = () => Date.now() + skew;
const ago = (t) => { const d = (now() - t) / 1000; return d < 60 ? Math.max(0, Math.round(d)) + " s ago" : d < 3600 ? Math.round(d / 60) + " min ago"
  : d < 86400 ? Math.round(d / 3600) + " h ago" : Math.round(d / 86400) + " d ago"; };
const span = (t) => { const d = Math.max(0, (now() - t) / 1000);
  return d < 60 ? Math.round(d) + " s" : d < 3600 ? Math.round(d / 60) + " min" : d < 86400
  ? Math.floor(d / 3600) + " h " + Math.round((d % 3600) / 60) + " min" : Math.floor(d / 86400) + " d " + Math.floor((d % 86400) / 3600) + " h"; };
const kindOf = (outcome) => (outcome === "OK" ? "OK" : /^(VALIDATION_ERROR|DENIED|LIMIT_EXCEEDED|CONFLICT|NOT_FOUND|CANCELLED)$/.test(outcome) ? "refused" : "failed");
const dot = (kind) => h("span", { class: "dot " + ({ OK: "ok", refused: "warn", failed: "bad" }[kind] ?? kind), "aria-hidden": "true" });
const outcome = (o) => h("span", { class: "outcome " + kindOf(o) }, dot(kindOf(o)), o);
const fine = (...words) => h("p.muted.small", {}, ...words), faint = (...words) => h("span.muted", {}, ...words);
const section = (name, ...more) => h("section.block", {}, h("h3", {}, name), ...more);
const none = (title, text, ...more) => h("div.none", {}, h("h2", {}, title), h("p", {}, text), ...more);
const panel = (title, end, ...body) => h("section.panel", { "aria-label": title }, h("div.panel-head", {}, h("h2", {}, title), end && h("span.end.muted", {}, end)), ...body);
const segment = (name, options, value, change, low) => h("div", { class: "seg" + (low ? " low" : ""), role: "radiogroup", "aria-label": name },
  options.map(([v, text]) => h("label", {}, h("input", { type: "radio", name: name.replace(/\W/g, "-"), value: v, checked: v === value, onchange: () => change(v) }), text)));
/* Names may break after an underscore, nowhere else. */
const broken = (name) => name.split(/(?<=_)/).flatMap((w, i) => (i ? [h("wbr"), w] : [w]));
const say = (text) => { $("say").textContent = text; };
const searchField = (words, what, value, change) => h("input", { type: "search", placeholder: words + "  /", "aria-label": "Filter the " + what, "data-filter": true, value,
  oninput: (e) => change(e.target.value) });

const plural = (n, one, more = one + "s") => `${num(n)} ${n === 1 ? one : more}`;
const text = (v) => (typeof v === "string" ? v : JSON.stringify(v));
/* Numbers that would be written otherwise, such as those of 64 bits, stay as they were written. */
const parse = (t) => JSON.parse(t, (k, v, c) => (typeof v === "number" && c?.source && JSON.stringify(v) !== c.source ? JSON.rawJSON(c.source) : v));
const isNumber = (v) => typeof v === "number" || !!JSON.isRawJSON?.(v), copied = (v) => parse(JSON.stringify(v));
const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v) && !isNumber(v);
const decoded = (t) => { try { return decodeURIComponent(t); } catch { return t; } };
const own = (o, k) => Object.hasOwn(o ?? {}, k);
const member = (o, k) => (own(o, k) ? o[k] : undefined); /* names are the server's: "constructor" is one, too */
/* The same with another member; undefined takes it out of an object. */
function having(o, k, v) {
  if (Array.isArray(o)) return Object.assign([...o], { [k]: v });
  return Object.fromEntries(Object.entries({ ...(isObject(o) ? o : {}), ...Object.fromEntries([[k, v]]) }).filter(([, x]) => x !== undefined));
}
const size = (v) => new TextEncoder().encode(JSON.stringify(v)).length;
const safe = (name) => encodeURIComponent(name);

/* ---- State of the page */

let skew = 0, key = "", status = null, off = null, part = "", rest = [];
const got = {};      /* what each endpoint answered last: { data } or { error } */
const calls = [];    /* the newest first */
const kept = { args: {}, answers: {}, view: {}, data: {}, running: {}, filter: "", calls: { filter: "", kind: "all", paused: false, held: 0 }, sort: "count",
  wrong: "", open: new Set(), settings: { filter: "", changed: false } };
const MOST_CALLS = 500, MOST_KEPT = 40, MOST_ROWS = 1000;

/* ---- Asking the server */

class Refused extends Error { constructor(status, words) { super(words); this.status = status; } }

async function get(path) {
  const answer = await fetch("/console/" + path, { cache: "no-store" }), words = await answer.text();
  let body = {};
  try { body = JSON.parse(words); if (body.arguments) body.arguments = parse(words).arguments; } catch { /* it has no body */ }
  if (!answer.ok) throw new Refused(answer.status, body.error ?? answer.statusText);
  return body;
}

async function post(path, body) {
  const answer = await fetch("/console/" + path, { method: "POST", headers: { "Content-Type": "application/json", "Tenon-Console-Key": key }, body: JSON.stringify(body) });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, data.error ?? answer.statusText);
  return data;
}

/* Reads one endpoint into `got`; true when something is new. */
async function read(name) {
  try {
    const data = await get(name), before = got[name];
    got[name] = { data };
    online();
    return !before?.data || JSON.stringify(before.data) !== JSON.stringify(data);
  } catch (e) {
    if (e instanceof Refused && e.status === 401) return signOut(), false;
    const before = got[name];
    if (!(e instanceof Refused)) offline();
    else got[name] = { data: before?.data, error: `GET /console/${name}: ${e.status}, ${e.message}` };
    return e instanceof Refused && !before?.error;
  }
}

const VERSION = "2026-07-28", PREFIX = "io.modelcontextprotocol/";
let asked = 0;

/* One event stream, to its end. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", data = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const lines = rest.split(/\r\n|\n|\r/);
    rest = lines.pop();
    for (const l of lines) {
      if (l.startsWith("data:")) data.push(l.slice(5).replace(/^ /, ""));
      else if (l === "" && data.length) { yield data.join("\n"); data = []; }
    }
  }
}

/* A value that a header repeats: as it is, or in base64 where a header cannot hold it. */
const headerValue = (v) => { const t = text(v); return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(t) && !/^=\?base64\?/i.test(t) ? t
  : `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(t)))}?=`; };

/* A request of MCP. `on` hears of progress and log lines; the answer is { result } or { error }, with its length. */
async function rpc(method, params = {}, { on, signal, headers } = {}) {
  const id = ++asked, meta = { ...params._meta, [PREFIX + "protocolVersion"]: VERSION,
    [PREFIX + "clientInfo"]: { name: "tenon-console", version: status?.tenon ?? "0" },
    [PREFIX + "clientCapabilities"]: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }, [PREFIX + "logLevel"]: "debug", ...(on ? { progressToken: id } : {}) };
  const answer = await fetch("/console/mcp", { method: "POST", signal, body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }),
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "Tenon-Console-Key": key, "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method, ...(params.name ?? params.uri ? { "Mcp-Name": headerValue(params.name ?? params.uri) } : {}), ...headers } });
  const read = /\/(call|read|get)$/.test(method) ? parse : JSON.parse;
  if (answer.status === 401) { signOut(); throw new Refused(401, "The console's session has ended."); }
  if (/event-stream/.test(answer.headers.get("Content-Type"))) {
    for await (const data of events(answer.body)) {
      const m = JSON.parse(data);
      if (m.id === id) return { ...read(data), bytes: data.length };
      on?.(m);
    }
    throw new Error("The answer ended before its last message.");
  }
  const data = await answer.text();
  try { return { ...read(data), bytes: data.length }; } catch { throw new Refused(answer.status, data.slice(0, 200) || answer.statusText); }
}

/* All pages of a list. */
async function list(method, name) {
  const all = [];
  for (let cursor, n = 0; n < 200; n++) {
    const m = await rpc(method, cursor ? { cursor } : {});
    if (m.error) throw new Refused(m.error.code, m.error.message);
    all.push(...(m.result[name] ?? []));
    cursor = m.result.nextCursor;
    if (!cursor) break;
  }
  return all;
}

/* What can be called and read, in `offer`; what a server does not have is empty. */
const offer = { tools: null, resources: null, templates: null, prompts: null, error: null };
async function readOffer() {
  const can = await rpc("server/discover").then((m) => m.result?.capabilities ?? {}, () => ({}));
  try { offer.tools = (await list("tools/list", "tools")).filter((t) => isObject(t) && typeof t.name === "string"); offer.error = null; }
  catch (e) { offer.error = `tools/list: ${e.message}`; if (!(e instanceof Refused)) offline(); }
  for (const [slot, method, name] of [["resources", "resources/list", "resources"], ["templates", "resources/templates/list", "resourceTemplates"],
    ["prompts", "prompts/list", "prompts"]])
    offer[slot] = can[slot === "prompts" ? slot : "resources"] ? await list(method, name).catch(() => []) : [];
}
const statsOf = (name) => got.tools?.data?.tools.find((t) => t.name === name) ?? { calls: 0, refused: 0, failed: 0, p95: 0 };
const waits = (u) => u.state !== "ready" && u.state !== "idle"; /* an idle one starts with the first call */
const upstreams = () => (status?.kind === "guard" ? got.upstreams?.data : null);
const listed = () => JSON.stringify(upstreams()?.upstreams.map((u) => u.listed));
const toReview = () => upstreams()?.changes.filter((c) => !c.kept) ?? [];

/* ---- Connected or not */

let source = null, retry = 0;
function follow() {
  if (source || document.hidden || !status) return;
  source = new EventSource("/console/events");
  source.onmessage = (e) => {
    const c = JSON.parse(e.data);
    if (calls.some((o) => o.id === c.id)) return;
    calls.unshift(c);
    if (calls.length > MOST_CALLS) calls.pop();
    onCall?.(c);
  };
  source.onerror = () => { if (source?.readyState === EventSource.CLOSED) unfollow(); };
}
function unfollow() { source?.close(); source = null; }

function offline() { if (!off) { off = { since: now() }; retry = 0; frame(); } }
function online() { if (off) { off = null; calls.length = 0; unfollow(); follow(); frame(); } }
function signOut() { unfollow(); status = null; key = ""; signIn("This session has ended."); }

/* A part that is still to come, could not be read, or has nothing: the same three everywhere. */
const bones = () => h("div.panel.bones", { "aria-busy": "true", role: "status", "aria-label": "Loading" }, Array.from({ length: 8 }, () => h("div.bone", {})));
const failed = (words) => h("div.panel", {}, h("div.none.bad", { role: "alert" }, h("h2", {}, "This part could not be read"),
  h("p", {}, words.replace(/\.?$/, ". The rest of the page still works.")), h("button.button", { onclick: () => refresh(true) }, "Try again")));
function instead(name, empty) {
  const g = got[name];
  if (g?.error && !g.data) return failed(g.error);
  if (!g) return bones();
  const e = empty?.(g.data);
  return e ? h("div.panel", {}, e) : null;
}

/* ---- Plots */

const H = 64, LEAST = 30; /* seconds that are drawn of a server that has just started */
/* The mean around each second; 15 minutes are smoothed over 25 s, less time over less. */
const around = (n, seconds) => Math.max(1, Math.round((seconds * n) / 900));
const mean = (list, n = around(list.length, 12)) => list.map((_, i) => { const part = list.slice(Math.max(0, i - n), i + n + 1);
  return part.reduce((sum, v) => sum + v, 0) / part.length; });
const line = (list, top, from) => "M" + list.map((v, i) => `${from + i} ${(H - (v / top) * (H - 4)).toFixed(1)}`).join("L");
/* Least and most around each second, as a band behind the mean. */
function band(list, top, from) {
  const n = around(list.length, 5), by = around(list.length, 3), near = (i) => list.slice(Math.max(0, i - n), i + n + 1),
    y = (v) => (H - (Math.min(v, top) / top) * (H - 4)).toFixed(1), up = [], down = [];
  const most = mean(list.map((_, i) => Math.max(...near(i))), 2 * n), least = mean(list.map((_, i) => Math.min(...near(i))), 2 * n);
  for (let i = 0; i < list.length; i += by) { up.push(`${from + i} ${y(most[i])}`); down.unshift(`${from + i} ${y(least[i])}`); }
  return "M" + up.join("L") + "L" + down.join("L") + "Z";
}
function plot(p, data, n, from) {
  const top = (p.top ?? Math.max(...p.lines.flatMap((l) => data[l.key]))) * 1.02 || 1, last = (key) => data[key].at(-1);
  const svg = s("svg", { viewBox: `0 0 ${n} ${H}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${p.name}: ` + p.lines.map((l) => `${l.name ?? ""} now ${p.text(last(l.key))}, most ${p.text(Math.max(...data[l.key]))}`).join("; ") });
  svg.append(s("path.base", { d: `M0 ${H}H${n}` }));
  p.lines.forEach((l, i) => {
    const list = data[l.key].slice(from), smooth = mean(list);
    if (i === (p.band ?? 0)) svg.append(s("path", { class: "area " + (l.tone ?? ""), d: line(smooth, top, from) + `L${n - 1} ${H}L${from} ${H}Z` }),
      s("path", { class: "band " + (l.tone ?? ""), d: band(list, top, from) }));
    svg.append(s("path", { class: l.line + (l.less ? " less" : ""), d: line(smooth, top, from) }));
  });
  const cross = s("path.cross", { d: `M0 0V${H}`, visibility: "hidden" });
  svg.append(cross);
  const now = h("p.plot-now", {});
  const show = (i) => {
    now.replaceChildren(...p.lines.map((l) => h("span", { class: l.less ? "less" : "" }, p.lines.length > 1 && h("span", { class: "key k-" + l.line.slice(2) }),
      p.text(data[l.key][i]), l.name && h("small", {}, l.name))));
    cross.setAttribute("visibility", i === n - 1 ? "hidden" : "visible");
    cross.setAttribute("d", `M${i} 0V${H}`);
  };
  show(n - 1);
  const box = h("figure.plot", {}, h("figcaption.plot-name", {}, p.name, h("span.end", {}, "most " + p.text(Math.max(...data[p.lines.at(-1).most ?? p.lines[0].key])))), now, svg);
  return { box, show };
}
function plots() {
  const whole = got.series.data, up = Math.ceil((whole.end - status.started) / 1000) + 1;
  const n = Math.min(Math.max(up, LEAST), whole.calls.length), from = Math.max(0, n - Math.max(2, up)), window = up > whole.calls.length ? "last 15 minutes" : "since the start";
  const data = Object.fromEntries(Object.entries(whole).map(([k, v]) => [k, Array.isArray(v) ? v.slice(-n) : v])), int = (v) => String(v),
    two = (v) => (v === 0 ? "–" : v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2));
  const all = [
    { name: "Calls per second", text: int, lines: [{ key: "calls", line: "l-a" }] },
    { name: "Response time, ms", text: two, band: 1, top: Math.max(...mean(data.p99)) * 1.1,
      lines: [{ key: "p50", line: "l-b", name: "p50", less: true }, { key: "p95", line: "l-a", name: "p95" }, { key: "p99", line: "l-c", name: "p99", most: "p99" }] },
    { name: "Not OK, per second", text: int, lines: [{ key: "refused", line: "l-warn", name: "refused", tone: "w" }, { key: "failed", line: "l-bad", name: "failed" }] },
    { name: "Calls in flight", text: int, lines: [{ key: "inFlight", line: "l-a" }] },
    { name: `Workers, of ${status.workers}`, text: int, top: Math.max(1, status.workers),
      lines: [{ key: "workersBusy", line: "l-a", name: "busy" }, { key: "workersQueued", line: "l-warn", name: "calls wait" }] },
    { name: "Memory, MiB", text: (v) => v.toFixed(1), top: Math.max(...data.memory) * 1.4, lines: [{ key: "memory", line: "l-a" }] },
  ].map((p) => plot(p, data, n, from));
  const when = h("span", {}, window);
  let at = n - 1;
  const move = (i) => { at = Math.max(0, Math.min(n - 1, i)); all.forEach((p) => p.show(at)); when.textContent = at === n - 1 ? window : "at " + time(data.end - (n - 1 - at) * 1000); };
  const grid = h("div.plots", { tabindex: "0", role: "group", "aria-label": `Plots, ${window}; left and right arrows read them by ten seconds`,
    onmousemove: (e) => { const f = e.target.closest(".plot")?.querySelector("svg")?.getBoundingClientRect(); if (f) move(Math.round(((e.clientX - f.left) / f.width) * (n - 1))); },
    onmouseleave: () => move(n - 1), onblur: () => move(n - 1),
    onkeydown: (e) => { const d = { ArrowLeft: -10, ArrowRight: 10, Home: -n, End: n }[e.key]; if (!d) return; e.preventDefault(); move(at + d);
      say(`${when.textContent}: ${[...grid.querySelectorAll(".plot")].map((f) => f.querySelector("figcaption").firstChild.textContent + " " + f.querySelector(".plot-now").innerText.replace(/\s+/g, " ")).join(", ")}`); },
  }, all.map((p) => p.box));
  return { grid, when };
}
const spark = (list) => { const top = Math.max(4, ...list); return s("svg.spark",
  { viewBox: "0 0 90 20", role: "img", "aria-label": `by minute: ${list.join(", ")}` },
  list.map((v, i) => s("rect", v ? { x: i * 6, y: 20 - Math.max(2, (v / top) * 20), width: 4, height: Math.max(2, (v / top) * 20), rx: 1 }
  : { class: "zero", x: i * 6, y: 19, width: 4, height: 1 }))); };
const bar = (v, top) => s("svg", { viewBox: "0 0 100 3", preserveAspectRatio: "none", "aria-hidden": "true" }, s("rect", { width: (100 * v) / top, height: 3 }));

/* ---- Overview */

const wrongRows = () => got.issues?.data?.rows ?? [];
const example = () => `tenon call ${status.endpoint || "TARGET"} ${offer.tools?.[0]?.name ?? "TOOL"}`;

function overview() {
  const up = upstreams(), late = up?.upstreams.filter(waits) ?? [], review = toReview();
  const head = (when) => h("div.head", {}, h("div.grow", {}, h("h1", {}, "Overview"),
    h("p", {}, `Serving for ${span(status.started)}`, late.length
    ? [" · ", h("a", { href: "#/guard" }, `${late.length} of ${plural(up.upstreams.length, "upstream")} not ready`)] : "",
    review.length ? [" · ", h("a", { href: "#/guard" }, `${plural(review.length, "definition")} to review`)] : "")), when && fine(when));
  const other = instead("series", (d) => !got.issues?.data?.calls && !d.calls.some(Boolean)
    && none("No calls yet", "Numbers appear with the first call. Try one from Tools, or from a terminal:", h("pre", {}, example())));
  if (other) return h("div.screen", {}, head(), other);
  const p = plots(), rows = [...wrongRows()].sort((a, b) => b.count - a.count), most = [...(got.tools?.data?.tools ?? [])].sort((a, b) => b.calls - a.calls).slice(0, 5);
  const top = rows.length ? h("table.stack", {}, h("thead", {},
    h("tr", {}, h("th", {}, "Tool"), h("th", {}, "Parameter"), h("th", {}, "Code"), h("th.n", {}, "Count"), h("th.n.drop", {}, "15 minutes"))),
    h("tbody", {}, rows.slice(0, 7).map((r) => h("tr.open-able", { onclick: () => { kept.open.add(rowKey(r)); location.hash = "#/wrong"; } },
      h("td.code", {}, h("a", { href: "#/wrong" }, broken(r.tool))), h("td.code", {}, r.parameter), h("td", {}, h("span.tag", {}, r.code)),
      h("td.n", {}, num(r.count)), h("td.n.drop", {}, spark(r.recent))))))
    : none("Nothing was wrong", "Parameters that callers get wrong are counted here.");
  const side = up
    ? panel("Upstreams", h("a", { href: "#/guard" }, "All"),
      h("ul.bars", {}, up.upstreams.map((u) => h("li", {}, h("span", {}, dot(waits(u) ? "warn" : u.state === "ready" ? "ok" : "idle"), " ", h("b", {}, u.name),
      " ", faint(u.state)), faint(u.calls ? `p95 ${ms(u.p95)}` : "no calls"),
      h("span.sub", {}, u.words || `${plural(u.published, "tool")}${u.hidden.length ? `, ${u.hidden.length} hidden` : ""} · ${u.era || "not asked yet"} · ${u.restarts ? plural(u.restarts, "restart") : "no restart"}`)))))
    : panel("Most called", h("a", { href: "#/tools" }, "All"),
      h("ul.bars", {}, most.map((t) => h("li", {}, h("a.code", { href: "#/tools/" + safe(t.name) }, t.name), h("span", {}, num(t.calls)), bar(t.calls, most[0].calls)))));
  return h("div.screen", {}, head(p.when), p.grid, h("div.cols", {}, panel("What callers get wrong", h("a", { href: "#/wrong" }, "All"), top),
    h("div.screen-col", {}, side, review.length ? panel("To review", h("a", { href: "#/guard" }, "All"),
    h("ul.bars", {}, review.map((c) => h("li", {}, h("a.code", { href: "#/guard" }, c.published), h("span.tag.warn", {}, c.kind))))) : null)));
}

/* ---- Tools, resources and prompts: the list */

const hints = (t) => { const a = t.annotations ?? {}; return [a.readOnlyHint ? h("span.tag", {}, "read-only") : a.destructiveHint !== false
  ? h("span.tag.bad", {}, "destructive") : h("span.tag", {}, "writes"), a.idempotentHint && !a.readOnlyHint && h("span.tag", {}, "idempotent"),
  a.openWorldHint !== false && h("span.tag", {}, "open world")]; };
const upstreamOf = (name) => (upstreams()?.upstreams ?? []).find((u) => u.prefix && name.startsWith(u.prefix));
const KINDS = { tools: "Tools", resources: "Resources", prompts: "Prompts" };
const things = (kind) => (kind === "resources" ? [...(offer.resources ?? []), ...(offer.templates ?? [])] : offer[kind] ?? []);
const idOf = (kind, t) => (kind === "resources" ? t.uri ?? t.uriTemplate : t.name);
let drawList = null;

function tools() {
  const kind = part, all = things(kind), chosen = all.find((t) => idOf(kind, t) === rest[0]) ?? (kind === "resources" && rest[0]
    ? { uri: rest[0], name: rest[0] } : undefined), rows = h("div.list-rows", {});
  if (offer.error && !offer.tools) return h("div.screen", {}, h("div.head", {}, h("h1", {}, "Tools")), failed(offer.error));
  if (!offer.tools) return h("div.screen", {}, h("div.head", {}, h("h1", {}, "Tools")), bones());
  const draw = () => {
    const shown = all.filter((t) => `${idOf(kind, t)} ${t.title ?? ""} ${t.name}`.toLowerCase().includes(kept.filter.toLowerCase())),
      where = rows.contains(active()) ? active().getAttribute("href") : null;
    let group = null;
    rows.replaceChildren(...shown.slice(0, MOST_ROWS).flatMap((t) => {
      const id = idOf(kind, t), up = kind === "tools" && upstreamOf(id), s = statsOf(id), wrong = s.refused + s.failed;
      const row = h("a.row", { href: `#/${kind}/${safe(id)}`, "data-row": true, "aria-current": t === chosen && "true" },
        h("span.name", {}, broken(up ? id.slice(up.prefix.length) : id)),
          kind === "tools" && !t.annotations?.readOnlyHint && h("span.tag", {}, t.annotations?.destructiveHint !== false ? "destructive" : "writes"),
          kind === "resources" && t.uriTemplate && h("span.tag", {}, "template"),
        h("span.meta", {}, kind === "tools" ? [h("span", {}, s.calls ? plural(s.calls, "call") : "no calls"),
          wrong > 0 && h("span", { class: wrong / s.calls > 0.1 ? "wrong" : "" }, percent(wrong, s.calls) + " not OK")] : h("span", {}, t.title ?? t.name)));
      const head = up && up.name !== group && h("h2", {}, (group = up.name), h("code", {}, up.prefix));
      return [head, row].filter(Boolean);
    }));
    if (shown.length > MOST_ROWS) rows.append(fine(`${num(shown.length - MOST_ROWS)} more: a filter finds them.`));
    const hidden = kind === "tools" ? (upstreams()?.upstreams ?? []).flatMap((u) => u.hidden.map((x) => ({ ...x, name: u.prefix + x.tool }))) : [];
    const held = hidden.filter((x) => x.name.toLowerCase().includes(kept.filter.toLowerCase()));
    if (held.length) rows.append(h("h2", {}, "Hidden"), ...held.map((x) => h("a.row", { href: "#/guard", "data-row": true, title: x.words },
      h("span.name.muted", {}, broken(x.name)), h("span", { class: x.reason === "policy" ? "tag" : "tag warn" }, x.reason))));
    if (!shown.length && !held.length) rows.append(all.length ? none("Nothing fits", `No name has “${kept.filter}” in it.`) : none(`No ${kind}`, "This server publishes none."));
    if (where) [...rows.querySelectorAll("a")].find((a) => a.getAttribute("href") === where)?.focus();
  };
  draw();
  drawList = draw;
  const kinds = Object.keys(KINDS).filter((k) => k === "tools" || things(k).length || k === kind);
  const head = h("div.list-head", {}, h("h1", {}, KINDS[kind] + " ", h("span", {}, num(all.length))),
    kinds.length > 1 && segment("What is shown", kinds.map((k) => [k, KINDS[k]]), kind, (k) => { location.hash = "#/" + k; }, true),
    searchField("Filter", kind, kept.filter, (v) => { kept.filter = v; draw(); }));
  const none2 = () => none(kind === "tools" ? "Choose a tool" : `Choose one of the ${kind}`, "/ filters, j and k move, Enter opens.");
  return h("div", { class: "tools" + (chosen ? " one" : "") }, h("section.list", { "aria-label": KINDS[kind] }, head, rows),
    chosen ? { tools: toolDetail, resources: resourceDetail, prompts: promptDetail }[kind](chosen) : none2());
}

/* ---- What is kept in this browser: calls that were made, and calls that were saved */

const shelf = () => "tenon.console " + status.name;
function shelves() { try { const v = parse(localStorage.getItem(shelf()));
  return { saved: Array.isArray(v?.saved) ? v.saved : [], made: Array.isArray(v?.made) ? v.made : [] }; } catch { return { saved: [], made: [] }; } }
function putShelves(v) { try { localStorage.setItem(shelf(), JSON.stringify(v)); } catch { /* full or forbidden: it is a convenience */ } }
/* Without what a schema calls secret. */
function withoutSecrets(schema, v, root, deep = 0) {
  const x = plain(schema, root), inner = (y, w) => withoutSecrets(y, w, root, deep + 1), there = (w) => w !== undefined;
  if (x.writeOnly || x.format === "password" || deep > 2 * DEEP) return undefined;
  if (x.branches) return x.branches.reduce((left, b) => inner(b, left), v);
  if (Array.isArray(v)) return v.map((w) => inner(x.items, w)).filter(there);
  return isObject(v) ? Object.fromEntries(Object.entries(v).map(([k, w]) => [k, inner(member(x.properties, k) ?? x.additionalProperties, w)]).filter(([, w]) => there(w))) : v;
}
const storable = (tool, args) => withoutSecrets(tool.inputSchema, args, tool.inputSchema) ?? {};
function remember(tool, args, outcome, took) { const s = shelves();
  s.made.unshift({ tool: tool.name, args: storable(tool, args), time: now(), outcome, ms: took }); s.made.length = Math.min(s.made.length, MOST_KEPT); putShelves(s); }
function save(tool, args) { const s = shelves(); s.saved.unshift({ tool: tool.name, args: storable(tool, args), time: now() });
  s.saved.length = Math.min(s.saved.length, MOST_KEPT); putShelves(s); say("Saved"); }

function historyView(tool, use) {
  const s = shelves(), mine = (list) => list.map((e, i) => [e, i]).filter(([e]) => e.tool === tool.name);
  const rows = (name, list, more) => section(name,
    list.length ? h("ul.shelf", {}, list.map(([e, i]) => h("li", {},
    h("p.shelf-head", {}, e.outcome && outcome(e.outcome),
    h("span.muted.small", {}, `${ago(e.time)}${e.ms ? " · " + ms(e.ms) : ""}`),
    h("span.right", {}, h("button.link.small", { onclick: () => use(e.args) }, "Use"), more(e, i))),
    h("pre.shelf-args", {}, JSON.stringify(e.args))))) : fine(
    name === "Saved" ? "“Save” beside Call keeps the arguments here." : "Calls from this page appear here."));
  const drop = (where, i) => { const v = shelves(); v[where].splice(i, 1); putShelves(v); use(null); };
  return h("div", {}, rows("Saved", mine(s.saved), (e, i) => h("button.link.small", { onclick: () => drop("saved", i) }, "Remove")),
    rows("Made from this page", mine(s.made), (e, i) => h("button.link.small", { onclick: () => { save(tool, e.args); use(null); } },
    "Save")), fine("Kept in this browser only, without what a tool declares as secret."));
}

/* ---- A tool: form and answer */

const panes = {}; /* of each, where it is shown now: a page that was left and come back to is drawn anew while a call runs */
function toolDetail(tool) {
  const id = "tool " + tool.name, args = (kept.args[id] ??= Object.create(null)), box = h("div", {}), pane = h("section.got", { "aria-label": "Answer", "aria-live": "polite" });
  const view = () => kept.view[id] ?? "form", setArgs = (v) => { for (const k of Object.keys(args)) delete args[k]; Object.assign(args, copied(v)); picks.delete(args); };
  const drawForm = () => {
    const focus = active()?.id;
    box.replaceChildren(view() === "json" ? jsonView(args, setArgs) : view() === "definition" ? definitionView(tool) : view() === "history"
      ? historyView(tool, (v) => { if (v) { setArgs(v); kept.view[id] = "form"; delete kept.answers[id]; render(); } else drawForm(); })
      : formOf(tool.inputSchema ?? {}, args, kept.answers[id]?.found, drawForm));
    if (focus) $(focus)?.focus();
  };
  const go = async (event) => {
    event?.preventDefault();
    if (kept.running[id] || unfit(box)) return;
    await callTool(tool, id, copied(args), () => answerView(id, panes[id].pane));
    if (part !== "tools" || rest[0] !== tool.name) return;
    panes[id].drawForm();
    const a = kept.answers[id];
    say(a.code === "OK" ? "OK" : a.title ?? a.code);
    if (a.found) panes[id].box.querySelector('[aria-invalid="true"]')?.focus();
  };
  panes[id] = { pane, box, drawForm };
  drawForm(); answerView(id, pane);
  const bytesOf = size(tool), stats = statsOf(tool.name);
  const copy = h("select.copy", { "aria-label": "Show the call as",
    onchange: (e) => { const k = e.target.value; e.target.value = ""; if (k) showText(EXPORTS[k][0], EXPORTS[k][1](tool, args, kept.answers[id])); } },
    h("option", { value: "" }, "Copy as"), Object.entries(EXPORTS).filter(([k]) => k !== "curl" || where()).map(([k, [name]]) => h("option", { value: k }, name)));
  return h("div.detail", {},
    h("form.ask", { onsubmit: go, novalidate: true, id: "ask" },
      h("div.ask-body", {},
        h("div.tool-head", {}, h("p.only-small", {}, h("a.quiet", { href: "#/tools" }, icon("back"), "Tools")),
          h("h1", {}, tool.title ?? tool.annotations?.title ?? tool.name), h("p.name", {}, tool.name), h("p.about", {}, tool.description ?? ""),
          h("p.tags", {}, hints(tool), h("span.muted.small", {}, `${bytes(bytesOf)}, about ${plural(Math.round(bytesOf / 4), "token")}${stats.calls ? ` · p95 ${ms(stats.p95)}` : ""}`))),
        h("div.view", {}, segment("View of " + tool.name, [["form", "Form"], ["json", "JSON"], ["definition", "Definition"], ["history", "History"]], view(),
          (v) => { kept.view[id] = v; drawForm(); }, true), h("button.quiet",
          { onclick: () => { setArgs({}); delete kept.answers[id]; drawForm(); answerView(id, pane); } }, "Clear")),
        box),
      h("div.bar", {}, h("button.main-button", { type: "submit" }, "Call", h("kbd", {}, "Ctrl Enter")),
        h("button.button", { onclick: () => { save(tool, args); if (view() === "history") drawForm(); } }, "Save"), copy)),
    pane);
}

/* What `tenon lint` finds in it, and the definition. What several clients have in common is one line. */
function definitionView(t) {
  const found = h("section.block", { "aria-label": "Findings" }, h("p.muted.small", { role: "status" }, "tenon lint is looking at it."));
  const one = ({ level, place, message, repair, clients }) =>
    h("li", {}, h("span", { class: "tag " + ({ error: "bad", warning: "warn" }[level] ?? "") }, level),
    h("span", {}, place && h("code", {}, place), place && " ", message, clients.map((c) => [" ", h("span.tag", {}, c)]), repair && h("small", {}, repair)));
  post("lint", t).then(({ findings }) => {
    const rows = {};
    for (const { client, ...f } of findings) if (f.rule !== "list-size") (rows[`${f.level} ${f.place} ${f.message}`] ??= { ...f,
      clients: [] }).clients.push(...(client ? [client] : []));
    const order = ["error", "warning", "note"], all = Object.values(rows).sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
    found.replaceChildren(h("h3", {}, all.length ? plural(all.length, "finding") : "No findings"),
      all.length ? h("ul.findings", {}, all.map(one)) : fine("Every known client takes this definition as it is."));
  }, (e) => found.replaceChildren(fine(e.message)));
  return h("div", {}, found, h("pre.raw-text", { tabindex: "0", "aria-label": "Definition as JSON" }, JSON.stringify(t, null, 2)));
}

/* Headers that repeat arguments, for servers that ask for them. */
function paramHeaders(schema, args) {
  const out = {};
  for (const [k, x] of Object.entries(schema?.properties ?? {}))
    if (typeof x?.["x-mcp-header"] === "string" && own(args, k) && args[k] !== null && !Array.isArray(args[k]) && !isObject(args[k])) out["Mcp-Param-" + x["x-mcp-header"]] = headerValue(args[k]);
  return out;
}

/* Calls, and asks what the handler asks, until there is an answer. */
async function callTool(tool, id, args, draw) {
  const run = (kept.running[id] = { stop: new AbortController(), progress: null, log: [], began: performance.now() });
  const on = (m) => {
    if (m.method === "notifications/progress") run.progress = m.params;
    else if (m.method === "notifications/message") { run.log.push(m.params); if (run.log.length > 200) run.log.shift(); }
    draw();
  };
  draw();
  const clock = setInterval(draw, 500);
  let answer, extra = {};
  try {
    for (;;) {
      answer = await rpc("tools/call", { name: tool.name, arguments: args, ...extra }, { on, signal: run.stop.signal, headers: paramHeaders(tool.inputSchema, args) });
      if (answer.result?.resultType !== "input_required") break;
      const responses = await answerQuestions(answer.result.inputRequests ?? {}, tool.title ?? tool.name);
      if (!responses) { answer = { error: { message: "The call was left when it asked for input." }, code: "CANCELLED" }; break; }
      extra = { inputResponses: responses, ...(answer.result.requestState !== undefined ? { requestState: answer.result.requestState } : {}) };
    }
  } catch (e) { answer = { error: { message: run.stop.signal.aborted ? "Cancelled: the server was notified." : e.message },
    code: run.stop.signal.aborted ? "CANCELLED" : "NO_ANSWER" }; if (!(e instanceof Refused) && !run.stop.signal.aborted) offline(); }
  clearInterval(clock);
  delete kept.running[id];
  const a = (kept.answers[id] = understand(answer, performance.now() - run.began));
  a.log = run.log;
  remember(tool, args, a.code, a.ms);
  draw();
  read("tools").then(() => drawList?.());
}

/* An answer in the parts that are shown: Tenon's envelope, where there is one, and content of any server. */
function understand(answer, took) {
  const r = answer.result, out = { ms: took, bytes: answer.bytes ?? 0, raw: r ?? answer.error ?? {}, blocks: [], code: "OK" };
  if (!r) { out.code = answer.code ?? `RPC ${answer.error?.code}`; out.title = answer.error?.message; out.data = answer.error?.data; return out; }
  const all = [r.content, r.contents].find(Array.isArray) ?? [], list = (v) => (Array.isArray(v) ? v : []);
  let s = r.structuredContent;
  if (s === undefined && all.length === 1 && all[0]?.type === "text") { try { const v = parse(all[0].text); if (isObject(v)) s = v; } catch { /* it is text */ } }
  const envelope = isObject(s) && /^(SUCCESS|PARTIAL|ERROR)/.test(s.status) && ("data" in s || "error" in s) ? s : null;
  if (envelope) {
    out.messages = list(envelope.messages); out.data = envelope.data ?? undefined;
    if (envelope.error) { out.code = text(envelope.error.code ?? "ERROR"); out.title = text(envelope.error.message ?? ""); const d = envelope.error.details;
      if (d?.issues) out.found = { issues: list(d.issues).filter(isObject), fieldErrors: d.fieldErrors ?? {} }; else if (d) out.details = d; }
    out.blocks = all.filter((b) => b?.type !== "text");
    return out;
  }
  if (r.isError) out.code = "TOOL_ERROR";
  if (s !== undefined) out.data = s;
  out.blocks = all.filter((b, i) => !(s !== undefined && i === 0 && b?.type === "text" && /^\s*\{/.test(b.text)));
  return out;
}

/* What is no JSON yet is not sent, nor what was there before. */
const fits = (e, words) => { e.setCustomValidity(words); if (words) e.setAttribute("aria-invalid", "true"); else e.removeAttribute("aria-invalid"); };
const unfit = (box) => box.querySelector("textarea:invalid")?.reportValidity() === false;

function jsonView(args, setArgs) {
  const note = h("p.doc.muted.small", { role: "status" }, "The same arguments as in the form. What is not sent is not there; null and \"\" are.");
  return h("div.field", {}, h("label", { for: "json", class: "sr" }, "Arguments as JSON"), h("textarea", { id: "json", rows: 14, spellcheck: "false", oninput: (e) => {
    try { const v = parse(e.target.value); if (!isObject(v)) throw new Error("It is not an object."); setArgs(v); fits(e.target, "");
      note.textContent = "Fits the form."; }
    catch (x) { fits(e.target, x.message); note.textContent = "Not JSON yet; the form keeps what it had. " + x.message; }
  } }, JSON.stringify(args, null, 2)), note);
}

/* ---- The form of a schema */

const DEEP = 8, MANY = 500; /* below it a value is written as JSON; with so many fields, objects are drawn when they are asked for */

/* What a schema says here: references followed, null taken out of its types, allOf put together. */
let work = 0; /* so that a schema that refers to itself in many places ends, too */
function plain(schema, root, steps = 0) {
  if (!steps) work = 2000;
  if (work-- < 0) return {};
  let x = isObject(schema) ? schema : {};
  if (typeof x.$ref === "string" && steps < 20) {
    const target = x.$ref.startsWith("#") ? x.$ref.slice(1).split("/").slice(1).reduce((o, k) =>
      (isObject(o) || Array.isArray(o) ? o[decoded(k).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), root) : undefined;
    const { $ref, ...more } = x;
    return plain({ ...(isObject(target) ? target : x.$ref === "#" ? root : {}), ...more }, root, steps + 1);
  }
  if (Array.isArray(x.allOf) && steps < 20) {
    const { allOf, ...more } = x;
    x = allOf.map((s) => plain(s, root, steps + 1)).concat(more).reduce((a, b) =>
      ({ ...a, ...b, ...(a.properties || b.properties ? { properties: { ...a.properties, ...b.properties } } : {}),
      ...(a.required || b.required ? { required: [...(a.required ?? []), ...(b.required ?? [])] } : {}) }), {});
  }
  for (const word of ["anyOf", "oneOf"]) {
    if (!Array.isArray(x[word])) continue;
    const branches = x[word].map((s) => plain(s, root, steps + 1)).filter((s) => s.type !== "null"), nullable = branches.length < x[word].length, { [word]: _, ...more } = x;
    if (branches.every((s) => s.const !== undefined && !s.properties)) return plain({ ...more, enum: branches.map((s) => s.const),
      enumNames: branches.map((s) => s.title), nullable }, root, steps + 1);
    if (branches.length === 1) return { ...branches[0], ...more, nullable: nullable || branches[0].nullable };
    return { ...more, branches, nullable };
  }
  if (Array.isArray(x.type)) {
    const types = x.type.filter((t) => t !== "null"), nullable = types.length < x.type.length;
    return types.length === 1 ? { ...x, type: types[0], nullable } : { ...x, type: undefined, nullable, branches: types.map((t) => ({ ...x, type: t, title: t })) };
  }
  if (x.enum?.includes?.(null)) return { ...x, enum: x.enum.filter((v) => v !== null),
    enumNames: null, nullable: true };
  return x.type || !x.properties ? x : { ...x, type: "object" };
}

const branchName = (b, i) => { const tag = Object.entries(b.properties ?? {}).find(([, y]) => y?.const !== undefined);
  return b.title ?? (tag ? `${tag[0]}: ${text(tag[1].const)}` : b.const !== undefined ? text(b.const) : b.type ? kindWords(b) : `form ${i + 1}`); };
/* A value of an enum, with the name that the schema gives it. */
const valueName = (x, v, i) => { const name = x.enumNames?.[i]; return typeof name === "string" && name !== v ? `${name} (${text(v)})` : text(v) === "" ? '""' : text(v); };
const kindOfValue = (v) => (v === null ? "null" : Array.isArray(v) ? "array" : isNumber(v) ? "number" : typeof v);
/* The branch that a value is of: by its constants, then by its type and members. */
function branchOf(branches, value, root) {
  const score = (b) => {
    const x = plain(b, root), type = kindOfValue(value);
    if (value === undefined) return 0;
    if (x.const !== undefined) return x.const === value ? 9 : -9;
    if (x.enum) return x.enum.includes(value) ? 8 : -1;
    if (x.type && x.type !== type && !(x.type === "integer" && type === "number")) return -9;
    if (x.type === "integer" && !Number.isInteger(Number(text(value)))) return -2;
    if (!isObject(value)) return x.type ? 1 : 0;
    return Object.entries(value).reduce((n, [k, v]) => { const y = own(x.properties, k) && plain(x.properties[k], root);
      return n + (!y ? -1 : y.const !== undefined ? (y.const === v ? 9 : -9) : 1); }, 1);
  };
  return branches.reduce((best, b, i) => (score(b) > score(branches[best]) ? i : best), 0);
}

/* What stands under a name; `at` is a JSON pointer as issues have it. */
const picks = new WeakMap(); /* branches that were chosen, of each form */
const pointer = (k) => String(k).replaceAll("~", "~0").replaceAll("/", "~1");
function form(schema, args, found, redraw) {
  const root = schema, x = plain(schema, root), out = [];
  const issues = (found?.issues ?? []).map((i) => ({ ...i, at: String(i.parameter ?? "").startsWith("/") ? i.parameter : "/" + i.parameter,
    text: found.fieldErrors?.[i.parameter]?.[0] ?? i.message }));
  if (!picks.has(args)) picks.set(args, {});
  const f = { root, found, redraw, drawn: { count: 0 }, pick: picks.get(args),
    issues: (at) => issues.filter((i) => i.at === at || (i.at.startsWith(at + "/") && !i.shown && !issues.exact?.has(i.at))).map((i) => ((i.shown = true), i)) };
  const top = (k, more) => ({ ...f, ...more, at: "/" + pointer(k), depth: 1, get: () => args[k], set: (v) => { if (v === undefined) delete args[k]; else args[k] = v; } });
  const props = x.branches ? x.branches.reduce((all, b) => ({ ...all, ...plain(b, root).properties }), { ...x.properties }) : x.properties ?? {};
  for (const [k, y] of Object.entries(props)) out.push(field(k, y, top(k, { required: x.required?.includes(k) })));
  const more = Object.keys(args).filter((k) => !own(props, k));
  const open = x.additionalProperties !== false && x.additionalProperties !== undefined;
  if (more.length) out.unshift(h("fieldset", {}, h("legend.muted.small", {}, open ? "Sent, beside what is declared" : "Sent, but not declared"),
    more.map((k) => field(k, isObject(x.additionalProperties) ? x.additionalProperties : {}, top(k, { rename: (to) => { args[to] = args[k]; delete args[k]; } })))));
  const left = issues.filter((i) => !i.shown);
  out.unshift(...left.map((i) => issueBox(i, f)));
  return h("div", {}, out.length ? out : fine("This tool takes no arguments."));
}

/* A schema that makes no sense is no reason for a page without a form. */
function formOf(...all) { try { return form(...all); } catch (e) { return none("No form for this schema", `Write the arguments as JSON. ${e.message}`); } }

/* An issue in the server's words, and the one thing that can be done about it. */
function issueBox(i, f) {
  const has = i.suggestion !== undefined ? "suggestion" : i.example !== undefined ? "example" : null, v = has && i[has];
  const use = () => { const deep = i.at.slice((f.at ?? "").length).split("/").slice(1).map((k) => k.replaceAll("~1", "/").replaceAll("~0", "~"));
    f.set(deep.length ? putDeep(f.get(), deep, v) : v); drop(f, i); };
  return h("div.issue", { id: "issue" + i.at.replaceAll("/", "-") }, h("span.code", {}, i.code), h("span", {}, (i.text ?? "").split(/ Valid parameters: /)[0]),
    i.code === "unknown" && i.suggestion && f.rename ? h("button.link", { onclick: () => { f.rename(i.suggestion); drop(f, i); } },
      `Rename to ${i.suggestion}`)
      : has && i.code !== "unknown" && f.set ? h("button.link", { onclick: use }, `${has === "suggestion" ? "Use" : "Use the example"} ${text(v)}`) : null);
}
const putDeep = (o, [k, ...more], v) => having(o, k, more.length ? putDeep(member(o, k), more, v) : v);
function drop(f, issue) { const list = f.found?.issues; if (list) f.found.issues = list.filter((i) => !(i.parameter === issue.parameter && i.code === issue.code)); f.redraw(); }

function kindWords(x) {
  if (x.branches) return `one of ${x.branches.length} forms`;
  if (x.const !== undefined) return "always " + text(x.const);
  if (x.enum) return "one of " + x.enum.length;
  if (x.type === "array") return x.items?.enum ? "any of " + x.items.enum.length : x.items?.type === "object" ? "list of objects" : `list${x.maxItems ? ", up to " + x.maxItems : ""}`;
  if (x.type === "object") return x.properties ? "object" : "map";
  if (x.type === "integer" || x.type === "number") return x.type + (x.minimum !== undefined && x.maximum !== undefined ? ` ${x.minimum} to ${x.maximum}`
    : x.minimum !== undefined ? ` from ${x.minimum}` : x.maximum !== undefined ? ` up to ${x.maximum}` : "");
  if (x.format) return x.format;
  return x.type === "string" && x.maxLength ? `text, up to ${num(x.maxLength)}` : x.type === "string" ? "text" : x.type ?? "any JSON";
}

/* What a value of this kind is before anything is typed. */
const blank = (x, root, deep = 0) => { const y = plain(x, root);
  return y.const !== undefined ? y.const : y.branches && deep < DEEP ? blank(y.branches[0], root, deep + 1) : y.type === "array" ? [] : y.type === "object"
  ? Object.fromEntries((y.required ?? []).flatMap((k) => { const z = plain(y.properties?.[k], root); return z.const !== undefined ? [[k, z.const]] : []; })) : ""; };
const child = (f, k, more) => ({ ...f, ...more, at: `${f.at}/${pointer(k)}`, depth: f.depth + 1, rename: undefined, get: () => member(f.get(), k),
  set: (v) => { const o = having(f.get(), k, v); f.set(!Array.isArray(o) && !Object.keys(o).length && !f.required ? undefined : o); } });

/* The control of a value: { node, group } */
function control(name, x, f, common) {
  const value = f.get(), put = (v, again) => { f.set(v); if (again) f.redraw(); else f.mark?.(); },
    def = x.default === undefined ? "" : Array.isArray(x.default) ? x.default.map(text).join(", ") : text(x.default), id = common.id;
  const any = (note) => h("div", {}, h("textarea", { ...common, rows: 3, spellcheck: "false", placeholder: x.description?.match(/e\.g\. (.*)$/)?.[1] ?? "JSON",
    oninput: (e) => { const t = e.target.value.trim();
    try { put(t ? parse(t) : undefined); fits(e.target, ""); } catch { fits(e.target, "This is not JSON; a text stands in quotes."); } } },
    value === undefined ? "" : JSON.stringify(value, null, 2)), note);
  if (value === null) return { node: h("p.small.muted", {}, "null is sent") };
  if (x.const !== undefined) return { node: h("p.const", {}, h("code", {}, text(x.const)),
    f.required ? null : h("label.check", {}, h("input", { type: "checkbox", ...common, checked: value !== undefined,
    onchange: (e) => put(e.target.checked ? x.const : undefined) }), "sent")), group: true };
  if (x.branches) {
    const at = f.pick[f.at] ?? branchOf(x.branches, value, f.root), inner = plain(x.branches[at], f.root);
    const choice = h("select", { id: id + "-branch", class: "branch", "aria-label": `${name}: which form`,
      onchange: (e) => { f.pick[f.at] = +e.target.value; put(blank(x.branches[e.target.value], f.root), true); } },
      x.branches.map((b, i) => h("option", { value: i, selected: i === at }, branchName(plain(b, f.root), i))));
    if (f.inside > DEEP) return { node: any() };
    const c = control(name, inner, { ...f, inside: (f.inside ?? 0) + 1 }, common);
    return { node: h("div.branches", {}, choice, c.node), group: true };
  }
  if (f.depth > DEEP) return { node: any() };
  if (x.type === "boolean") return { node: segment(id, [["", (f.required ? "not set" : "not sent") + (def ? ` (${def})` : "")], ["true", "true"],
    ["false", "false"]], value === undefined ? "" : String(value), (v) => put(v === "" ? undefined : v === "true"), true), group: true };
  if (x.enum) { const at = x.enum.indexOf(value); return { node: h("select",
    { ...common, onchange: (e) => put(e.target.value === "" ? undefined : e.target.value === "?" ? value : x.enum[+e.target.value]) },
    h("option", { value: "" }, "not sent" + (def ? ` (${def})` : "")),
    x.enum.map((v, i) => h("option", { value: i, selected: i === at }, valueName(x, v, i))),
    value !== undefined && at < 0 && h("option", { value: "?", selected: true }, `${text(value)} (not declared)`)) }; }
  if (x.type === "array") return { node: listControl(name, x, f, id, put), group: true };
  if (x.type === "object" && x.properties) {
    if (value === undefined && f.depth > 1 && (!f.required || f.drawn.count > MANY)) return { node: h("button",
      { class: "link small", id, onclick: () => { put(blank(x, f.root), true); } }, `Write ${name}`), group: true };
    const rest = Object.keys(isObject(value) ? value : {}).filter((k) => !own(x.properties, k));
    return { node: h("div.inside", {}, Object.entries(x.properties).map(([k, y]) => field(k, y, child(f, k, { required: x.required?.includes(k) }))),
      rest.map((k) => field(k, isObject(x.additionalProperties) ? x.additionalProperties : {},
      child(f, k, { rename: (to) => f.set(having(having(f.get(), to, member(f.get(), k)), k)) })))), group: true };
  }
  if (x.type === "object") return { node: mapControl(name, x, f, put), group: true };
  if (x.type === "integer" || x.type === "number") {
    const near = x.minimum !== undefined && x.maximum !== undefined && x.maximum - x.minimum <= 1000 && x.maximum > x.minimum;
    /* The server decides, so anything may be typed. */
    const read = (t) => { try { const v = parse(t); return isNumber(v) ? v : t; } catch { return t; } };
    const input = h("input", { ...common, type: "text", inputmode: "decimal", class: "num mono", value: value === undefined ? "" : text(value), placeholder: def,
      oninput: (e) => { const t = e.target.value.trim(); put(t === "" ? undefined : read(t)); if (slide && t !== "") slide.value = t; } });
    const slide = near && h("input", { type: "range", class: "range", min: x.minimum, max: x.maximum, step: x.type === "integer" ? 1 : "any",
      value: typeof value === "number" ? value : def || x.minimum, "aria-label": `${name}, slider`,
      oninput: (e) => { input.value = e.target.value; put(Number(e.target.value)); } });
    return { node: h("div.control", {}, input, slide) };
  }
  if (x.type !== "string" && (x.type || typeof value !== "string")) return { node: any() };
  /* A line for a text, until it has more than one: they are pasted, or begun with Shift Enter. */
  const secret = x.writeOnly || x.format === "password", lines = (e, t) => { if (secret || !t.includes("\n")) return;
    e.preventDefault(); const i = e.target, at = i.selectionStart;
    put(i.value.slice(0, at) + t + i.value.slice(i.selectionEnd), true); $(id)?.setSelectionRange(at + t.length, at + t.length); };
  const typed = { ...common, placeholder: def || (x.format === "date" ? "YYYY-MM-DD" : ""), oninput: (e) => put(e.target.value === "" ? undefined : e.target.value) };
  if ((x.maxLength > 1000 && !/handle|token|cursor/.test(name)) || /JSON text/.test(x.description ?? "")
    || (typeof value === "string" && value.includes("\n"))) return { node: h("textarea", { ...typed, rows: 2, spellcheck: "false" },
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)) };
  return { node: h("input", { ...typed, type: secret ? "password" : "text", autocomplete: "off", class: "mono",
    onpaste: (e) => lines(e, e.clipboardData.getData("text").replaceAll("\r\n", "\n")), onkeydown: (e) => { if (e.key === "Enter" && e.shiftKey) lines(e, "\n"); }, value: value === undefined ? "" : text(value) }) };
}

function listControl(name, x, f, id, put) {
  const item = plain(x.items, f.root), list = Array.isArray(f.get()) ? f.get() : [];
  if (item.enum) {
    const odd = list.filter((v) => !item.enum.includes(v)), all = [...item.enum, ...odd];
    return h("div.chips", { role: "group", "aria-label": name },
      all.map((v, i) => h("label.chip", {}, h("input", { type: "checkbox", id: `${id}-${i}`, checked: list.includes(v),
      onchange: (e) => { const set = new Set(Array.isArray(f.get()) ? f.get() : []); if (e.target.checked) set.add(v); else set.delete(v);
      put(set.size ? all.filter((k) => set.has(k)) : f.required ? [] : undefined, true); } }), valueName(item, v, i))));
  }
  const remove = (i) => { const o = [...f.get()]; o.splice(i, 1); put(o.length || f.required ? o : undefined, true); };
  return h("div", {}, list.map((v, i) => { const g = child(f, i),
    c = control(`${name} ${i + 1}`, item, g, { id: `${id}-${i}`, "aria-label": `${name} ${i + 1}`, "aria-invalid": f.bad?.has(g.at) && "true" });
    return h("div.item", {}, c.node, h("button.quiet.square", { "aria-label": `Remove ${name} ${i + 1}`, onclick: () => remove(i) }, icon("x"))); }),
    h("button.link.small", { onclick: () => { const at = Array.isArray(f.get()) ? f.get() : [];
      put([...at, blank(x.items, f.root)], true); $(`${id}-${at.length}`)?.focus(); } }, "Add an item"));
}

function mapControl(name, x, f, put) {
  const of = isObject(x.additionalProperties) ? plain(x.additionalProperties, f.root) : {}, pairs = Object.entries(isObject(f.get()) ? f.get() : {});
  const write = (list, again) => put(list.length || f.required ? Object.fromEntries(list) : undefined, again);
  const value = (p, i) => control(`${name}: value ${i + 1}`, of, { ...f, required: true, depth: f.depth + 1, at: `${f.at}/${pointer(p[0])}`, get: () => p[1],
    set: (v) => { p[1] = v ?? (v === null || (of.type && of.type !== "string") ? v : ""); write(pairs); } },
    { id: `m${f.at.replaceAll("/", "-")}-${i}`, "aria-label": `${name}: value of ${p[0]}` }).node;
  return h("div", {}, pairs.map((p, i) => h("div.item.pair", {},
    h("input.mono", { type: "text", value: p[0], "aria-label": `${name}: name ${i + 1}`, oninput: (e) => { p[0] = e.target.value; write(pairs); } }),
    value(p, i), h("button.quiet.square", { "aria-label": `Remove ${p[0]}`,
    onclick: () => { pairs.splice(i, 1); write(pairs, true); } }, icon("x")))),
    h("button.link.small", { onclick: () => write([...pairs, ["", of.type === "string" || !of.type ? "" : blank(of, f.root)]], true) }, "Add a pair"));
}

function field(name, schema, f) {
  f.drawn.count++;
  const x = plain(schema, f.root), id = "f" + f.at.replaceAll("/", "-"), mine = f.issues(f.at), bad = mine.length > 0,
    noted = [x.description && id + "-doc", ...mine.map((i) => "issue" + i.at.replaceAll("/", "-"))].filter(Boolean).join(" ") || false;
  const presence = h("select.presence", { "aria-label": `${name}: sent or not`,
    onchange: (e) => { f.set({ none: undefined, empty: x.type === "array" ? [] : x.type === "object" ? {} : "", null: null,
    value: f.get() ?? (x.type === "array" ? [blank(x.items, f.root)] : blank(x, f.root)) }[e.target.value]); f.redraw(); } });
  const mark = () => { const v = f.get(), n = v === undefined ? "none" : v === null ? "null" : v === "" || (Array.isArray(v) && !v.length)
    || (isObject(v) && !Object.keys(v).length) ? "empty" : "value"; presence.className = "presence" + (n === "none" ? "" : " sent"); presence.value = n; };
  const simple = f.get() !== null && (x.type === "boolean" || x.enum || x.const !== undefined || (x.type === "array" && plain(x.items, f.root).enum)) && !x.nullable;
  const c = control(name, x, { ...f, mark, bad: new Set(mine.map((i) => i.at)) },
    { id, "aria-invalid": bad && "true", "aria-describedby": noted, "aria-required": f.required && "true" });
  const shows = !simple && (!f.required || x.nullable || f.get() === null);
  if (shows) { presence.append(h("option", { value: "none" }, "not sent"), h("option", { value: "value" }, "sent"),
    h("option", { value: "empty" }, x.type === "array" ? "empty list" : x.type === "object" ? "empty object" : "empty text"),
    h("option", { value: "null" }, "null")); mark(); }
  return h("div.field", { role: c.group && "group", "aria-labelledby": c.group && id + "-name" },
    h("div.field-head", {}, c.group ? h("span.label", { id: id + "-name" }, name) : h("label", { for: id, id: id + "-name" }, name),
      f.required && h("span.req", {}, "required"), h("span.kind", {}, x.type || x.enum || x.branches || x.const !== undefined ? kindWords(x) : ""), shows && presence),
    c.node, mine.map((i) => issueBox(i, f)), x.description && h("p.doc", { id: id + "-doc" }, x.description,
      Array.isArray(x.default) && x.default.length ? ` Not sent: ${x.default.map(text).join(", ")}.` : ""));
}

/* ---- Answers */

const TREE_MOST = 200; /* members of one branch that are shown at once */
function tree(value, name, depth = 0) {
  const k = name === undefined ? null : h("span.k", {}, name + ": ");
  if (value === null || typeof value !== "object" || isNumber(value)) return h("div.leaf", {}, k, value?.includes?.("\n")
    ? h("pre.text.v-s", {}, value.slice(0, 20000)) : h("span", { class: typeof value === "string" ? "v-s" : isNumber(value) ? "v-n" : "v-b" }, (JSON.stringify(value) ?? "").slice(0, 20000)));
  const list = Object.entries(value), flat = list.length < 12 ? JSON.stringify(value) : "";
  if (flat && flat.length < 44) return h("div.leaf", {}, k, flat);
  const ul = h("ul", {}), more = (from) => { for (const [n, v] of list.slice(from, from + TREE_MOST)) ul.append(h("li", {}, tree(v, n, depth + 1)));
    if (list.length > from + TREE_MOST) { const b = h("button.link.small", { onclick: () => { b.parentNode.remove(); more(from + TREE_MOST); } }, `${num(list.length - from - TREE_MOST)} more`); ul.append(h("li", {}, b)); } };
  const box = h("details", { open: depth < 3 }, h("summary", {}, k, h("span.k", {}, Array.isArray(value) ? `[${list.length}]` : `{${list.length}}`)), ul);
  if (depth < 3) more(0); else box.addEventListener("toggle", () => { if (!ul.childNodes.length) more(0); });
  return box;
}
const tableOf = (data) => (Array.isArray(data) ? [data] : Object.values(data ?? {})).find((v) => Array.isArray(v) && v.length && v.every(isObject));
const IMAGES = /^image\/(png|jpeg|gif|webp)$/, SOUNDS = /^audio\/[\w.+-]+$/;
const long = (t) => (t.length > 200000 ? t.slice(0, 200000) + `\n… ${num(t.length - 200000)} more characters` : t);

/* One block of content. What is not known is shown as JSON; nothing of it is markup. */
function block(b) {
  if (b?.type === "text") return h("pre.text", {}, long(text(b.text ?? "")));
  if (b?.type === "image" && IMAGES.test(b.mimeType)) return h("img.picture", { src: `data:${b.mimeType};base64,${b.data}`, alt: "Image of the answer" });
  if (b?.type === "audio" && SOUNDS.test(b.mimeType)) return h("audio", { controls: true, src: `data:${b.mimeType};base64,${b.data}`, "aria-label": "Sound of the answer" });
  if (b?.type === "resource_link") return h("p.linked", {}, h("span.tag", {}, "link"), " ", h("a.code", { href: "#/resources/" + safe(b.uri) }, b.uri),
    b.title ?? b.name ? h("span.muted.small", {}, b.title ?? b.name) : null, b.description && h("span.muted.small", {}, b.description));
  const r = b?.type === "resource" ? b.resource : b?.uri !== undefined ? b : null;
  if (r) return h("div.resource", {}, h("p.linked", {}, h("span.tag", {}, r.mimeType ?? "resource"), " ", h("span.code", {}, r.uri)),
    typeof r.text === "string" ? h("pre.text", {}, long(r.text)) : IMAGES.test(r.mimeType)
    ? h("img.picture", { src: `data:${r.mimeType};base64,${r.blob}`, alt: "Picture of the resource" })
    : h("p.small", {}, h("a", { download: String(r.uri).replace(/^.*\//, "") || "resource", href: `data:application/octet-stream;base64,${r.blob ?? ""}` },
      `Save its ${bytes(Math.floor(text(r.blob ?? "").replace(/=+$/, "").length * 3 / 4))}`)));
  return h("div.tree", {}, tree(b));
}

const logLine = (l) => h("li", {}, h("span", { class: "tag" + (/err|crit|alert|emerg/.test(l.level) ? " bad" : l.level === "warning" ? " warn" : "") },
  l.level ?? "log"), h("span", {}, text(l.data ?? "")));

function runningView(id, pane) {
  const run = kept.running[id], p = run.progress, part = p && p.total > 0 ? Math.min(1, p.progress / p.total) : null;
  const words = p?.message ?? (part !== null ? `${num(p.progress)} of ${num(p.total)}` : p ? num(p.progress) : "The server works on it.");
  if (run.body?.parentNode !== pane) pane.replaceChildren(h("div.got-head", {}, h("span.outcome", {}, dot("busy"), "running"), run.took = h("span.muted.small"),
    h("span.right", {}, h("button.button", { id: "cancel", onclick: () => run.stop.abort() }, "Cancel"))), run.body = h("div.got-body"));
  run.took.textContent = ms(performance.now() - run.began); // the button stays: it may be pressed just now
  run.body.replaceChildren(h("div.progress", { role: "progressbar", "aria-label": "Progress", "aria-valuemin": 0, "aria-valuemax": 100,
      "aria-valuenow": part !== null && Math.round(part * 100) }, s("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect.way", { width: 100, height: 4 }), s("rect", { class: part === null ? "done unknown" : "done", width: part === null ? 25 : part * 100,
      height: 4 }))), fine(words), ...(run.log.length ? [section("Log", h("ul.log", {}, run.log.slice(-50).map(logLine)))] : []));
}

function answerView(id, pane) {
  if (kept.running[id]) return runningView(id, pane);
  const a = kept.answers[id];
  if (!a) return pane.replaceChildren(none("No answer yet", "Ctrl Enter calls the tool with what the form has."));
  const rows = tableOf(a.data), view = kept.data[id] ?? "tree", show = (v) => { kept.data[id] = v; answerView(id, pane); }, body = h("div.got-body", {});
  if (view === "raw") body.append(h("pre.raw-text", { tabindex: "0", "aria-label": "Answer as JSON" }, long(JSON.stringify(a.raw, null, 2))));
  else {
    if (a.title) body.append(section(a.title,
      a.found && h("ul.faults", {}, Object.entries(a.found.fieldErrors).flatMap(([p, texts]) =>
      [texts].flat().map((t) => h("li", {}, h("button.link.code", { onclick: () => ($("f-" + p.replace(/^\//, "").replaceAll("/", "-")) ?? $("f-" + p.replace(/^\//, "").split("/")[0]))?.focus() }, p),
      h("p", {}, text(t)))))), a.details && h("div.tree", {}, tree(a.details))));
    if (a.messages?.length) body.append(section("Messages", h("ul.messages", {}, a.messages.map((m) => h("li", {}, text(m))))));
    if (a.data !== undefined && a.data !== null) body.append(section("Data", view === "table" && rows
      ? h("div.scroll.data-table", { tabindex: "0", role: "region", "aria-label": "Data as a table" }, dataTable(rows))
      : h("div.tree", {}, tree(a.data))));
    if (a.blocks.length) body.append(section("Content", a.blocks.map(block)));
    if (a.log?.length) body.append(section("Log", h("ul.log", {}, a.log.slice(-50).map(logLine))));
    if (!body.childNodes.length) body.append(fine("The answer is empty."));
  }
  pane.replaceChildren(h("div.got-head", {}, outcome(a.code), h("span.muted.small", {}, `${ms(a.ms)} · ${bytes(a.bytes)}`),
    h("span.right", { id: "got-view" }, segment("View of the answer", [["tree", "Tree"], ...(rows ? [["table", "Table"]] : []), ["raw", "Raw"]], view, show, true))), body);
}
function dataTable(rows) {
  const keys = [...new Set(rows.slice(0, 500).flatMap((r) => Object.keys(r)))].slice(0, 30);
  return h("table", {}, h("thead", {}, h("tr", {}, keys.map((k) => h("th", {}, k)))),
    h("tbody", {}, rows.slice(0, 500).map((r) => h("tr", {}, keys.map((k) =>
    h("td", { class: isNumber(r[k]) ? "n" : "" }, r[k] === undefined ? "" : text(r[k])))))));
}

/* ---- Questions of a handler */

/* One dialog for each; NULL when the person leaves the call. */
async function answerQuestions(questions, title) {
  const responses = {};
  for (const [k, q] of Object.entries(questions)) {
    const r = q.method === "roots/list" ? { roots: [] } : await askPerson(JSON.parse(JSON.stringify(q)), title);
    if (r === null) return null;
    responses[k] = r;
  }
  return responses;
}

function askPerson(q, title) {
  return new Promise((done) => {
    const d = $("question"), p = q.params ?? {}, args = {}, body = $("question-body"), url = p.mode === "url", sampling = q.method === "sampling/createMessage";
    const schema = isObject(p.requestedSchema) ? p.requestedSchema : {}, asked = !url && !sampling;
    let value = null, found = null;
    const end = (v) => { value = v; d.close(); }, draw = () => body.replaceChildren(formOf(schema, args, found, draw));
    for (const [k, y] of Object.entries(asked ? schema.properties ?? {} : {})) if (y?.default !== undefined) args[k] = y.default;
    $("question-title").textContent = visible(sampling ? `${title} asks a model` : `${title} asks`);
    $("question-text").textContent = visible(p.message ? text(p.message) : sampling ? "The handler needs the answer of a model. There is none here: you write it." : "");
    if (sampling) body.replaceChildren(h("div.tree", {}, tree(p.messages ?? [])),
      h("div.field", {}, h("label", { for: "sample" }, "The model's answer"), h("textarea", { id: "sample", rows: 4, oninput: (e) => { args.text = e.target.value; } })));
    else if (url) body.replaceChildren(h("p", {}, "It is done at this address, which the server chose:"), h("p.code", {}, p.url ?? ""),
      /^https?:\/\//.test(p.url ?? "") ? h("p", {}, h("a.button", { href: p.url, target: "_blank", rel: "noopener noreferrer" }, "Open it"))
      : fine("It is not a web address, and is not opened."));
    else draw();
    $("question-yes").textContent = sampling ? "Answer" : url ? "It is done" : "Accept";
    $("question-no").hidden = sampling;
    $("question-form").onsubmit = (e) => { e.preventDefault();
      if (unfit(body)) return;
      const none = asked && Array.isArray(schema.required) ? schema.required.filter((k) => !own(args, k)) : [];
      if (none.length) { found = { issues: none.map((k) => ({ parameter: k, code: "required", message: "It asks for this." })) };
        draw(); body.querySelector('[aria-invalid="true"]')?.focus(); return; }
      end(sampling ? { role: "assistant", model: "console", stopReason: "endTurn", content: { type: "text", text: args.text ?? "" } } : url
      ? { action: "accept" } : { action: "accept", content: args }); };
    $("question-no").onclick = () => end({ action: "decline" });
    $("question-leave").onclick = () => end(sampling ? null : { action: "cancel" });
    d.onclose = () => done(value ?? (sampling ? null : { action: "cancel" }));
    d.showModal();
    (body.querySelector("input, textarea, select, a") ?? $("question-yes")).focus();
  });
}

/* ---- Resources and prompts */

/* A field whose values a server completes while one types. */
function completed(name, ref, args, about, required) {
  const id = "c-" + name.replace(/\W/g, "-"), options = h("datalist", { id: id + "-list" });
  let turn = 0;
  const ask = async (value) => {
    const mine = ++turn, m = await rpc("completion/complete", { ref, argument: { name, value }, context: { arguments: args } }).catch(() => null);
    if (mine === turn) options.replaceChildren(...(m?.result?.completion?.values ?? []).map((v) => h("option", { value: v })));
  };
  return h("div.field", {}, h("div.field-head", {}, h("label", { for: id }, name), required && h("span.req", {}, "required")),
    h("input", { id, type: "text", class: "mono", list: id + "-list", autocomplete: "off", value: args[name] ?? "", "aria-describedby": about && id + "-doc",
    onfocus: (e) => ask(e.target.value), oninput: (e) => { if (e.target.value === "") delete args[name]; else args[name] = e.target.value; ask(e.target.value);
    } }), options, about && h("p.doc", { id: id + "-doc" }, about));
}

/* The variables of an RFC 6570 template, and the address that they make. */
const variables = (t) => [...t.matchAll(/\{[+#./;?&]?([^}]*)\}/g)].flatMap((m) => m[1].split(",").map((v) => v.replace(/[*:].*$/, "")));
const expand = (t, args) => t.replace(/\{([+#./;?&]?)([^}]*)\}/g, (_, op, names) => {
  const list = names.split(",").map((v) => v.replace(/[*:].*$/, "")).filter((v) => args[v] !== undefined),
    code = (v) => (op === "+" || op === "#" ? encodeURI(v) : encodeURIComponent(v));
  if (!list.length) return "";
  const named = op === "?" || op === "&" || op === ";", first = { "": "", "+": "", "#": "#", ".": ".", "/": "/", ";": ";", "?": "?", "&": "&" }[op],
    between = { ".": ".", "/": "/", ";": ";", "?": "&", "&": "&" }[op] ?? ",";
  return first + list.map((v) => (named ? `${v}=${code(args[v])}` : code(args[v]))).join(between);
});

function simpleDetail(kind, item, id, fields, go, more) {
  const pane = h("section.got", { "aria-label": "Answer", "aria-live": "polite" });
  const submit = async (e) => {
    e?.preventDefault();
    const began = performance.now(), answer = await Promise.resolve().then(go).catch((x) => ({ error: { message: x.message }, code: "NO_ANSWER" }));
    kept.answers[id] = understand(answer, performance.now() - began);
    const a = kept.answers[id];
    if (answer.result?.messages) a.blocks = answer.result.messages.map((m) =>
      ({ type: "text", text: `${m.role}: ${m.content?.type === "text" ? m.content.text : JSON.stringify(m.content)}` }));
    answerView(id, panes[id].pane); say(a.code);
  };
  panes[id] = { pane };
  answerView(id, pane);
  return h("div.detail", {}, h("form.ask", { id: "ask", novalidate: true, onsubmit: submit }, h("div.ask-body", {},
    h("div.tool-head", {}, h("p.only-small", {}, h("a.quiet", { href: "#/" + kind }, icon("back"), KINDS[kind])), h("h1", {}, item.title ?? item.name),
      h("p.name", {}, idOf(kind, item)), h("p.about", {}, item.description ?? ""),
      h("p.tags", {}, item.mimeType && h("span.tag", {}, item.mimeType), item.size !== undefined && h("span.muted.small", {}, bytes(item.size)))), fields, more),
    h("div.bar", {}, h("button.main-button", { type: "submit" }, kind === "prompts" ? "Get" : "Read", h("kbd", {}, "Ctrl Enter")))), pane);
}
function resourceDetail(r) {
  const id = "resource " + idOf("resources", r), args = (kept.args[id] ??= {}), names = r.uriTemplate ? variables(r.uriTemplate) : [];
  return simpleDetail("resources", r, id, names.map((n) => completed(n, { type: "ref/resource", uri: r.uriTemplate }, args)),
    () => rpc("resources/read", { uri: r.uri ?? expand(r.uriTemplate, args) }));
}
function promptDetail(p) {
  const id = "prompt " + p.name, args = (kept.args[id] ??= {});
  return simpleDetail("prompts", p, id, (p.arguments ?? []).map((a) =>
    completed(a.name, { type: "ref/prompt", name: p.name }, args, a.description, a.required)), () => rpc("prompts/get", { name: p.name, arguments: args }));
}

/* ---- The call in other words */

const shell = (t) => `'${t.replaceAll("'", "'\\''")}'`;
const inC = (t) => `"${t.replace(/[\\"]|(?<=\?)\?/g, "\\$&").replace(/\n/g, "\\n").replace(/[^\x20-\x7e]/gu, (c) => [...new TextEncoder().encode(c)].map((b) => "\\" + b.toString(8).padStart(3, "0")).join(""))}"`;
/* Where the tool is for others, too: this server, or the one that `tenon console` is in front of. */
const title = () => only()?.server.replace(/ [^ ]*$/, "") || status.name;
const only = () => { const u = upstreams()?.upstreams ?? []; return u.length === 1 && !u[0].prefix ? u[0] : null; };
const where = () => status.endpoint || (only()?.transport === "HTTP" ? only().target : "");
const behind = () => { const t = only()?.transport === "stdio" ? only().target : ""; return !t ? "" : "-- " + (t.split(" ").length > 2 ? "COMMAND" : t); };
const EXPORTS = {
  call: ["tenon call", (t, args) => ["tenon call", where() || (behind() ? "" : "TARGET"), /^\w[\w.-]*$/.test(t.name) ? t.name : shell(t.name), "--json",
    shell(JSON.stringify(args)), where() ? "" : behind()].filter(Boolean).join(" ")],
  curl: ["curl", (t, args) => `curl ${where()} \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\\n  -H 'MCP-Protocol-Version: ${VERSION}' -H 'Mcp-Method: tools/call' -H ${shell("Mcp-Name: " + headerValue(t.name))} \\\n${Object.entries(paramHeaders(t.inputSchema, args)).map(([k, v]) => `  -H ${shell(`${k}: ${v}`)} \\\n`).join("")}  -d ${shell(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: t.name, arguments: args, _meta: { [PREFIX + "protocolVersion"]: VERSION, [PREFIX + "clientCapabilities"]: {} } } }))}`],
  c: ["C test", (t, args, a) => `/* Of a test that has a probe of the server: see tenon/testing.h. */\nstatic const char *mistake_in_${t.name.replace(/\W/g, "_")}(tenon_probe *probe)\n{\n    return tenon_probe_expect(probe, ${inC(t.name)},\n                              ${inC(JSON.stringify(args))},\n                              ${inC(a && a.code !== "OK" && a.code !== "TOOL_ERROR" ? JSON.stringify({ status: "ERROR", error: { code: a.code } }) : '{"status":"SUCCESS"}')});\n}\n`],
};
function showText(title, words) {
  $("text-title").textContent = title; $("text-body").textContent = words;
  $("text-copy").onclick = async () => { try { await navigator.clipboard.writeText(words); say("Copied"); $("text-copy").textContent = "Copied";
    } catch { getSelection().selectAllChildren($("text-body")); say("Selected: copy it with the keyboard"); } };
  $("text-copy").textContent = "Copy";
  $("text").showModal();
}
/* ---- Calls */

let onCall = null, pauseButton = null;
function callsPart() {
  const k = kept.calls, id = Number(rest[0]) || 0;
  const fits = (c) => (k.kind === "all" || kindOf(c.outcome) === k.kind) && `${c.tool} ${c.caller} ${c.outcome}`.toLowerCase().includes(k.filter.toLowerCase());
  const row = (c, fresh, first = fresh) => h("tr", { class: "open-able" + (c.id === id ? " on" : "") + (fresh ? " new" : ""), onclick: () => { location.hash = "#/calls/" + c.id; } },
    h("td.code.muted.drop", {}, time(c.time, !id)), h("td.by.aside", {}, c.caller || faint("–")),
      h("td.code", {}, h("a.row-link", { "data-row": true, href: "#/calls/" + c.id, tabindex: first && c.id !== id ? "-1" : "0" }, broken(c.tool))),
      h("td.out", {}, outcome(c.outcome)), h("td.n.took", {}, ms(c.ms)),
    h("td.n.drop.aside.muted", {}, c.coerced + c.reformed + c.clamped || ""), h("td.n.drop.aside", {}, c.issues || ""),
      id ? null : [h("td.n.drop.muted", {}, bytes(c.received)), h("td.n.drop.muted", {}, bytes(c.sent))]);
  const body = h("tbody", {});
  const draw = () => { const list = calls.filter(fits); body.replaceChildren(...list.slice(0, 200).map((c, i) => row(c, false, i > 0)));
    empty.hidden = !calls.length || list.length > 0; };
  const empty = none("No call fits", "Change the filter, or wait for the next call.");
  const pause = h("button.button", { "aria-pressed": String(k.paused), onclick: () => { k.paused = !k.paused; k.held = 0; paint(); if (!k.paused) draw(); } });
  const paint = () => { pause.setAttribute("aria-pressed", String(k.paused));
    pause.replaceChildren(k.paused ? (k.held ? `Go on, ${k.held} new` : "Go on") : "Pause", h("kbd", {}, "p")); };
  paint();
  const head = h("div.head", {}, h("div.grow", {}, h("h1", {}, "Calls"), h("p", {}, "The last 500 are kept in memory. Times are UTC, as in the log.")),
    searchField("Tool, caller or outcome", "calls", k.filter, (v) => { k.filter = v; draw(); }), segment("Outcome", [["all", "All"], ["OK", "OK"], ["refused", "Refused"], ["failed", "Failed"]],
    k.kind, (v) => { k.kind = v; draw(); }), pause);
  pauseButton = pause;
  draw();
  const first = none("No calls yet", "They appear here as they end. From a terminal:", h("pre", {}, example()));
  const show = () => { first.hidden = calls.length > 0; empty.hidden = !calls.length || body.children.length > 0; };
  show();
  onCall = (c) => {
    if (k.paused) { k.held++; paint(); return; }
    if (fits(c)) { body.prepend(row(c, true)); while (body.children.length > 200) body.lastChild.remove(); }
    show();
  };
  const table = h("section.panel.scroll", { "aria-label": "Calls" },
    h("table.stack", {}, h("thead", {}, h("tr", {}, h("th.drop", {}, "Time"), h("th.drop.aside", {}, "Caller"), h("th", {}, "Tool"), h("th", {}, "Outcome"),
    h("th.n.took", {}, "Took"), h("th.n.drop.aside", {}, "Repaired"), h("th.n.drop.aside", {}, "Issues"),
    id ? null : [h("th.n.drop", {}, "In"), h("th.n.drop", {}, "Out")])), body), empty, first);
  return h("div", { class: "calls" + (id ? " with" : "") }, h("div.calls-main", {}, h("div.screen", {}, head, table)), id ? drawer(id) : null);
}

/* One call: what is kept of it is read anew, because the table may have less. */
function drawer(id) {
  const c = calls.find((o) => o.id === id), box = h("aside.drawer", { "aria-label": `Call ${id}` }), close = h("a.quiet.square", { href: "#/calls", "aria-label": "Close" }, icon("x"));
  const show = (d) => {
    const facts = [["Caller", d.caller || "not authenticated"], ["Time", time(d.time, true) + " UTC"],
      ["Took", d.upstreamMs ? `${ms(d.ms)}, of it ${ms(d.upstreamMs)} in ${d.upstream}` : d.upstream && kindOf(d.outcome) === "refused"
      ? `${ms(d.ms)}; not sent to ${d.upstream}` : ms(d.ms)], ["Bytes", `${num(d.received)} in, ${num(d.sent)} out`],
      ["Repaired", [d.coerced && `${d.coerced} type`, d.reformed && `${d.reformed} form`, d.clamped && `${d.clamped} range`].filter(Boolean).join(", ") || "nothing"]];
    const known = offer.tools?.some((t) => t.name === d.tool);
    box.replaceChildren(h("div.drawer-head", {}, h("div", {}, h("h2", {}, d.tool), h("p", {}, outcome(d.outcome), " ", h("span.muted.small", {}, `call ${d.id}`))), close),
      h("div.drawer-body", {}, h("dl.facts", {}, facts.map(([n, v]) => [h("dt", {}, n), h("dd", {}, v)])),
        d.found?.length ? section(plural(d.issues, "issue"),
          d.found.map((i) => h("div.issue", {}, h("span.code", {}, i.code), h("span", {}, h("b.mono", {}, i.parameter), " ", i.text)))) : null,
        h("p.actions.left", {}, known && h("a.button", { href: "#/tools/" + safe(d.tool),
          onclick: () => { if (d.arguments) kept.args["tool " + d.tool] = Object.assign(Object.create(null), d.arguments); } },
          d.arguments ? "Open in Tools with its arguments" : "Open in Tools")),
        wireView(d),
        fine(status.auditArguments ? "Arguments are kept because --audit-arguments is on. What a tool declares as secret is never kept."
          : "Arguments are not kept; --audit-arguments keeps them, but for secrets.")));
  };
  if (c) show(c); else box.append(h("div.drawer-head", {}, h("h2", {}, `Call ${id}`), close));
  get("calls/" + id).then(show, (e) => { if (!c) box.append(none("Not kept", e.message)); });
  return box;
}
/* The messages byte for byte, unless the server has hidden something in them. */
function wireView(d) {
  const w = d.wire, secrets = (t) => t.split("[hidden]").flatMap((t, i) => (i ? [h("span.secret", {}, "[hidden]"), t] : [t]));
  const one = (title, head, body, note) => section(title,
    h("pre.wire", { tabindex: "0", "aria-label": title }, head.map(([n, v]) => [h("span.h", {}, n), secrets(v), "\n"]), head.length ? "\n" : "",
    h("span.body", {}, secrets(body))), note && fine(note));
  if (!w) return d.arguments ? one("Arguments", [], JSON.stringify(d.arguments, null, 2)) : null;
  const lines = w.head.split("\n").slice(0, -1).map((l) => { const at = l.indexOf(":") + 2; return [l.slice(0, at), l.slice(at)]; });
  return [one("Request", [["Revision ", w.revision], ...lines], w.request, w.hidden ? "Written anew: secrets are hidden." : w.requestCut && "The rest is cut."),
    one("Answer", w.status ? [["Status ", String(w.status)]] : [], w.answer, w.withheld ? "Left out: it may repeat a secret." : w.answerCut && "The rest is cut.")];
}

/* ---- Wrong arguments */

const rowKey = (r) => `${r.tool} ${r.parameter} ${r.code}`;
function wrongPart() {
  const g = instead("issues"), data = got.issues?.data ?? { calls: 0, refused: 0, rows: [], repairs: [], since: now() },
    byTool = new Map((got.tools?.data?.tools ?? []).map((t) => [t.name, t]));
  const body = h("tbody", {}), columns = [["tool", "Tool"], ["parameter", "Parameter"], ["code", "Code"], ["count", "Count"], ["share", "Of its calls"], ["last", "Last"]];
  const value = (r) => ({ tool: r.tool, parameter: r.parameter, code: r.code, count: -r.count, share: -r.count / (byTool.get(r.tool)?.calls || 1), last: -r.last })[kept.sort];
  const draw = () => {
    const rows = data.rows.filter((r) => rowKey(r).toLowerCase().includes(kept.wrong.toLowerCase())).sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
    const few = !kept.allWrong && !kept.wrong && rows.length > 11;
    all.hidden = !few; all.textContent = `All ${rows.length} rows`;
    body.replaceChildren(...rows.slice(0, few ? 10 : rows.length).flatMap((r, i) => {
      const open = kept.open.has(rowKey(r)), flip = () => { open ? kept.open.delete(rowKey(r)) : kept.open.add(rowKey(r)); draw();
        [...body.querySelectorAll("[data-row]")].find((e) => e.dataset.key === rowKey(r))?.focus(); };
      return [h("tr", { class: "open-able" + (open ? " on" : ""), onclick: flip },
        h("td.code", {}, h("button.row-link", { "data-row": true, "data-key": rowKey(r), "aria-expanded": String(open),
          tabindex: i ? "-1" : "0" }, broken(r.tool))), h("td.code", {}, r.parameter),
          h("td", {}, h("span", { class: "tag" + (r.code === "denied" ? " warn" : "") }, r.code)), h("td.n", {}, num(r.count)),
          h("td.n.drop.muted", {}, percent(r.count, byTool.get(r.tool)?.calls)), h("td.n.drop.muted", {}, ago(r.last)), h("td.n.drop", {}, spark(r.recent))),
      open && h("tr.more", {}, h("td", { colspan: 7 }, h("dl", {}, h("dt", {}, "Answered with"),
        h("dd", {}, r.message || "words of the tool's own, which are not kept"), h("dt", {}, "From"),
        h("dd", {}, r.callers >= 8 ? "8 callers or more" : plural(r.callers, "caller")), help(r) && [h("dt", {}, "What would help"), h("dd", {}, help(r))],
        h("dt", {}, "Try it"), h("dd", {}, h("a", { href: "#/tools/" + safe(r.tool) }, r.tool)))))].filter(Boolean);
    }));
    if (!rows.length) body.append(h("tr", {}, h("td", { colspan: 7 }, none("Nothing fits", "No row has this tool, parameter or code."))));
  };
  const all = h("button.all", { onclick: () => { kept.allWrong = true; draw(); } });
  const heads = h("tr", {});
  const drawHeads = () => heads.replaceChildren(...columns.map(([c, text]) =>
    h("th", { class: (c === "count" || c === "share" || c === "last" ? "n" : "") + (c === "share" || c === "last" ? " drop" : "") },
    h("button.sort", { "aria-pressed": String(kept.sort === c), onclick: () => { kept.sort = c; drawHeads(); draw(); } }, text))),
    h("th.n.drop", {}, "15 minutes"));
  const total = data.repairs.reduce((n, r) => n + r.count, 0);
  const head = h("div.head", {}, h("div.grow", {}, h("h1", {}, "Wrong arguments"),
    h("p", {}, !data.rows.length && !total ? "Nothing was refused or repaired."
    : `${num(data.refused)} of ${plural(data.calls, "call")} ${data.refused === 1 ? "was" : "were"} refused (${percent(data.refused, data.calls)}), ${plural(total, "value")} repaired, in ${span(data.since)}.`)),
    searchField("Tool, parameter or code", "rows", kept.wrong, (v) => { kept.wrong = v; draw(); }));
  if (g) return h("div.screen", {}, head, g);
  if (!data.rows.length && !total) return h("div.screen", {}, head,
    h("div.panel", {}, none("No wrong arguments yet", "When a call is refused for its arguments, the parameter and what was wrong with it are counted here. Values are not kept.")));
  const unknown = data.rows.filter((r) => r.code === "unknown").sort((x, y) => y.count - x.count).slice(0, 12), repairs = [...data.repairs].sort((x, y) => y.count - x.count);
  drawHeads(); draw();
  return h("div.screen", {}, head,
    h("section.panel", { "aria-label": "Rows" }, h("table.stack", {}, h("thead", {}, heads), body), all),
    h("div.pair-cols", {},
      panel("Names that no tool has", "and the nearest one",
        unknown.length ? h("ul.bars", {}, unknown.map((u) => h("li", {}, h("span.code", {}, u.parameter, u.nearest && faint(" → " + u.nearest)),
        h("span", {}, num(u.count)), bar(u.count, unknown[0].count), h("span.sub", {}, u.tool)))) : none("None", "Every name that was sent is declared.")),
      panel("Repaired", "each is reported to its caller", repairs.length
        ? h("ul.bars", {}, repairs.map((r) => h("li", {}, h("span", {}, (REPAIRS[r.kind] ?? [r.kind])[0]), h("span", {}, num(r.count)),
        bar(r.count, repairs[0].count), h("span.sub", {}, (REPAIRS[r.kind] ?? ["", ""])[1]))))
        : none("None", "Values in another form are read as what they mean, and counted here."))),
    fine(`${data.kept} of at most ${data.most} rows are kept; values are never kept, names are cut at 64 bytes.`));
}
const help = (r) => (r.code === "unknown" && r.nearest ? `An alias: .alias = "${r.parameter}" on ${r.nearest} takes this name too.` : r.code === "required"
  ? "A default, or its name in the tool's description." : /^(enum|choice|values)$/.test(r.code)
  ? "The values in the description; callers send what they read there." : /^(date|format|pattern)$/.test(r.code)
  ? "An example in the description: .example is shown with every refusal." : "");
const REPAIRS = { coerced: ["Type", "“5” for 5, “true” for true"], clamped: ["Range", "500 where 100 is the most"],
  arguments_text: ["Arguments as a text", "a JSON text for the object"], text_in_text: ["JSON inside JSON", "a text that holds the value"],
  fence: ["Markdown around JSON", "```json … ```"], wrapper: ["One object around all", "{\"arguments\": {…}}"],
  name: ["Spelling of a name", "page_size for pageSize"], enum_spelling: ["Spelling of a value", "in-progress for IN_PROGRESS"],
  list_of_one: ["A list of one", "[5] for 5"], comma_words: ["A list as a text", "“a, b” for [\"a\", \"b\"]"], map_value: ["A number for a text", "5 for “5” in a map"] };

/* ---- Guard */

/* Lines that are equal, gone or new, by their longest common subsequence; words likewise inside a changed pair. */
/* Long ones are compared from both ends only: the table grows with both lengths. */
function common(a, b) {
  if (a.length * b.length > 4e6) { let p = 0, q = 0; while (p < a.length && p < b.length && a[p] === b[p]) p++;
    while (q < a.length - p && q < b.length - p && a[a.length - 1 - q] === b[b.length - 1 - q]) q++;
    return [...a.slice(0, p).map((l) => ["same", l]), ...a.slice(p, a.length - q).map((l) => ["del", l]), ...b.slice(p, b.length - q).map((l) => ["add", l]),
    ...a.slice(a.length - q).map((l) => ["same", l])]; }
  const n = a.length, m = b.length, t = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1)), out = [];
  for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--) t[i][j] = a[i] === b[j] ? t[i + 1][j + 1] + 1 : Math.max(t[i + 1][j], t[i][j + 1]);
  for (let i = 0, j = 0; i < n || j < m;) if (i < n && j < m && a[i] === b[j]) out.push(["same", a[i++], j++]);
  else if (i < n && (j >= m || t[i + 1][j] >= t[i][j + 1])) out.push(["del", a[i++]]); else out.push(["add", b[j++]]);
  return out;
}
function marked(a, b, side) { return common(a.split(/(\s+|[",])/),
  b.split(/(\s+|[",])/)).filter(([k]) => k === "same" || k === side).map(([k, w]) => (k === "same" || !w.trim() ? w : h("mark", {}, w))); }
function diff(old, now) {
  const lined = (v) => (v ? JSON.stringify(v, null, 2).split("\n").map((l) => l.replace(/,$/, "")) : []), lines = common(lined(old), lined(now)), rows = [];
  // commas at line ends are no change
  let no = 0;
  lines.forEach(([k, words], i) => {
    if (k !== "del") no++;
    if (k === "same" && old && !lines.slice(Math.max(0, i - 2), i + 3).some(([x]) => x !== "same")) { if (rows.at(-1) !== "gap") rows.push("gap"); return; }
    const name = words.match(/^\s*"(\w+)":/)?.[1], pair = name && k !== "same"
      && lines.slice(Math.max(0, i - 3), i + 4).find(([x, y]) => x !== k && x !== "same" && y.match(/^\s*"(\w+)":/)?.[1] === name);
    rows.push(h("div", { class: k }, h("span.no", { "aria-hidden": "true" }, k === "del" ? "" : no),
      h("span.sign", {}, k === "add" ? "+" : k === "del" ? "−" : ""), h("span", {}, pair ? marked(k === "del" ? words : pair[1], k === "del" ? pair[1] : words, k) : words)));
  });
  return h("div.diff", { tabindex: "0", role: "region", "aria-label": "Approved and new definition, line by line" }, rows.map((r) => (r === "gap" ? h("span.skipped", {}, "⋯") : r)));
}

function ask(title, text, yes) { return new Promise((done) => { $("confirm-title").textContent = visible(title); $("confirm-text").textContent = visible(text);
  $("confirm-yes").textContent = yes; const d = $("confirm"); d.returnValue = ""; d.onclose = () => done(d.returnValue === "yes"); d.showModal(); }); }

const hash = (t) => t.replace(/^\w+:/, "").slice(0, 12);
/* Where two definitions differ, as JSON pointers. */
function differences(a, b, at = "") {
  const short = (v) => { const t = JSON.stringify(v); return t.length > 60 ? t.slice(0, 60) + "…" : t; };
  if (isObject(a) && isObject(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => differences(member(a, k), member(b, k), `${at}/${pointer(k)}`));
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  return [[at, a === undefined ? "is new" : b === undefined ? "is gone" : typeof a === "string" && typeof b === "string" && a.length + b.length > 60
    ? "text changed" : `${short(a)} is now ${short(b)}`]];
}
const DIFFERENCES = 12; /* places that are listed; the lines below have all */

function change(c) {
  const on = upstreams().onChange, stays = c.kept || on === "keep",
    button = (name, words, decision) => h("button", { class: name, onclick: (e) => settle(e.target, decision) }, words);
  const settle = async (by, decision) => {
    const keeps = decision === "keep";
    if (!keeps && !(await ask(`Approve ${c.published}?`, `The new definition is written to ${upstreams().lock} as approved by the console, and published to every caller that may use ${c.upstream}.`,
      "Approve"))) return;
    by.disabled = true;
    try { await post("approve", { id: c.id, newHash: c.newHash, decision });
      kept.done = keeps ? `The approved definition of ${c.published} is kept.` : `${c.published} was approved.`; await readOffer(); }
    catch (e) { kept.done = `${c.published}: ${e.message}`; }
    say(kept.done);
    await refresh(true);
  };
  const places = c.old ? differences(c.old, c.new) : [];
  return h("article.panel", { "aria-label": c.published },
    h("div.change-head", {}, h("div", {}, h("h2", {}, c.published, " ", h("span.tag.warn", {}, c.kind)),
      h("p.small.muted", {}, c.approvedBy ? `Approved by ${c.approvedBy} on ${c.approvedAt} as ${hash(c.oldHash)}; now ${hash(c.newHash)}.` : `New: ${hash(c.newHash)}.`))),
    places.length ? h("ul.change-list", {}, places.slice(0, DIFFERENCES).map(([place, words]) => h("li", {}, h("span.mono", {}, place), h("span", {}, words))),
      places.length > DIFFERENCES && h("li", {}, faint(`${places.length - DIFFERENCES} more`))) : null,
    diff(c.old, c.new),
    h("div.change-foot", {}, h("p", {}, c.kind === "new" ? "Hidden until it is approved." : stays
      ? "The approved definition is published; calls must satisfy both." : on === "warn" ? "The new definition is published, with a warning."
      : "Hidden until it is approved. “Keep approved” goes on publishing the old definition; calls must satisfy both."),
      c.kind !== "new" && !stays && button("button", "Keep approved", "keep"), button("main-button", c.kind === "new" ? "Approve" : "Approve the new one", "approve")));
}

function guardPart() {
  const other = instead("upstreams", (d) => !d.upstreams.length && none("No upstreams", "They are named in the configuration file.")), data = upstreams();
  const head = h("div.head", {}, h("div.grow", {}, h("h1", {}, "Guard"),
    data && h("p", {}, `${plural(data.upstreams.length, "upstream")}, ${plural(data.upstreams.reduce((n, u) => n + u.published, 0), "tool")} published, ${data.upstreams.reduce((n, u) => n + u.hidden.length, 0)} hidden.`)));
  if (other) return h("div.screen", {}, head, other);
  const fig = (n, v) => h("dl.fig", {}, h("dt", {}, n), h("dd", {}, v)), todo = toReview(), held = data.changes.filter((c) => c.kept);
  return h("div.screen", {}, head,
    h("section.panel", { "aria-label": "Upstreams" }, data.upstreams.map((u) =>
      h("div.up", {}, h("div", {}, h("p.up-name", {}, dot(waits(u) ? "warn" : u.state === "ready" ? "ok" : "idle"), h("b", {}, u.name),
      h("span", { class: "tag" + (waits(u) ? " warn" : "") }, u.state), h("span.up-target", {}, u.target)),
      u.words && h("p", { class: waits(u) ? "up-words" : "small muted" }, u.words),
      h("p.small.muted", {}, u.server && u.server + " · ", u.transport, u.prefix ? [" · names begin with ", h("code", {}, u.prefix)] : "")),
      fig("Era", u.era || "–"), fig("Restarts", u.restarts), fig("Calls", num(u.calls)), fig("p95", u.calls ? ms(u.p95) : "–"), fig("Guard adds", u.calls ? ms(u.overhead) : "–"),
      h("details", {}, h("summary", {}, `${u.published} published, ${u.hidden.length} hidden`),
        u.hidden.length ? h("ul.reasons", {}, u.hidden.map((x) => h("li", {}, h("span.code", {}, u.prefix + x.tool),
        h("span", { class: "tag" + (x.reason === "policy" ? "" : " warn") }, x.reason), faint(x.words))))
        : fine("Everything it offers is published."))))),
    kept.done ? h("p.small.muted", { role: "status" }, kept.done) : null,
    h("section.section", { "aria-label": "To review" }, h("h2", {}, todo.length ? `${plural(todo.length, "definition")} to review` : "Nothing to review"),
      todo.length ? null : h("p.muted", {}, data.lock ? "Every published definition is one that was approved."
      : "No lock file is in use: definitions are published as they come. tenon pin makes one."), todo.map(change)),
    held.length ? h("section.section", { "aria-label": "Kept" }, h("h2", {}, `${plural(held.length, "approved definition")} kept`), held.map(change)) : null);
}

/* ---- Settings and health */

function settingsPart() {
  const k = kept.settings, body = h("tbody", {});
  const draw = () => body.replaceChildren(...status.settings.flatMap((g) => { const rows = g.rows.filter((r) => r.name.includes(k.filter.toLowerCase())
    && (!k.changed || r.from !== "default")); return rows.length
    ? [h("tr.group", {}, h("td", { colspan: 3 }, g.group)), ...rows.map((r) =>
    h("tr", {}, h("td.code", { title: r.help }, r.name), h("td.code", {},
    r.secret ? h("span.secret", {}, "[secret]") : r.value || faint("not set")),
    h("td", {}, r.from === "default" ? faint("default")
    : [h("span.tag", {}, r.from), " ", h("span.code.muted.drop", {},
    { flag: "--" + r.name, environment: "TENON_" + r.name.toUpperCase().replaceAll("-", "_"), file: r.name + " =", program: "" }[r.from] ?? "")])))] : []; }));
  const head = h("div.head", {}, h("div.grow", {}, h("h1", {}, "Settings and health"),
    h("p", {}, `${status.name} ${status.version}, Tenon ${status.tenon}, serving for ${span(status.started)}`)),
    searchField("Setting", "settings", k.filter, (v) => { k.filter = v; draw(); }));
  const other = instead("status");
  if (other) return h("div.screen", {}, head, other);
  draw();
  const value = (l, v) => (v === null ? "" : l.bytes ? bytes(v) : num(v));
  return h("div.screen", {}, head, h("div.cols", {},
    h("section.panel", { "aria-label": "Settings in force" },
      h("div.panel-head", {}, h("h2", {}, "Settings in force"), h("span.end", {},
      h("label.check", {}, h("input", { type: "checkbox", checked: k.changed, onchange: (e) => { k.changed = e.target.checked; draw(); } }), "Not the default"))),
      h("table.stack", {}, h("thead", {}, h("tr", {}, h("th", {}, "Setting"), h("th", {}, "Value"), h("th", {}, "From"))), body)),
    h("div.screen-col", {},
      panel("Health", status.health === "ok" && status.checks.every((c) => c.ok) ? "all well"
        : plural(Math.max(1, status.checks.filter((c) => !c.ok).length), "check") + " to look at",
        h("ul.checks", {}, status.checks.map((c) => h("li", {}, dot(c.ok ? "ok" : "warn"), h("span", {}, c.name), faint(c.words))))),
      panel("Limits", "since start", h("table", {}, h("thead", {},
        h("tr", {}, h("th", {}, "Limit"), h("th.n", {}, "Now"), h("th.n.drop", {}, "Most"), h("th.n", {}, "Of"), h("th.n", {}, "Hit"))),
        h("tbody", {}, status.limits.map((l) => h("tr", {}, h("td", {}, h("span.code", {}, l.name), h("br", {}), h("span.small.muted", {}, l.words)),
        h("td.n", {}, value(l, l.now)), h("td.n.drop", {}, value(l, l.most)), h("td.n.muted", {}, value(l, l.value)),
        h("td.n", {}, l.hits ? h("span.tag.warn", {}, l.hits) : faint("0"))))))))));
}

/* ---- Frame */

const PARTS = { overview, tools, resources: tools, prompts: tools, calls: callsPart, wrong: wrongPart, guard: guardPart, settings: settingsPart };
const NEEDS = { overview: ["series", "issues", "tools"], tools: ["tools"], resources: [], prompts: [], calls: [], wrong: ["issues", "tools"], guard: [], settings: [] };
const EVERY = { overview: 2000, tools: 5000, resources: 20000, prompts: 20000, calls: 5000, wrong: 2000, guard: 3000, settings: 5000 };
const NAMES = { overview: "Overview", tools: "Tools", resources: "Resources", prompts: "Prompts", calls: "Calls", wrong: "Wrong arguments", guard: "Guard", settings: "Settings" };

function route() {
  [part, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  if (!own(PARTS, part) || (part === "guard" && status.kind !== "guard")) part = "overview";
}

/* The side and the banner: what does not depend on the part. */
function frame() {
  if (!status) return;
  const shown = KINDS[part] ? "tools" : part, n = toReview().length, up = upstreams()?.upstreams ?? [], ready = up.filter((u) => !waits(u)).length,
    ok = status.health === "ok" && ready === up.length;
  for (const a of queryAll(".nav a")) { if (a.dataset.part === shown) a.setAttribute("aria-current", "page"); else a.removeAttribute("aria-current"); }
  document.title = visible(`${rest[0] && KINDS[part] ? rest[0] : NAMES[part]} · ${title()} · Tenon`);
  $("server-name").textContent = visible(title());
  query('[data-part="guard"]').hidden = status.kind !== "guard";
  $("to-review").hidden = !n; $("to-review").textContent = n; $("to-review").title = `${n} to review`;
  page.classList.toggle("off", !!off);
  $("server-state").replaceChildren(...(off ? [dot("bad"), "not connected"]
    : [dot(ok ? "ok" : "warn"), status.health === "stopping" ? "stopping" : up.length && ready < up.length ? `serving, ${ready} of ${up.length} up`
    : status.health === "ok" ? "serving" : "degraded"]));
  $("banner").hidden = !off;
  if (off) $("banner").replaceChildren(dot("warn"), h("span", {},
    `Not connected since ${time(off.since)}. What you see is ${Math.round((now() - off.since) / 1000)} s old; it is tried again every few seconds.`),
    h("button.button", { onclick: () => refresh(true) }, "Try now"));
}

function render() {
  if (!status) return;
  route();
  onCall = drawList = pauseButton = null;
  const focus = active(), where = focus?.id || focus?.dataset?.key, filter = focus?.matches?.("[data-filter]"),
    at = filter ? focus.selectionStart : 0, scroll = $("main").scrollTop;
  let view;
  try { view = PARTS[part](); } catch (e) { view = failed(`It has what cannot be drawn: ${e.message}.`); }
  $("main").replaceChildren(view);
  $("main").scrollTop = scroll;
  frame();
  if (filter) { const f = query("[data-filter]"); f?.focus(); f?.setSelectionRange(at, at); }
  else if (where && focus !== active()) ($(where) ?? queryAll("[data-key]").find((e) => e.dataset.key === where))?.focus();
}

/* Reads what the part needs. A form, an open menu and a plot that is being read stay as they are. */
let reading = false;
async function refresh(now_) {
  if (reading || !status || (document.hidden && !now_)) return;
  reading = true;
  const here = part, names = ["status", ...(NEEDS[part] ?? []), ...(status.kind === "guard" ? ["upstreams"] : [])];
  const changed = (await Promise.all(names.map(read))).map((c, i) => c && names[i] !== "status").some(Boolean);
  reading = false;
  if (!status) return; // signed out meanwhile
  if (got.status?.data) { status = got.status.data; key = status.key; skew = off ? skew : status.now - Date.now(); }
  if (off) { frame(); return; }
  follow();
  const anew = offer.tools && "listed" in offer && offer.listed !== listed(); // a server lists other tools
  if (anew) offer.listed = listed();
  if (offer.error || anew) await readOffer();
  if (here !== part) return;
  const busy = query("dialog[open], .plots:focus, .plots:hover, #main select:focus");
  if (KINDS[part] && drawList && !anew) drawList(); // the form beside it may be typed in just now
  else if (now_ || ((changed || anew || part === "settings") && !busy && part !== "calls")) render();
  frame();
}

/* ---- Coming in */

function signIn(words) {
  page.classList.add("locked");
  $("sign-words").textContent = words;
  $("main").replaceChildren();
  const d = $("sign");
  if (!d.open) d.showModal();
  d.oncancel = (e) => e.preventDefault();
  $("sign-form").onsubmit = async (e) => { e.preventDefault();
    if (await redeem($("sign-token").value.trim().replace(/^.*#token=/, ""))) { d.close(); $("sign-token").value = ""; start(); } };
}
async function redeem(token) {
  try { key = (await post("session", { token })).key; return true; }
  catch (e) { signIn(e.message); return false; }
}
async function start() {
  try { status = await get("status"); } catch (e) { signIn(e instanceof Refused && e.status === 401
    ? "Open the link that the server's log has, or give a token." : `The server does not answer: ${e.message}`); return; }
  key = status.key; skew = status.now - Date.now(); got.status = { data: status };
  page.classList.remove("locked");
  const bare = !location.hash || location.hash.startsWith("#token=");
  if (bare) history.replaceState(null, "", "#/overview");
  render();
  follow();
  await Promise.all([readOffer(), refresh(true)]);
  if (status.kind === "guard") await read("upstreams"); // which the lists have started
  offer.listed = listed();
  if (bare && part === "overview" && got.tools?.data?.tools.length === 0) history.replaceState(null, "", "#/tools"); // nothing to see yet, all to try
  render();
  page.dataset.ready = "true";
}

const theme = (t) => { if (t === "auto") page.removeAttribute("data-theme"); else page.dataset.theme = t;
  $("theme").value = t; try { localStorage.setItem("tenon.console theme", t); } catch { /* it is a convenience */ } };
theme((() => { try { return localStorage.getItem("tenon.console theme") ?? "auto"; } catch { return "auto"; } })());
$("theme").onchange = (e) => theme(e.target.value);
$("help").onclick = () => $("keys").showModal();

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#token=")) { location.reload(); return; }
  if (!status) return;
  const before = part, had = rest.length;
  render();
  if (part !== before) { $("main").scrollTop = 0; $("main").focus({ preventScroll: true }); refresh(true); }
  else if (part === "calls" && had && !rest[0]) query("[data-row]")?.focus();
});
addEventListener("visibilitychange", () => { if (document.hidden) unfollow(); else { follow(); refresh(); } });
addEventListener("keydown", (e) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(active()?.tagName) && !/^(radio|checkbox|range)$/.test(active().type);
  if (query("dialog[open]")) return;
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { const f = $("ask"); if (f) { e.preventDefault(); f.requestSubmit(); } return; }
  if (e.key === "Escape") { if (typing) active().blur(); else if (rest[0] && part === "calls") location.hash = "#/calls"; return; }
  if (typing || e.ctrlKey || e.metaKey || e.altKey || !$("keys-on").checked) return;
  const links = queryAll(".nav a");
  if (/^[1-6]$/.test(e.key)) { const a = links[e.key - 1]; if (a && !a.hidden) location.hash = a.hash; }
  else if (e.key === "/") { e.preventDefault(); query("[data-filter]")?.focus(); }
  else if (e.key === "?") $("keys").showModal();
  else if (e.key === "p" && part === "calls") pauseButton?.click();
  else if (e.key === "j" || e.key === "k" || (/^Arrow(Down|Up)$/.test(e.key) && active()?.matches("[data-row]"))) {
    e.preventDefault();
    const down = e.key === "j" || e.key === "ArrowDown", rows = queryAll("[data-row]"), i = rows.indexOf(active()),
      at = i < 0 ? rows.findIndex((r) => r.matches("[aria-current], .on *")) : i;
    rows[Math.max(0, Math.min(rows.length - 1, at + (down ? 1 : -1)))]?.focus();
  }
});

(async () => {
  const given = location.hash.match(/^#token=(.*)$/);
  if (given) { history.replaceState(null, "", location.pathname);
    if (!(await redeem(decoded(given[1])))) { if (await get("status").then(() => true, () => false)) $("sign").close(); else return; } }
  await start();
  let waited = 0;
  setInterval(() => { waited += 1000; if (waited >= (off ? 3000 : EVERY[part] ?? 5000)) { waited = 0; refresh(); } else if (off) frame(); }, 1000);
})();
