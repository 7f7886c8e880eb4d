// features.cpp - results, pages, cursors, checks, lookups, schemas, prompts, resources and questions in C++, asked by a client
// in memory. Prints each difference; silence is success.
#include <cstdio>
#include <stdexcept>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/testing.h>

static int differences;

static void expect(tenon_probe *probe, const char *tool, const char *arguments, const char *expected)
{
    const char *wrong = tenon_probe_expect(probe, tool, arguments, expected);

    if (wrong)
        differences++, std::printf("%s %s\n%s\n", tool, arguments, wrong);
}

static void expect_of(tenon_probe *probe, const char *method, const char *params, const char *expected)
{
    const tenon_json *result = tenon_probe_request(probe, method, params);
    const char       *wrong  = result ? tenon_probe_compare(probe, result, expected) : tenon_probe_error(probe);

    if (wrong)
        differences++, std::printf("%s %s\n%s\n", method, params, wrong);
}

static std::string issue(const char *text)
{
    return std::string(R"({"error":{"code":"VALIDATION_ERROR","details":{"issues":[{"parameter":"seats","message":")") + text + "\"}]}}}";
}

// ---- Results, lists, pages, cursors ------------------------------------------------------------------------------------

struct item {
    const char  *name;
    std::int64_t price;

    static auto rows()
    {
        return tenon::rows(tenon::row<&item::name>("Its name.").required(), tenon::row<&item::price>("In cents.").min(0));
    }
};

struct shop {
    std::vector<item> items = { { "apple", 30 }, { "bread", 250 }, { "cheese", 900 } };
};

struct total {
    std::int64_t              cents;
    tenon::list<const char *> names;
    const item               *dearest;

    static auto rows()
    {
        using namespace tenon;
        return tenon::rows(row<&total::cents>("All prices."), row<&total::names>("All names."), row<&total::dearest>("The dearest."));
    }
};

static tenon::outcome sum(tenon::call &call)
{
    const shop               &all = call.user<shop>();
    std::vector<const char *> names;
    total                     result{};

    for (const item &one : all.items)
        result.cents += one.price, names.push_back(one.name);
    result.names   = tenon::list_of(names);
    result.dearest = &all.items.back();
    return call.ok(result);
}

struct page_args {
    tenon::page page;
    static auto rows() { return tenon::rows(tenon::group<&page_args::page>()); }
};

static tenon::outcome pages(tenon::call &call, const page_args &args)
{
    tenon::list<item> all = tenon::list_of(call.user<shop>().items);

    return call.ok_page(args.page, tenon::list<item>{ args.page.offset < 3 ? std::size_t(1) : 0, all.at + args.page.offset }, 3);
}

struct cursor_args {
    tenon::cursor from;
    static auto   rows() { return tenon::rows(tenon::group<&cursor_args::from>().max(2)); }
};

static const char *position(tenon::call &call, const item &one)
{
    return call.keep(std::string("at ") + one.name);
}

static tenon::outcome walk(tenon::call &call, const cursor_args &)
{
    bool              begins = std::string_view(tenon_cursor_position(call)).empty();
    tenon::list<item> all    = tenon::list_of(call.user<shop>().items);

    if (!begins && std::string_view(tenon_cursor_position(call)) != "at bread")
        return call.internal("the position is ", tenon_cursor_position(call));
    return begins ? call.ok_items<position>(tenon::list<item>{ 2, all.at }, true, 3)
                  : call.ok_items<position>(tenon::list<item>{ 1, all.at + 2 }, false, 3);
}

// ---- Checks, lookups, exceptions ---------------------------------------------------------------------------------------

struct booking {
    int         seats, rows_, left;
    const char *film;

    static const char *even(tenon_check *check, const int &seats)
    {
        if (seats == 13)
            throw std::runtime_error("thirteen");
        return seats % 2 == 0 ? nullptr : tenon_check_format(check, "seats must be even, got %d.", seats);
    }
    static void known(tenon_lookup *lookup, const char *const &film)
    {
        if (std::string_view(film) == "broken")
            throw std::runtime_error("the list of films is lost");
        if (std::string_view(film) != "Metropolis")
            tenon_lookup_unknown(lookup, film), tenon_lookup_offer(lookup, "Metropolis");
    }
    static const char *fits(tenon_check *check, const booking &all)
    {
        if (all.seats <= all.rows_ * 10)
            return nullptr;
        tenon_check_at(check, &all.seats);
        return "seats must be ten a row at most.";
    }
    static void count(booking &all) noexcept { all.left = all.rows_ * 10 - all.seats; }
    static auto rows();
};
auto booking::rows()
{
    using namespace tenon;
    return tenon::rows(row<&booking::seats>("How many.").range(1, 99).required().example("8").check<even>(),
                       row<&booking::rows_>("Rows.").key("rows").def(1), row<&booking::film>("Which.").lookup<known>(),
                       check<&booking::fits>(), derive<&booking::count>());
}

static tenon::outcome book(tenon::call &call, const booking &args)
{
    if (args.seats == 2)
        throw std::bad_alloc();
    if (args.seats == 4)
        throw 4;
    if (call.given(&args.film))
        call.message("For ", args.film, ".");
    return call.text(args.left, " left, ", 0.5, ' ', true, " ", std::string("text"), " ", std::string_view("view")).ok();
}

static tenon::outcome fails(tenon::call &call)
{
    return call.fail(TENON_CODE_NOT_FOUND, "There is no ", "film ", 7, ".");
}

