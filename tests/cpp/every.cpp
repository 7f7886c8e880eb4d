// every.cpp - the tool of tests/presence/every.c in C++: what it publishes must be the same, and so must its answer.
#include <cstdio>
#include <cstring>

#include <tenon/tenon.hpp>

enum class colour : int { red, green, blue };
static const char *const colours[] = { "red", "green", "blue" };

struct person {
    const char *first;
    double      share;

    static auto rows()
    {
        return tenon::rows(tenon::row<&person::first>("First name.").required().len(1, 80),
                           tenon::row<&person::share>("Ownership in percent.").range(0, 100).def(0));
    }
};

static const char *fine(tenon_check *, const char *const &)
{
    return nullptr;
}

struct every_args {
    const char               *text, *bare, *path, *absolute, *uuid, *url, *id;
    tenon::text               counted;
    tenon::time               date, stamp;
    short                     small;
    unsigned short            small_positive;
    int                       number, separated, placed;
    unsigned                  positive;
    long                      wide;
    std::int64_t              half, whole;
    std::uint64_t             whole_positive;
    double                    real, real_bare;
    float                     single;
    bool                      no, maybe;
    colour                    colour_, red;
    tenon::list<const char *> texts, paths;
    tenon::list<std::int64_t> ints;
    tenon::list<double>       nums;
    tenon::set<colour>        set;
    tenon::list<colour>       enums;
    person                    owner;
    const person             *other;
    tenon::list<person>       people;
    tenon::map                map;
    const tenon_json         *any;
    tenon::page               page;
    tenon::cursor             cursor;
    tenon::time_range         span;
    int                       derived;

    static const char *whole_is_fine(tenon_check *, const every_args &) { return nullptr; }
    static void        fill(every_args &args) noexcept { args.derived = 7; }
    static auto        rows();
};

auto every_args::rows()
{
    using T = every_args;
    using namespace tenon;

    return tenon::rows(
        row<&T::text>("A text.").key("Text").alias("s1,s2").example("abc").note("n").default_note("d").check<fine>().strict()
            .len(0, 0x10).pattern("^[a-z]*$").def("").blank_ok().header("Text"),
        row<&T::bare>("A text.").def(nullptr),
        row<&T::counted>("A text of five at most.").len(0, 5),
        row<&T::path>("A path.").path(".md,.txt"),
        row<&T::absolute>("A path.").abs_path(),
        row<&T::uuid>("A UUID.").uuid(),
        row<&T::url>("A URL.").url("https"),
        row<&T::id>("An id.").id(),
        row<&T::date>("A date.").end_of_day(),
        row<&T::stamp>("A moment.").def("2024-01-01T00:00:00Z"),
        row<&T::small>("A number.").range(-5, 5).def(0),
        row<&T::small_positive>("Zero.").range(0, 0),
        row<&T::number>("A number.").range(1, 10).def(5).clamp().low_default().low_text("low").high_text("high"),
        row<&T::separated>("A number.").range(1, 10'000).def(500),
        row<&T::placed>("A number.").range(1, 5).def(3),
        row<&T::positive>("A number.").strict().def(7),
        row<&T::wide>("A count. Wide.").def(-1),
        row<&T::half>("A number.").max(5).def(3),
        row<&T::whole>("A number.").min(0),
        row<&T::whole_positive>("A number."),
        row<&T::real>("A number.").range(0, 1).def(0.0).tolerance(1e-9).clamp(false),
        row<&T::real_bare>("A number."),
        row<&T::single>("A number.").min(-1.5).def(0),
        row<&T::no>("A flag.").def(false).header("No"),
        row<&T::maybe>("A flag."),
        row<&T::colour_>(colours, "A colour.").key("colour").def(colour::blue).exact(),
        row<&T::red>(colours, "A colour.").def(colour::red),
        row<&T::texts>("Texts.").count(0, 5).len(1, 10).def("[]").unique().comma(),
        row<&T::paths>("Paths.").count(0, 3).paths(),
        row<&T::ints>("Zeros.").count(0, 3).range(0, 0).unique(false),
        row<&T::nums>("Numbers.").range(0, 0.5),
        row<&T::set>(colours, "Colours.").noun("colour"),
        row<&T::enums>(colours, "Colours.").count(0, 2).def("[]"),
        row<&T::owner>("A person."),
        row<&T::other>("A person."),
        row<&T::people>("People.").count(0, 9),
        row<&T::map>("A map.").len(0, 99),
        row<&T::any>("Anything.").def("null"),
        group<&T::page>().max(20),
        group<&T::cursor>().keys("next,most").tuned(nullptr),
        group<&T::span>(),
        ordered<&T::number, &T::placed>(),
        together<&T::path, &T::absolute, &T::uuid>(),
        exclusive<&T::url, &T::id>(),
        any_of<&T::text, &T::counted, &T::real, &T::single, &T::no, &T::maybe>(),
        needs<&T::texts, &T::paths>(),
        tenon::check<&T::whole_is_fine>(),
        derive<&T::fill>());
}

static tenon::outcome every(tenon::call &call, const every_args &args)
{
    if (args.derived != 7)
        return call.internal("the derived field is ", args.derived);
    return call
        .text("number ", args.number, ", separated ", args.separated, ", placed ", args.placed, ", half ", args.half, ", real ",
              args.real, ", no ", int(args.no), ", colour ", int(args.colour_), ", red ", int(args.red), ", page ", args.page.page,
              " of ", args.page.page_size)
        .ok();
}

int main()
{
    static const char    arguments[] = "{\"Text\":\"abc\"}";
    tenon::server        server("every", "1.0.0");
    tenon_toolbox_options how{};

    const tenon::tool &tool = server.tool<every>("Every row.").read_only().destructive(false).title("Every");
    if (server.error())
        return std::puts(server.error()), 1;
    how.size = sizeof how, how.error_size = sizeof(tenon_error);
    tenon_toolbox *box  = tenon_toolbox_new_(&how);
    tenon_call    *call = tenon_call_new(box);
    tenon_toolbox_add(box, tool.c());
    std::puts(tenon_toolbox_find(box, "every")->input);
    std::puts(tenon_call_run(call, "every", arguments, std::strlen(arguments))->json);
    tenon_call_free(call);
    tenon_toolbox_free(box);
}
