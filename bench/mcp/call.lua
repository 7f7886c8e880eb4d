-- The same tool call for wrk: its request is built once. Answers that are no success count as failed.
local path = os.getenv("BENCH_CALL")
local session = os.getenv("BENCH_SESSION") -- before 2026-07-28; "" is for servers that keep none
local file = assert(io.open(path, "r"))

wrk.method = "POST"
wrk.body = file:read("l")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
if session then
    wrk.headers["MCP-Protocol-Version"] = "2025-11-25"
    if session ~= "" then
        wrk.headers["Mcp-Session-Id"] = session
    end
else
    wrk.headers["MCP-Protocol-Version"] = "2026-07-28"
    wrk.headers["Mcp-Method"] = "tools/call"
    wrk.headers["Mcp-Name"] = "search"
end

function done(summary, latency)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.write(string.format("requests %d\nduration_us %d\nfailed %d\n", summary.requests, summary.duration, failed))
    io.write(string.format("p50_us %d\np99_us %d\n", latency:percentile(50), latency:percentile(99)))
end
