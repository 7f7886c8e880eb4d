// call.hpp - what a handler in C++ does with its call.
//
//     static tenon::outcome forecast(tenon::call &call, const forecast_args &args)
//     {
//         return call.text("Sunny in ", args.city, " for ", args.days, " days.").ok();
//     }
//
// It converts to tenon_call *, so that every function of call.h, progress.h, ask.h and resource.h takes it:
// tenon_progress(call, 1, 3, "one of three"). Those with a type of their own (rows, pages, forms) are members here.
// What a handler throws is answered as INTERNAL_ERROR: the caller sees a reference, the log what().
#ifndef TENON_CPP_CALL_HPP
#define TENON_CPP_CALL_HPP

#include <cstdio>
#include <cstdlib>
#include <new>

#include <tenon/cpp/rows.hpp>

namespace tenon {

namespace detail {

template <class V> void add_part(std::string &out, const V &part)
{
    if constexpr (std::is_same_v<V, bool>)
        out += part ? "true" : "false";
    else if constexpr (std::is_same_v<V, char>)
        out += part;
    else if constexpr (std::is_floating_point_v<V>) {
        char digits[64];
        std::snprintf(digits, sizeof digits, "%.15g", static_cast<double>(part));
        if (std::strtod(digits, nullptr) != static_cast<double>(part))
            std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(part));
        out += digits;
    } else if constexpr (std::is_integral_v<V>)
        out += std::to_string(part);
    else if constexpr (std::is_same_v<V, tenon_str>)
        out.append(part.at, part.len);
    else if constexpr (std::is_convertible_v<const V &, const char *>) {
        const char *text = part;
        out += text ? text : "";
    } else if constexpr (std::is_convertible_v<const V &, std::string_view>)
        out += std::string_view(part);
    else
        static_assert(never<V>, "tenon: a part of a text is a text, a number or a truth value");
}

template <class... Parts> std::string joined(const Parts &...parts)
{
    std::string out;
    (add_part<std::decay_t<const Parts>>(out, parts), ...);
    return out;
}

} // namespace detail

// The answer to a question: of an accepted form, `value` is the struct that was filled in.
template <class T> struct answer {
    tenon_reply reply;
    const T    *value;

    explicit operator bool() const noexcept { return reply == TENON_REPLY_ACCEPTED; }
    bool     pending() const noexcept { return reply == TENON_REPLY_PENDING; }
    const T *operator->() const noexcept { return value; }
    const T &operator*() const noexcept { return *value; }
};

class call {
public:
    explicit call(tenon_call *c) : c_(c) {}
    operator tenon_call *() const { return c_; }

    // The object that the server was given: tenon::options().user(&shop).
    template <class T> T &user() const { return *static_cast<T *>(tenon_user(c_)); }

    // Was the field of the arguments sent with a value?
    bool given(const void *field) const { return tenon_presence_of(c_, field) == TENON_GIVEN; }
    bool cancelled() const { return tenon_is_cancelled(c_); }

    // Adds a line of text, a message for the model, an issue about a field: parts are put together as they are.
    template <class... Parts> call &text(const Parts &...parts) { return tenon_text(c_, "%s", detail::joined(parts...).c_str()), *this; }
    template <class... Parts> call &message(const Parts &...parts)
    {
        return tenon_message(c_, "%s", detail::joined(parts...).c_str()), *this;
    }
    template <class... Parts> call &issue(const void *field, const char *code, const Parts &...parts)
    {
        return tenon_issue_add(c_, field, code, "%s", detail::joined(parts...).c_str()), *this;
    }

    // Zeroed memory for `count` of T that lives until the answer is sent; T has no destructor to run.
    template <class T> T *alloc(std::size_t count = 1)
    {
        static_assert(std::is_trivially_destructible_v<T>, "tenon: a call's memory runs no destructors");
        void *room = count <= SIZE_MAX / sizeof(T) ? tenon_alloc(c_, count * sizeof(T)) : nullptr;
        if (!room)
            throw std::bad_alloc();
        return static_cast<T *>(room);
    }
    const char *keep(std::string_view text) // a copy in the call's memory, for fields of a result
    {
        char *copy = alloc<char>(text.size() + 1);
        text.copy(copy, text.size());
        return copy;
    }

    // Endings.
    outcome                    ok() { return tenon_ok(c_); }
    template <class T> outcome ok(const T &data) { return tenon_ok_data_(c_, detail::rows_table<T>, &data); }
    outcome                    ok_json(std::string_view json) { return tenon_ok_json(c_, json.data(), json.size()); }
    template <class T> outcome ok_page(const tenon_page &which, list<T> items, std::int64_t total = TENON_TOTAL_UNKNOWN)
    {
        return tenon_ok_page_(c_, &which, detail::rows_table<T>, items.at, items.count, total);
    }

    // A page by cursor: Position is const char *position(tenon::call &, const T &), the item's place in its order.
    template <auto Position, class T> outcome ok_items(list<T> items, bool more, std::int64_t total = TENON_TOTAL_UNKNOWN)
    {
        static_assert(std::is_invocable_r_v<const char *, decltype(Position), call &, const T &>,
                      "tenon: a position is: const char *position(tenon::call &, const T &)");
        return tenon_ok_items_(c_, detail::rows_table<T>, items.at, items.count, total, more, position_of<Position, T>);
    }
    template <class... Parts> outcome fail(const char *code, const Parts &...parts)
    {
        if constexpr (sizeof...(Parts) == 0)
            return tenon_fail(c_, code, nullptr); // in the words of the table
        else
            return tenon_fail(c_, code, "%s", detail::joined(parts...).c_str());
    }
    outcome                            invalid() { return tenon_invalid(c_); }
    template <class... Parts> outcome internal(const Parts &...parts)
    {
        return tenon_internal(c_, "%s", detail::joined(parts...).c_str());
    }

    // Asks the user to fill in the form of T: ask.h says how a handler is written that asks.
    template <class T, class... Parts> answer<T> elicit(const char *key, const Parts &...parts)
    {
        const void       *given = nullptr;
        const tenon_reply reply =
            tenon_elicit_(c_, key, detail::rows_table<T>, &given, "%s", detail::joined(parts...).c_str());

        return { reply, static_cast<const T *>(given) };
    }
    outcome ask() { return tenon_ask(c_); }

private:
    template <auto Position, class T> static const char *position_of(tenon_call *c, const void *item) noexcept
    {
        call view(c);
        try {
            return Position(view, *static_cast<const T *>(item));
        } catch (...) {
            return nullptr;
        }
    }
    tenon_call *c_;
};

namespace detail {

// Runs what may throw, for C.
template <class Run> outcome guarded(tenon_call *c, Run run) noexcept
{
    call view(c);
    try {
        return run(view);
    } catch (const std::exception &e) {
        return tenon_internal(c, "%s", e.what());
    } catch (...) {
        return tenon_internal(c, "an exception of an unknown type");
    }
}

} // namespace detail

} // namespace tenon

#endif