// ---- A schema, a prompt, resources, a question -------------------------------------------------------------------------

static tenon::outcome raw(tenon::call &call, const tenon_json &args)
{
    return call.text("n is ", tenon_json_int(tenon_json_get(&args, "n"))).ok();
}

struct review_args {
    const char *path;
    static auto rows() { return tenon::rows(tenon::row<&review_args::path>("What to review.").required()); }
};

static tenon::outcome review(tenon::call &call, const review_args &args)
{
    tenon_say(call, TENON_ROLE_USER, "Review %s.", args.path);
    return call.ok();
}

static void suggest(tenon::call &call, const char *, const char *typed)
{
    if (std::string_view(typed) == "throw")
        throw std::runtime_error("no suggestions");
    tenon_suggest(call, "main.c");
}

static tenon::outcome motd(tenon::call &call, const char *uri)
{
    tenon_content_text(call, (std::string("You read ") + uri).c_str());
    return call.ok();
}

static tenon::outcome broken(tenon::call &, const char *)
{
    throw std::runtime_error("the disk is gone");
}

struct confirm {
    bool        sure;
    static auto rows() { return tenon::rows(tenon::row<&confirm::sure>("Are you sure?").required()); }
};

static tenon::outcome purge(tenon::call &call)
{
    auto given = call.elicit<confirm>("confirm", "Delete ", 3, " items?");

    if (given.pending())
        return call.ask();
    if (!given || !given->sure)
        return call.fail(TENON_CODE_DENIED, "The user did not agree.");
    return call.text("Deleted.").ok();
}

static const char *agree(void *, const char *, const tenon_json *params)
{
    tenon_str message = tenon_json_str(tenon_json_get(params, "message"));

    return std::string_view(message.at, message.len) == "Delete 3 items?" ? "{\"action\":\"accept\",\"content\":{\"sure\":true}}" : nullptr;
}

int main()
{
    shop          open;
    tenon::server server("shop", "1.0.0", tenon::options().instructions("Ask for the price.").user(&open));

    server.tool<sum>("Add all prices.").read_only().result<total>();
    server.tool<pages>("Items by page.").read_only().items<item>();
    server.tool<walk>("Items by cursor.").read_only().items<item>();
    server.tool<book>("Book seats.").destructive();
    server.tool<fails>("Fail.");
    server.schema_tool<raw>("Take JSON.", R"({"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]})").title("Raw");
    server.tool<purge>("Delete all.").destructive();
    server.prompt<review>("Review a file.").complete<suggest>();
    server.resource<motd>("app://motd").name("motd").mime("text/plain");
    server.resource_template<broken>("app://broken/{name}").name("broken");
    if (server.error())
        return std::puts(server.error()), 1;

    tenon_probe *probe = tenon_probe_new(server.c());
    expect(probe, "sum", "{}", R"({"data":{"cents":1180,"names":["apple","bread","cheese"],"dearest":{"name":"cheese","price":900}}})");
    expect(probe, "pages", R"({"page":2,"pageSize":1})", R"({"data":{"items":[{"name":"bread","price":250}]}})");
    const tenon_json *first = tenon_probe_call(probe, "walk", "{}");
    tenon_str         next  = tenon_json_str(tenon_json_get(tenon_json_get(first, "data"), "nextCursor"));
    expect(probe, "walk", (R"({"cursor":")" + std::string(next.at, next.len) + "\"}").c_str(), R"({"data":{"items":[{"name":"cheese"}]}})");

    expect(probe, "book", R"({"seats":8,"film":"Metropolis"})", R"({"messages":["For Metropolis."],"data":{"text":"2 left, 0.5 true text view"}})");
    expect(probe, "book", R"({"seats":7})", issue("seats must be even, got 7.").c_str());
    expect(probe, "book", R"({"seats":20})", issue("seats must be ten a row at most.").c_str());
    expect(probe, "book", R"({"seats":8,"film":"Metropolos"})", R"({"error":{"code":"VALIDATION_ERROR"}})");
    for (const char *thrown : { R"({"seats":13})", R"({"seats":2})", R"({"seats":4})", R"({"seats":8,"film":"broken"})" })
        expect(probe, "book", thrown, R"({"error":{"code":"INTERNAL_ERROR"}})");
    expect(probe, "fails", "{}", R"({"error":{"code":"NOT_FOUND","message":"There is no film 7."}})");
    expect(probe, "raw", R"({"n":5})", R"({"data":{"text":"n is 5"}})");
    expect_of(probe, "prompts/get", R"({"name":"review","arguments":{"path":"a.c"}})", R"({"messages":[{"content":{"text":"Review a.c."}}]})");
    expect_of(probe, "completion/complete", R"({"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"path","value":"m"}})",
              R"({"completion":{"values":["main.c"]}})");
    tenon_probe_request(probe, "completion/complete", R"({"ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"path","value":"throw"}})");
    expect_of(probe, "resources/read", R"({"uri":"app://motd"})", R"({"contents":[{"text":"You read app://motd"}]})");
    if (tenon_probe_request(probe, "resources/read", R"({"uri":"app://broken/x"})"))
        differences++, std::puts("a resource that throws was read");
    tenon_probe_answers(probe, agree, nullptr);
    expect(probe, "purge", "{}", R"({"data":{"text":"Deleted."}})");
    tenon_probe_free(probe);
    return differences > 0;
}
