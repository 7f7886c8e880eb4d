// tenon.hpp - Tenon in C++17 and newer: header only, over the C library (docs/cpp.md).
//
//     int main(int argc, char **argv)
//     {
//         tenon::server server("weather", "1.0.0");
//
//         server.tool<forecast>("Say what the weather will be.").read_only();
//         return server.main(argc, argv);
//     }
//
//   cpp/types.hpp  fields: text, list, set, map
//   cpp/rows.hpp   rows of structs, rules over them, groups
//   cpp/call.hpp   what a handler does with its call
//   tenon.hpp      tools, prompts, resources, and the server that owns them
#ifndef TENON_TENON_HPP
#define TENON_TENON_HPP

#include <deque>
#include <memory>

#include <tenon/cpp/call.hpp>

namespace tenon {

namespace detail {

template <class T> struct args {
    using type = T;
};
template <class T> args<T> args_of(outcome (*)(call &, const T &));
args<void>                 args_of(outcome (*)(call &));
void                       args_of(...);

template <auto Handler> outcome run_handler(tenon_call *c, const void *given) noexcept
{
    using T = typename decltype(args_of(Handler))::type;

    return guarded(c, [&](call &view) {
        if constexpr (std::is_void_v<T>)
            return Handler(view);
        else
            return Handler(view, *static_cast<const T *>(given));
    });
}

template <auto Read> outcome run_read(tenon_call *c, const char *uri) noexcept
{
    static_assert(std::is_invocable_r_v<outcome, decltype(Read), call &, const char *>,
                  "tenon: a resource is read by: tenon::outcome read(tenon::call &, const char *uri)");
    return guarded(c, [&](call &view) { return Read(view, uri); });
}

template <auto Complete> void run_complete(tenon_call *c, const char *name, const char *typed) noexcept
{
    static_assert(std::is_invocable_v<decltype(Complete), call &, const char *, const char *>,
                  "tenon: values are suggested by: void complete(tenon::call &, const char *name, const char *typed)");
    guarded(c, [&](call &view) { return Complete(view, name, typed), tenon_ok(view); });
}

} // namespace detail

// A tool or a prompt of a server, as tool.h explains its options.
class tool {
public:
    tool &name(const char *v) { return tool_.info.name = v, *this; }
    tool &title(const char *v) { return tool_.info.title = v, *this; }
    tool &read_only(bool v = true) { return hint(TENON_READ_ONLY, v); }
    tool &idempotent(bool v = true) { return hint(TENON_IDEMPOTENT, v); }
    tool &open_world(bool v = true) { return hint(TENON_OPEN_WORLD, v); }
    tool &destructive(bool v = true) { return hint(TENON_DESTRUCTIVE, v); }
    template <class T> tool &result() { return tool_.info.result = detail::rows_table<T>, *this; }
    template <class T> tool &items() { return tool_.info.items = detail::rows_table<T>, *this; }
    tool &result_schema(const char *json) { return tool_.info.result_schema = json, *this; }
    tool &unknown(tenon_unknown v) { return tool_.info.unknown = v, *this; }
    tool &strict(bool v = true) { return tool_.info.strict = v, *this; }
    tool &budget(std::size_t bytes) { return tool_.info.budget = bytes, *this; }
    tool &blocking(int deadline_ms = 0) { return tool_.info.blocking = true, tool_.info.deadline_ms = deadline_ms, *this; }
    tool &plain(bool v = true) { return tool_.info.plain = v, *this; }
    tool &task(tenon_task v) { return tool_.info.task = v, *this; }
    tool &scopes(const char *v) { return tool_.info.scopes = v, *this; }
    tool &meta(const char *json) { return tool_.info.meta = json, *this; }
    template <std::size_t N> tool &icons(const tenon_icon (&v)[N]) { return tool_.info.icons = v, tool_.info.icon_count = N, *this; }

    // Of a prompt: suggests values of its arguments.
    template <auto Complete> tool &complete() { return complete_ = detail::run_complete<Complete>, *this; }

    const tenon_tool *c() const { return &tool_; }
    tool(const tool &) = delete;
    tool &operator=(const tool &) = delete;
    tool(const char *handler, const char *doc, tenon_outcome (*run)(tenon_call *, const void *), bool is_prompt)
        : is_prompt_(is_prompt)
    {
        tool_.handler = handler, tool_.info_size = sizeof(tenon_info), tool_.run = run;
        tool_.rows.name = handler, tool_.rows.row_size = sizeof(tenon_row);
        tool_.info.doc = doc, tool_.info.icon_size = sizeof(tenon_icon);
    }

private:
    friend class server;
    tool &hint(unsigned bit, bool v)
    {
        tool_.info.hints &= ~(bit | TENON_HINT_NOT(bit));
        return tool_.info.hints |= v ? bit : TENON_HINT_NOT(bit), *this;
    }
    tenon_tool        tool_{};
    tenon_complete_fn complete_ = nullptr;
    bool              is_prompt_;
};

// A resource, or a family of them, as resource.h explains its options.
class resource {
public:
    resource &name(const char *v) { return options_.name = v, *this; }
    resource &title(const char *v) { return options_.title = v, *this; }
    resource &doc(const char *v) { return options_.doc = v, *this; }
    resource &mime(const char *v) { return options_.mime = v, *this; }
    resource &len(std::size_t v) { return options_.len = v, *this; }
    resource &blocking(bool v = true) { return options_.blocking = v, *this; }
    resource &watched(bool v = true) { return options_.watched = v, *this; }
    resource &is_private(bool v = true) { return options_.private_ = v, *this; }
    resource &ttl_ms(std::int64_t v) { return options_.ttl_ms = v, *this; }
    template <auto Complete> resource &complete() { return options_.complete = detail::run_complete<Complete>, *this; }

