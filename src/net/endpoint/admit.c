/* admit.c - what is checked before a body is read, in this order: Host and Origin, path, who calls, method, types.
 *
 * All wording of refusals that are HTTP's and not the protocol's is in this file and beside the check that it explains.
 */
#define _GNU_SOURCE
#include "net/endpoint/request.h"

#include "base/ascii.h"
#include "mcp/revision.h"
#include "net/rate.h"

#define CORS_LEN_MAX   ((size_t)2048)
#define WISHED_LEN_MAX ((size_t)1024) /* of headers that a preflight may ask for */

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

const char *tn_endpoint_with_cors(struct tn_endpoint_request *request, const char *headers)
{
    struct tn_buf lines;

    if (!request->cors || !headers)
        return headers ? headers : request->cors;
    tn_buf_init(&lines, &request->arena, 0, CORS_LEN_MAX + 16384);
    tn_buf_text(&lines, headers);
    tn_buf_text(&lines, request->cors);
    return tn_buf_end(&lines);
}

/* A response to no request in particular has no id. The messages are ours, and need no escapes. */
void tn_endpoint_refuse(struct tn_endpoint_request *request, int status, const char *headers,
                        const char *message)
{
    char              room[512];
    int               len;
    static const char form[] = "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}";

    len            = snprintf(room, sizeof room, form, status >= 500 ? -32603 : -32600, message);
    request->state = REQUEST_ANSWERED;
    tn_http_answer(request->conn, status, tn_endpoint_with_cors(request, headers), "application/json",
                   (struct tn_slice){ room, len > 0 && (size_t)len < sizeof room ? (size_t)len : 0 });
}

/* ---- Headers --------------------------------------------------------------------------------------------------- */

static struct tn_slice admit_before(struct tn_slice text, char mark)
{
    const char *end = text.len ? memchr(text.at, mark, text.len) : NULL;

    return tn_slice_trim((struct tn_slice){ text.at, end ? (size_t)(end - text.at) : text.len });
}

static bool is_json(const struct tn_http_value *type)
{
    if (type->count != 1)
        return false;
    return tn_slice_is(type->value, "application/json") || /* what almost all send */
           tn_slice_fold_equal(admit_before(type->value, ';'), SLICE_LIT("application/json"));
}

/* Is a parameter of a media range "q=0", in any of its forms? */
static bool is_unwanted(struct tn_slice range)
{
    struct tn_slice part;

    tn_slice_split(&range, ';', &part);
    while (tn_slice_split(&range, ';', &part)) {
        part = tn_slice_trim(part);
        if (part.len < 3 || (part.at[0] != 'q' && part.at[0] != 'Q') || part.at[1] != '=')
            continue;
        for (size_t i = 2; i < part.len; i++)
            if (part.at[i] != '0' && part.at[i] != '.')
                return false;
        return true;
    }
    return false;
}

static bool is_range(struct tn_slice type, const char *whole, const char *family)
{
    return tn_slice_is(type, "*/*") || tn_slice_fold_equal(type, tn_slice_of(family)) ||
           tn_slice_fold_equal(type, tn_slice_of(whole));
}

/* What the client takes. Without the header it takes everything; several of them are one list, of which the first counts. */
static void read_accept(struct tn_endpoint_request *request)
{
    struct tn_slice rest = tn_http_known(request->conn)[FIELD_ACCEPT].value, range;

    request->takes_json = request->takes_stream = true;
    if (rest.len == 0 || tn_slice_is(rest, "application/json, text/event-stream")) /* what almost all send */
        return;
    request->takes_json = request->takes_stream = false;
    while (tn_slice_split(&rest, ',', &range)) {
        struct tn_slice type = admit_before(range, ';');

        if (is_unwanted(range))
            continue;
        request->takes_json |= is_range(type, "application/json", "application/*");
        request->takes_stream |= is_range(type, "text/event-stream", "text/*");
    }
}

static bool read_headers(struct tn_endpoint_request *request)
{
    const struct tn_http_value *known = tn_http_known(request->conn);

    request->version = known[FIELD_MCP_PROTOCOL_VERSION].value;
    request->session = known[FIELD_MCP_SESSION_ID].value;
    if (known[FIELD_MCP_PROTOCOL_VERSION].count > 1 || known[FIELD_MCP_SESSION_ID].count > 1 ||
        known[FIELD_MCP_METHOD].count > 1 || known[FIELD_MCP_NAME].count > 1) {
        tn_endpoint_refuse(request, 400, NULL, "A header of the protocol was sent more than once.");
        return false;
    }
    /* Dates, which are compared as text. What a message itself says is not our business. */
    request->modern = request->version.len == sizeof MODERN_VERSION - 1 &&
                      memcmp(request->version.at, MODERN_VERSION, sizeof MODERN_VERSION - 1) >= 0;
    return true;
}

/* ---- Browsers -------------------------------------------------------------------------------------------------- */

static void allow_origin(struct tn_endpoint_request *request, struct tn_slice origin)
{
    struct tn_buf lines;

    tn_buf_init(&lines, &request->arena, 0, CORS_LEN_MAX);
    tn_buf_lit(&lines, "Access-Control-Allow-Origin: ");
    tn_buf_add(&lines, origin.at, origin.len);
    tn_buf_lit(&lines,
               "\r\nVary: Origin\r\nAccess-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate\r\n");
    request->cors = tn_buf_end(&lines);
}

static bool is_token(struct tn_slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!tn_ascii_is_letter(text.at[i]) && !tn_ascii_is_digit(text.at[i]) &&
            !strchr("!#$%&'*+-.^_`|~", text.at[i]))
            return false;
    return text.len > 0;
}

/* Headers in which arguments are repeated have names of the tools' choice: those that are asked for are allowed. */
static void allow_params(struct tn_endpoint_request *request, struct tn_buf *lines)
{
    struct tn_http_value wished = tn_http_header(request->conn, SLICE_LIT("Access-Control-Request-Headers"));
    struct tn_slice      rest   = wished.value, name;
    static const char    prefix[] = "mcp-param-";

    if (wished.count > 1 || rest.len > WISHED_LEN_MAX)
        return;
    while (tn_slice_split(&rest, ',', &name)) {
        name = tn_slice_trim(name);
        if (name.len < sizeof prefix ||
            !tn_slice_fold_equal((struct tn_slice){ name.at, sizeof prefix - 1 }, SLICE_LIT("mcp-param-")) ||
            !is_token(name))
            continue;
        tn_buf_lit(lines, ", ");
        tn_buf_add(lines, name.at, name.len);
    }
}

/* A browser asks before it sends: without a token, which is why this comes before authentication. */
static void answer_preflight(struct tn_endpoint_request *request)
{
    struct tn_buf lines;

    tn_buf_init(&lines, &request->arena, 0, CORS_LEN_MAX + 2 * WISHED_LEN_MAX);
    tn_buf_text(&lines, request->cors);
    tn_buf_lit(&lines,
               "Access-Control-Allow-Methods: POST, GET, DELETE\r\n"
               "Access-Control-Max-Age: 600\r\n"
               "Access-Control-Allow-Headers: Content-Type, Accept, Authorization, MCP-Protocol-Version, "
               "Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID");
    allow_params(request, &lines);
    tn_buf_lit(&lines, "\r\n");
    request->state = REQUEST_ANSWERED;
    tn_http_answer(request->conn, 204, tn_buf_end(&lines), NULL, (struct tn_slice){ "", 0 });
}