    resource(const resource &) = delete;
    resource &operator=(const resource &) = delete;
    resource(const char *uri, tenon_read_fn read, bool is_template) : uri_(uri), read_(read), is_template_(is_template)
    {
        options_.size = sizeof options_, options_.icon_size = sizeof(tenon_icon);
    }

private:
    friend class server;
    const char            *uri_;
    tenon_read_fn          read_;
    bool                   is_template_;
    tenon_resource_options options_{};
};

// Options of a server: tenon::options().instructions("Search before you write.").user(&shop)
class options {
public:
    options() { c.size = sizeof c, c.error_size = sizeof(tenon_error), c.icon_size = sizeof(tenon_icon); }
    options &title(const char *v) { return c.title = v, *this; }
    options &description(const char *v) { return c.description = v, *this; }
    options &website(const char *v) { return c.website = v, *this; }
    options &instructions(const char *v) { return c.instructions = v, *this; }
    options &user(void *v) { return c.user = v, *this; }
    options &budget(std::size_t bytes) { return c.budget = bytes, *this; }
    options &strict(bool v = true) { return c.strict = v, *this; }
    template <std::size_t N> options &errors(const tenon_error (&v)[N]) { return c.errors = v, c.error_count = N, *this; }

    tenon_server_options c{}; // what has no function here is set in it
};

// A server, which owns what it offers. Add everything first; then main(), start() or a tenon_probe.
class server {
public:
    server(const char *name, const char *version, const options &how = options())
        : server_(tenon_server_new_(name, version, &how.c))
    {
    }

    // A handler: tenon::outcome f(tenon::call &, const T &), where T has rows; or without arguments, f(tenon::call &).
    template <auto Handler> tenon::tool &tool(const char *doc) { return add<Handler>(doc, false); }
    template <auto Handler> tenon::tool &prompt(const char *doc) { return add<Handler>(doc, true); }

    // A tool whose arguments are declared by JSON Schema: tenon::outcome f(tenon::call &, const tenon_json &).
    template <auto Handler> tenon::tool &schema_tool(const char *doc, const char *schema)
    {
        static_assert(std::is_invocable_r_v<outcome, decltype(Handler), call &, const tenon_json &>,
                      "tenon: the handler must be: tenon::outcome f(tenon::call &, const tenon_json &)");
        tenon::tool &made = tools_.emplace_back(detail::name<Handler>(), doc, detail::run_handler<Handler>, false);
        made.tool_.schema = schema;
        return made;
    }

    // tenon::outcome read(tenon::call &, const char *uri)
    template <auto Read> tenon::resource &resource(const char *uri) { return resources_.emplace_back(uri, detail::run_read<Read>, false); }
    template <auto Read> tenon::resource &resource_template(const char *uri)
    {
        return resources_.emplace_back(uri, detail::run_read<Read>, true);
    }

    // The server for C: for every function of server.h and testing.h. What was added so far is in it.
    tenon_server *c()
    {
        publish();
        return server_.get();
    }
    const char *error() { return tenon_server_error(c()); } // the first mistake, or nullptr
    int         main(int argc, char **argv)
    {
        publish();
        return tenon_server_main(server_.release(), argc, argv);
    }

private:
    template <auto Handler> tenon::tool &add(const char *doc, bool is_prompt)
    {
        if constexpr (std::is_void_v<decltype(detail::args_of(Handler))>)
            static_assert(detail::never<decltype(Handler)>,
                          "tenon: the handler must be: tenon::outcome f(tenon::call &, const T &), or without arguments f(tenon::call &)");
        else {
            using T           = typename decltype(detail::args_of(Handler))::type;
            tenon::tool &made = tools_.emplace_back(detail::name<Handler>(), doc, detail::run_handler<Handler>, is_prompt);

            if constexpr (!std::is_void_v<T>) {
                static_assert(detail::has_rows<T>::value, "tenon: the struct of the arguments has no rows(): docs/cpp.md shows how");
                made.tool_.rows = *detail::rows_table<T>();
            }
            return made;
        }
    }
    void publish()
    {
        for (; tools_seen_ < tools_.size(); tools_seen_++) {
            const tenon::tool &one = tools_[tools_seen_];

            if (one.is_prompt_)
                tenon_server_add_prompt(server_.get(), one.c(), one.complete_);
            else
                tenon_server_add(server_.get(), one.c());
        }
        for (; resources_seen_ < resources_.size(); resources_seen_++) {
            const tenon::resource &one = resources_[resources_seen_];

            (one.is_template_ ? tenon_server_template_ : tenon_server_resource_)(server_.get(), one.uri_, one.read_, &one.options_);
        }
    }
    struct free {
        void operator()(tenon_server *server) const { tenon_server_free(server); }
    };
    std::deque<tenon::tool>             tools_; // these before server_: they must outlive it
    std::deque<tenon::resource>         resources_;
    std::size_t                         tools_seen_ = 0, resources_seen_ = 0;
    std::unique_ptr<tenon_server, free> server_;
};

} // namespace tenon

#endif