/* The document of RFC 9728: for everybody, from everywhere. */
static void answer_metadata(struct tn_endpoint_request *request, enum tn_http_method method)
{
    static const char open_to_all[] =
        "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: GET, HEAD\r\n"
        "Access-Control-Allow-Headers: MCP-Protocol-Version, Authorization, Content-Type\r\n";

    request->state = REQUEST_ANSWERED;
    if (method == HTTP_IS_GET || method == HTTP_IS_HEAD)
        tn_http_answer(request->conn, 200, open_to_all, "application/json",
                       tn_slice_of(tn_auth_metadata(request->endpoint->serving->auth)));
    else if (method == HTTP_IS_OPTIONS)
        tn_http_answer(request->conn, 204, open_to_all, NULL, (struct tn_slice){ "", 0 });
    else
        tn_endpoint_refuse(request, 405, "Allow: GET, HEAD, OPTIONS\r\nAccess-Control-Allow-Origin: *\r\n",
                           "This document can only be read.");
}

/* ---- The checks ------------------------------------------------------------------------------------------------ */

static bool check_origin(struct tn_endpoint_request *request)
{
    const struct tn_http_value *origin = &tn_http_known(request->conn)[FIELD_ORIGIN];

    if (origin->count == 0)
        return true;
    if (origin->count > 1 || !tn_guardrail_allows_origin(&request->endpoint->guardrail, origin->value)) {
        tn_endpoint_refuse(request, 403, NULL,
                           "This Origin is not allowed here; the server's --allow-origin says which are.");
        return false;
    }
    allow_origin(request, origin->value);
    return true;
}

static const char *words_for(int status)
{
    switch (status) {
    case 401: return "This server needs a valid access token.";
    case 403: return "The access token does not allow this.";
    case 503: return "Access tokens cannot be checked now; try again later.";
    default: return "The Authorization header is not a Bearer token.";
    }
}

/* From now on the caller pays for what its connection holds. Most connections are of one caller. */
static void charge_caller(struct tn_endpoint_request *request)
{
    struct tn_account *account = tn_http_caller(request->conn);

    if (account && tn_account_is(account, ACCOUNT_CALLER, request->caller.name)) {
        tn_http_pay(request->conn, account);
        return;
    }
    account = tn_ledger_account(request->endpoint->serving->server->ledger, ACCOUNT_CALLER,
                                request->caller.name);
    tn_http_pay(request->conn, account);
    tn_account_release(account);
}

static bool check_caller(struct tn_endpoint_request *request, bool last_time)
{
    struct auth                *auth    = request->endpoint->serving->auth;
    const struct tn_http_value *token   = &tn_http_known(request->conn)[FIELD_AUTHORIZATION];
    struct tn_auth_refusal      refusal = { .status = 0 };

    if (!tn_auth_is_on(auth))
        return true;
    request->auth = tn_auth_check(auth, &request->arena, token->value, token->count, &request->caller,
                                  &refusal);
    if (request->auth == AUTH_OK) {
        charge_caller(request);
        return true;
    }
    if (request->auth == AUTH_WAIT && !last_time)
        return true;
    if (request->auth == AUTH_WAIT)
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", words_for(503));
    else
        tn_endpoint_refuse(request, refusal.status ? refusal.status : 401, refusal.challenge,
                           words_for(refusal.status));
    return false;
}

static bool is_here(const struct tn_endpoint_request *request, struct tn_slice path)
{
    struct tn_slice here = request->endpoint->path;

    return path.len == here.len && tn_str_same(path.at, here.at, path.len);
}

static bool check_method(struct tn_endpoint_request *request, enum tn_http_method method)
{
    switch (method) {
    case HTTP_IS_POST:
        if (!is_json(&tn_http_known(request->conn)[FIELD_CONTENT_TYPE])) {
            tn_endpoint_refuse(request, 415, NULL, "The Content-Type of a message is application/json.");
            return false;
        }
        if (request->takes_json || request->takes_stream)
            return true;
        tn_endpoint_refuse(request, 406, NULL,
                           "Accept allows neither application/json nor text/event-stream.");
        return false;
    case HTTP_IS_GET:
    case HTTP_IS_DELETE:
        if (request->modern) {
            tn_endpoint_refuse(request, 405, "Allow: POST\r\n",
                               "In this version of the protocol everything is a POST.");
            return false;
        }
        if (request->session.len > 0)
            return true;
        tn_endpoint_refuse(request, 400, NULL, "Mcp-Session-Id is missing.");
        return false;
    default:
        tn_endpoint_refuse(request, 405, "Allow: POST, GET, DELETE\r\n", "Messages are sent with POST.");
        return false;
    }
}

/* A caller that sends too much is refused before its message is read. */
static bool check_rate(struct tn_endpoint_request *request)
{
    const struct tn_serving *serving = request->endpoint->serving;
    size_t                   bytes   = tn_http_request_of(request->conn)->body_announced;
    char                     header[48], body[256];
    int64_t                  wait_ms;
    int                      len;

    if (!serving->rates)
        return true;
    if (bytes > serving->settings->limits.body_bytes) /* it is refused unread */
        bytes = 0;
    wait_ms = tn_rates_take(serving->rates, tn_http_payer(request->conn), bytes, tn_clock_now_us());
    if (wait_ms == 0)
        return true;
    snprintf(header, sizeof header, "Retry-After: %lld\r\n", (long long)(wait_ms + 999) / 1000);
    len = snprintf(
        body, sizeof body,
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"This caller sends more messages than "
        "allowed. Try again in %lld ms.\",\"data\":{\"retryAfterMs\":%lld}}}",
        (long long)wait_ms, (long long)wait_ms);
    request->state = REQUEST_ANSWERED;
    tn_http_answer(request->conn, 429, tn_endpoint_with_cors(request, header), "application/json",
                   (struct tn_slice){ body, (size_t)len });
    return false;
}

/* What follows once it is known who calls. */
static bool check_rest(struct tn_endpoint_request *request)
{
    const struct tn_http_request *http = tn_http_request_of(request->conn);

    if (request->auth != AUTH_OK) /* asked again when the keys are here */
        return true;
    if (!check_rate(request) || !read_headers(request))
        return false;
    read_accept(request);
    return check_method(request, http->method);
}

bool tn_endpoint_admit(struct tn_endpoint_request *request)
{
    struct tn_endpoint           *endpoint = request->endpoint;
    const struct tn_http_request *http     = tn_http_request_of(request->conn);

    if (!tn_guardrail_allows_host(&endpoint->guardrail, http->host)) {
        tn_endpoint_refuse(request, 403, NULL,
                           "This Host is not a name of this server; its --allow-host says which are.");
        return false;
    }
    if (tn_auth_is_metadata_path(endpoint->serving->auth, http->path)) {
        answer_metadata(request, http->method);
        return false;
    }
    if (!check_origin(request))
        return false;
    if (http->method == HTTP_IS_OPTIONS && request->cors && is_here(request, http->path)) {
        answer_preflight(request);
        return false;
    }
    if (endpoint->stopping || atomic_load_explicit(&endpoint->serving->stopping, memory_order_relaxed)) {
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", "The server is stopping.");
        return false;
    }
    if (!is_here(request, http->path)) { /* before 401: a client that looks for metadata goes on looking */
        tn_endpoint_refuse(request, 404, NULL, "There is nothing at this path.");
        return false;
    }
    return check_caller(request, false) && check_rest(request);
}

bool tn_endpoint_admit_inside(struct tn_endpoint_request *request)
{
    struct tn_endpoint *endpoint = request->endpoint;

    if (endpoint->stopping || atomic_load_explicit(&endpoint->serving->stopping, memory_order_relaxed)) {
        tn_endpoint_refuse(request, 503, "Retry-After: 5\r\n", "The server is stopping.");
        return false;
    }
    request->auth   = AUTH_OK;
    request->caller = (struct tn_caller){ .name = endpoint->caller };
    if (!read_headers(request))
        return false;
    if (!request->modern) { /* sessions are of the address that clients know */
        tn_endpoint_refuse(request, 400, NULL, "MCP-Protocol-Version is " MODERN_VERSION " here.");
        return false;
    }
    read_accept(request);
    return check_method(request, tn_http_request_of(request->conn)->method);
}

bool tn_endpoint_admit_again(struct tn_endpoint_request *request)
{
    return check_caller(request, true) && check_rest(request);
}
