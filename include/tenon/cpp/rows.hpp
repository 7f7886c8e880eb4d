// rows.hpp - rows in C++: the kind follows from the field's type, and each kind has the options that it can have.
//
//     struct forecast_args {
//         const char *city;
//         int         days;
//
//         static auto rows()
//         {
//             return tenon::rows(tenon::row<&forecast_args::city>("A city, in English.").required().len(1, 80),
//                                tenon::row<&forecast_args::days>("How far ahead.").range(1, 14).def(3));
//         }
//     };
//
// What an option means stands in rows.h, under the same name. A struct of someone else gets its rows by a specialization of
// tenon::rows_of.
#ifndef TENON_CPP_ROWS_HPP
#define TENON_CPP_ROWS_HPP

#include <array>
#include <cassert>
#include <exception>

#include <tenon/cpp/names.hpp>
#include <tenon/cpp/types.hpp>

namespace tenon {

template <class T, class = void> struct rows_of {};
template <class T> struct rows_of<T, std::void_t<decltype(T::rows())>> {
    static auto rows() { return T::rows(); }
};

// What tenon::rows() makes. Owner is the struct whose fields the rows name.
template <class Owner, std::size_t N> struct table {
    std::array<tenon_row, N> at;
};

namespace detail {

template <class T, class = void> struct has_rows : std::false_type {};
template <class T> struct has_rows<T, std::void_t<decltype(rows_of<T>::rows())>> : std::true_type {};

template <class> struct item_of {};
template <class T> struct item_of<list<T>> { using type = T; };
template <class F, class = void> struct is_objects : std::false_type {};
template <class F> struct is_objects<F, std::void_t<typename item_of<F>::type>> : has_rows<typename item_of<F>::type> {};

template <class F> inline constexpr bool is_pointer_to_rows =
    std::is_pointer_v<F> && std::is_const_v<std::remove_pointer_t<F>> && has_rows<std::remove_cv_t<std::remove_pointer_t<F>>>::value;
template <class F> inline constexpr bool is_group =
    std::is_same_v<F, tenon_page> || std::is_same_v<F, tenon_cursor> || std::is_same_v<F, tenon_time_range>;

// Calls a check of C++ from C. What it throws makes the call an INTERNAL_ERROR.
template <auto Check, class V> const char *run_check(tenon_check *check, const void *value) noexcept
{
    static_assert(std::is_invocable_r_v<const char *, decltype(Check), tenon_check *, const V &>,
                  "tenon: a check is: const char *check(tenon_check *, const FIELD &)");
    try {
        return Check(check, *static_cast<const V *>(value));
    } catch (const std::exception &e) {
        return tenon_check_fail(check, "%s", e.what());
    } catch (...) {
        return tenon_check_fail(check, "an exception of an unknown type");
    }
}

template <auto Lookup, class V> void run_lookup(tenon_lookup *lookup, const void *value) noexcept
{
    static_assert(std::is_invocable_v<decltype(Lookup), tenon_lookup *, const V &>,
                  "tenon: a lookup is: void lookup(tenon_lookup *, const FIELD &)");
    tenon_call *call = tenon_lookup_call(lookup);
    try {
        Lookup(lookup, *static_cast<const V *>(value));
    } catch (const std::exception &e) {
        tenon_lookup_fail(lookup, tenon_internal(call, "%s", e.what()));
    } catch (...) {
        tenon_lookup_fail(lookup, tenon_internal(call, "an exception of an unknown type"));
    }
}

// ---- Kinds of rows -------------------------------------------------------------------------------------------------

// What every row has.
template <class Self, class T, class F> struct any_row {
    using owner = T;
    tenon_row row;

    explicit any_row(tenon_kind kind, std::uint8_t flavour = 0)
    {
        tenon_row_init(&row, kind);
        row.flavour = flavour;
    }
    Self &key(const char *v) { return row.rule.any.key = v, self(); }
    Self &alias(const char *v) { return row.rule.any.alias = v, self(); }
    Self &example(const char *v) { return row.rule.any.example = v, self(); }
    Self &note(const char *v) { return row.rule.any.note = v, self(); }
    Self &default_note(const char *v) { return row.rule.any.default_note = v, self(); }
    Self &required(bool v = true) { return row.rule.any.required = v, self(); }
    Self &secret(bool v = true) { return row.rule.any.secret = v, self(); }
    Self &strict(bool v = true) { return row.rule.any.strict = v, self(); }
    template <auto Lookup> Self &lookup() { return row.rule.any.lookup = run_lookup<Lookup, F>, self(); }

    // A rule of your own: const char *check(tenon_check *, const FIELD &), nullptr when it holds. At most TENON_CHECKS_MAX.
    template <auto Check> Self &check()
    {
        std::size_t i = 0;

        while (i < TENON_CHECKS_MAX && row.rule.any.checks[i].check)
            i++;
        assert(i < TENON_CHECKS_MAX && "tenon: a row has four checks at most");
        row.rule.any.checks[i].check = run_check<Check, F>;
        return self();
    }

protected:
    Self &self() { return static_cast<Self &>(*this); }
};

template <class T, class F> struct text_row : any_row<text_row<T, F>, T, F> {
    text_row() : any_row<text_row, T, F>(TENON_KIND_STR, !std::is_same_v<F, const char *>) {}
    text_row &len(std::size_t min, std::size_t max) { return at().len[0] = min, at().len[1] = max, *this; }
    text_row &pattern(const char *v, const char *in_words = nullptr) { return at().pattern = v, at().pattern_text = in_words, *this; }
    text_row &format(const char *v) { return at().format = v, *this; }
    text_row &def(const char *v) { return at().def = v, *this; }
    text_row &blank_ok(bool v = true) { return at().blank_ok = v, *this; }
    text_row &header(const char *v) { return at().header = v, *this; }
    text_row &path(const char *ext = nullptr) { return kind(TENON_KIND_PATH), at().ext = ext, *this; }
    text_row &abs_path(const char *ext = nullptr) { return kind(TENON_KIND_ABSPATH), at().ext = ext, *this; }
    text_row &url(const char *schemes = nullptr) { return kind(TENON_KIND_URL), at().schemes = schemes, *this; }
    text_row &uuid() { return kind(TENON_KIND_UUID), *this; }
    text_row &id() { return kind(TENON_KIND_ID), *this; }

private:
    tenon_text_options &at() { return this->row.rule.text; }
    void                kind(tenon_kind v) { this->row.kind = static_cast<std::uint8_t>(v); }
};

template <class T, class F> struct int_row : any_row<int_row<T, F>, T, F> {
    int_row() : any_row<int_row, T, F>(TENON_KIND_INT, std::is_unsigned_v<F>) {}
    int_row &range(std::int64_t min, std::int64_t max) { return at().range[0] = min, at().range[1] = max, *this; }
    int_row &min(std::int64_t v) { return at().range[0] = v, *this; }
    int_row &max(std::int64_t v) { return at().range[1] = v, *this; }
    int_row &def(std::int64_t v) { return at().def = v, *this; }
    int_row &clamp(bool v = true) { return at().clamp = v, *this; }
    int_row &low_default(bool v = true) { return at().low_default = v, *this; }
    int_row &low_text(const char *v) { return at().low_text = v, *this; }
    int_row &high_text(const char *v) { return at().high_text = v, *this; }
    int_row &header(const char *v) { return at().header = v, *this; }

private:
    tenon_int_options &at() { return this->row.rule.integer; }
};

template <class T, class F> struct num_row : any_row<num_row<T, F>, T, F> {
    num_row() : any_row<num_row, T, F>(TENON_KIND_NUM) {}
    num_row &range(double min, double max) { return at().range[0] = min, at().range[1] = max, *this; }
    num_row &min(double v) { return at().range[0] = v, *this; }
    num_row &max(double v) { return at().range[1] = v, *this; }
    num_row &def(double v) { return at().def = v, *this; }
    num_row &tolerance(double v) { return at().tolerance = v, *this; }
    num_row &clamp(bool v = true) { return at().clamp = v, *this; }

private:
    tenon_num_options &at() { return this->row.rule.number; }
};

template <class T> struct bool_row : any_row<bool_row<T>, T, bool> {
    bool_row() : any_row<bool_row, T, bool>(TENON_KIND_BOOL) {}
    bool_row &def(bool v) { return this->row.rule.boolean.def = v, *this; }
    bool_row &header(const char *v) { return this->row.rule.boolean.header = v, *this; }
};

template <class T, class F> struct enum_row : any_row<enum_row<T, F>, T, F> {
    enum_row(const char *const *names, std::size_t count) : any_row<enum_row, T, F>(TENON_KIND_ENUM)
    {
        at().names = names, at().name_count = count;
    }
    enum_row &def(F v) { return at().def = static_cast<int>(v), *this; }
    enum_row &exact(bool v = true) { return at().exact = v, *this; }
    enum_row &header(const char *v) { return at().header = v, *this; }

private:
    tenon_enum_options &at() { return this->row.rule.choice; }
};

// Options that lists share.
template <class Self, class T, class F> struct list_row : any_row<Self, T, F> {
    using any_row<Self, T, F>::any_row;
    Self &count(std::size_t min, std::size_t max) { return self().at().count[0] = min, self().at().count[1] = max, self(); }
    Self &def(const char *json) { return self().at().def = json, self(); }
    Self &unique(bool v = true) { return self().at().unique = v, self(); }
    Self &json_text(bool v = true) { return self().at().json_text = v, self(); }

private:
    Self &self() { return static_cast<Self &>(*this); }
};

template <class T, class F> struct enums_row : list_row<enums_row<T, F>, T, F> { // a set, or a list in order
    enums_row(const char *const *names, std::size_t count, bool is_list)
        : list_row<enums_row, T, F>(TENON_KIND_ENUMS, is_list)
    {
        at().names = names, at().name_count = count;
    }
    enums_row           &noun(const char *v) { return at().noun = v, *this; }
    enums_row           &exact(bool v = true) { return at().exact = v, *this; }
    tenon_enums_options &at() { return this->row.rule.choices; }
};

template <class T, class F> struct strs_row : list_row<strs_row<T, F>, T, F> { // texts, paths, or the values of a map
    explicit strs_row(tenon_kind kind) : list_row<strs_row, T, F>(kind) {}
    strs_row &len(std::size_t min, std::size_t max) { return at().len[0] = min, at().len[1] = max, *this; }
    strs_row &pattern(const char *v, const char *in_words = nullptr) { return at().pattern = v, at().pattern_text = in_words, *this; }
    strs_row &format(const char *v) { return at().format = v, *this; }
    strs_row &comma(bool v = true) { return at().comma = v, *this; }
    strs_row &paths(const char *ext = nullptr) { return this->row.kind = TENON_KIND_PATHS, at().ext = ext, *this; }
    tenon_strs_options &at() { return this->row.rule.strs; }
};

template <class T, class F> struct ints_row : list_row<ints_row<T, F>, T, F> {
    ints_row() : list_row<ints_row, T, F>(TENON_KIND_INTS) {}
    ints_row &range(std::int64_t min, std::int64_t max) { return at().range[0] = min, at().range[1] = max, *this; }
    tenon_ints_options &at() { return this->row.rule.ints; }
};

template <class T, class F> struct nums_row : list_row<nums_row<T, F>, T, F> {
    nums_row() : list_row<nums_row, T, F>(TENON_KIND_NUMS) {}
    nums_row &range(double min, double max) { return at().range[0] = min, at().range[1] = max, *this; }
    tenon_nums_options &at() { return this->row.rule.nums; }
};

template <class T, class F> struct time_row : any_row<time_row<T, F>, T, F> { // a moment, unless it is made a .date()
    time_row() : any_row<time_row, T, F>(TENON_KIND_TIMESTAMP) {}
    time_row &date() { return this->row.kind = TENON_KIND_DATE, *this; }
    time_row &end_of_day() { return this->row.rule.time.end_of_day = true, date(); }
    time_row &calendar() { return this->row.rule.time.calendar = true, date(); }
    time_row &def(const char *v) { return this->row.rule.time.def = v, *this; }
};

template <class T, class F> struct object_row : any_row<object_row<T, F>, T, F> { // an object, a list of them, any JSON
    object_row(tenon_kind kind, tenon_rows_fn rows, std::uint8_t flavour = 0) : any_row<object_row, T, F>(kind, flavour)
    {
        at().rows = rows;
    }
    object_row &count(std::size_t min, std::size_t max) { return at().count[0] = min, at().count[1] = max, *this; }
    object_row &def(const char *json) { return at().def = json, *this; }
    object_row &json_text(bool v = true) { return at().json_text = v, *this; }

private:
    tenon_object_options &at() { return this->row.rule.object; }
};

template <class T> struct group_row {
    using owner = T;
    tenon_row row;

    group_row &keys(const char *v) { return row.rule.group.keys = v, *this; }
    group_row &max(std::int64_t v) { return row.rule.group.max = v, *this; } // of pageSize, or of limit
    group_row &tuned(const char *v) { return row.rule.group.tuned = v, *this; }
};

template <class T> struct rule_row {
    using owner = T;
    tenon_row row;
};

// The library knows its own groups by the names of their tables.
template <class T> constexpr const char *table_name()
{
    if constexpr (std::is_same_v<T, tenon_page>)
        return "tenon_page_rows";
    else if constexpr (std::is_same_v<T, tenon_cursor>)
        return "tenon_cursor_rows";
    else
        return kept_type<T>.at;
}

// The rows of a struct as C has them, made once.
template <class T> const tenon_rows *rows_table() noexcept
{
    static const auto       made  = rows_of<T>::rows();
    static const tenon_rows table = [] {
        tenon_rows all{};
        all.name = table_name<T>(), all.at = made.at.data(), all.count = made.at.size();
        all.row_size = sizeof(tenon_row), all.struct_size = sizeof(T);
        return all;
    }();
    static_assert(std::is_same_v<decltype(rows_of<T>::rows()), tenon::table<T, std::tuple_size_v<decltype(made.at)>>>,
                  "tenon: these rows name fields of another struct");
    return &table;
}

// The row that a field of type F has.
template <class T, class F> auto row_for()
{
    if constexpr (std::is_same_v<F, const char *> || std::is_same_v<F, text> || std::is_same_v<F, tenon_str>)
        return text_row<T, F>();
    else if constexpr (std::is_same_v<F, bool>)
        return bool_row<T>();
    else if constexpr (std::is_integral_v<F> && sizeof(F) >= 2)
        return int_row<T, F>();
    else if constexpr (std::is_same_v<F, double> || std::is_same_v<F, float>)
        return num_row<T, F>();
    else if constexpr (std::is_same_v<F, tenon_time>)
        return time_row<T, F>();
    else if constexpr (std::is_same_v<F, list<const char *>> || std::is_same_v<F, tenon_strs>)
        return strs_row<T, F>(TENON_KIND_STRS);
    else if constexpr (std::is_same_v<F, map> || std::is_same_v<F, tenon_map>)
        return strs_row<T, F>(TENON_KIND_MAP);
    else if constexpr (std::is_same_v<F, list<std::int64_t>> || std::is_same_v<F, tenon_ints>)
        return ints_row<T, F>();
    else if constexpr (std::is_same_v<F, list<double>> || std::is_same_v<F, tenon_nums>)
        return nums_row<T, F>();
    else if constexpr (std::is_same_v<F, const tenon_json *>)
        return object_row<T, F>(TENON_KIND_JSON, nullptr);
    else if constexpr (is_objects<F>::value)
        return object_row<T, F>(TENON_KIND_OBJECTS, rows_table<typename item_of<F>::type>);
    else if constexpr (has_rows<F>::value)
        return object_row<T, F>(TENON_KIND_OBJECT, rows_table<F>);
    else if constexpr (is_pointer_to_rows<F>)
        return object_row<T, F>(TENON_KIND_OBJECT, rows_table<std::remove_cv_t<std::remove_pointer_t<F>>>, 1);
    else if constexpr (is_group<F>)
        static_assert(never<F>, "tenon: a page, a cursor or a range of time is a group: tenon::group<&T::field>()");
    else if constexpr (std::is_enum_v<F>)
        static_assert(never<F>, "tenon: an enum needs the names of its values: tenon::row<&T::field>(names, \"What it is.\")");
    else
        static_assert(never<F>, "tenon: there is no row for a field of this type; docs/cpp.md lists those that there are");
}

template <auto Field, class R> R placed(R made, const char *doc)
{
    made.row.field = name<Field>(), made.row.offset = offset<Field>(), made.row.size = sizeof(field_of<Field>);
    made.row.rule.any.doc = doc;
    return made;
}

template <auto First, auto... Rest> rule_row<owner_of<First>> fields_rule(tenon_kind kind)
{
    static_assert(sizeof...(Rest) >= 1 && sizeof...(Rest) < TENON_RULE_FIELDS_MAX, "tenon: such a rule is over two to six fields");
    static_assert((std::is_same_v<owner_of<First>, owner_of<Rest>> && ...), "tenon: a rule is over fields of one struct");
    static const std::string names   = ((std::string(name<First>()) + ", ") + ... + (std::string(name<Rest>()) + ", "));
    static const std::string trimmed = names.substr(0, names.size() - 2);
    const std::uint32_t      at[]    = { offset<First>(), offset<Rest>()... };
    rule_row<owner_of<First>> rule;

    tenon_row_init(&rule.row, kind);
    rule.row.field             = trimmed.c_str();
    rule.row.rule.fields.count = 1 + sizeof...(Rest);
    for (std::size_t i = 0; i < 1 + sizeof...(Rest); i++)
        rule.row.rule.fields.offset[i] = at[i];
    return rule;
}

template <class T> T whole_of(const char *(*)(tenon_check *, const T &));
template <class T> T whole_of(void (*)(T &));

} // namespace detail

// ---- Rows ----------------------------------------------------------------------------------------------------------

// A row: row<&args::days>("How far ahead.").range(1, 14).def(3)
template <auto Field> auto row(const char *doc)
{
    return detail::placed<Field>(detail::row_for<detail::owner_of<Field>, detail::field_of<Field>>(), doc);
}

// A row of enum values, whose names stand in their order: a field of the enum, tenon::set or tenon::list of it.
template <auto Field, std::size_t N> auto row(const char *const (&names)[N], const char *doc)
{
    using T = detail::owner_of<Field>;
    using F = detail::field_of<Field>;

    if constexpr (std::is_enum_v<F>)
        return detail::placed<Field>(detail::enum_row<T, F>(names, N), doc);
    else if constexpr (sizeof(F) == sizeof(tenon_set))
        return detail::placed<Field>(detail::enums_row<T, F>(names, N, false), doc);
    else {
        static_assert(sizeof(typename detail::item_of<F>::type) == sizeof(int), "tenon: an enum in a list has the size of an int");
        return detail::placed<Field>(detail::enums_row<T, F>(names, N, true), doc);
    }
}

// Rules over several fields; rows.h says what each means. `needs`: the first only together with all the others.
template <auto A, auto B> auto ordered() { return detail::fields_rule<A, B>(TENON_KIND_ORDERED); }
template <auto... Fields> auto together() { return detail::fields_rule<Fields...>(TENON_KIND_TOGETHER); }
template <auto... Fields> auto exclusive() { return detail::fields_rule<Fields...>(TENON_KIND_EXCLUSIVE); }
template <auto... Fields> auto any_of() { return detail::fields_rule<Fields...>(TENON_KIND_ANY_OF); }
template <auto... Fields> auto needs() { return detail::fields_rule<Fields...>(TENON_KIND_REQUIRES); }

// A rule over the whole struct: const char *check(tenon_check *, const T &).
template <auto Check> auto check()
{
    using T = decltype(detail::whole_of(Check));
    detail::rule_row<T> rule;

    tenon_row_init(&rule.row, TENON_KIND_CHECK);
    rule.row.field           = detail::name<Check>();
    rule.row.rule.with.check = detail::run_check<Check, T>;
    return rule;
}

// Fills fields that no row names, once all is valid: void derive(T &) noexcept.
template <auto Derive> auto derive()
{
    using T = decltype(detail::whole_of(Derive));
    static_assert(std::is_nothrow_invocable_v<decltype(Derive), T &>, "tenon: a derive function is noexcept: void derive(T &) noexcept");
    detail::rule_row<T> rule;

    tenon_row_init(&rule.row, TENON_KIND_DERIVE);
    rule.row.field       = detail::name<Derive>();
    rule.row.rule.derive = [](void *group) { Derive(*static_cast<T *>(group)); };
    return rule;
}

// All rows of a struct.
template <class First, class... Rest> auto rows(const First &first, const Rest &...rest)
{
    using T = typename First::owner;
    static_assert((std::is_same_v<T, typename Rest::owner> && ...), "tenon: these rows name fields of different structs");
    return table<T, 1 + sizeof...(Rest)>{ { first.row, rest.row... } };
}

// ---- Groups that are ready to use: those of group.h --------------------------------------------------------------------

template <> struct rows_of<tenon_page> {
    static auto rows()
    {
        auto size = row<&tenon_page::page_size>("Items on a page.").key("pageSize").range(1, 100).def(50).clamp().low_default();
        detail::rule_row<tenon_page> derived;

        tenon_row_init(&derived.row, TENON_KIND_DERIVE);
        derived.row.field = "tenon_page_derive", derived.row.rule.derive = tenon_page_derive;
        return tenon::rows(row<&tenon_page::page>("Page number, from 1.").min(1).def(1).clamp()
                               .low_text("Invalid page number {value}, using page {used}"),
                           size.low_text("Invalid pageSize {value}, using default {used}")
                               .high_text("Requested pageSize {value} exceeds maximum {max}, capped to {used}"),
                           derived);
    }
};

template <> struct rows_of<tenon_cursor> {
    static auto rows()
    {
        return tenon::rows(row<&tenon_cursor::cursor>("Where to continue: the cursor of the answer before. Leave it out to start."),
                           row<&tenon_cursor::limit>("Most items to return.").range(1, 100).def(50).clamp());
    }
};

template <> struct rows_of<tenon_time_range> {
    static auto rows()
    {
        return tenon::rows(row<&tenon_time_range::start>("Not before this date.").date().key("startDate"),
                           row<&tenon_time_range::end>("Not after this date; the whole day counts.").end_of_day().key("endDate"),
                           ordered<&tenon_time_range::start, &tenon_time_range::end>());
    }
};

// The rows of a field's own struct, whose parameters stand beside the others: a page, a cursor, a range of time, or yours.
template <auto Field> auto group()
{
    using F = detail::field_of<Field>;
    static_assert(detail::has_rows<F>::value, "tenon: a group is a struct that has rows");
    detail::group_row<detail::owner_of<Field>> made;

    tenon_row_init(&made.row, TENON_KIND_GROUP);
    made.row.field = detail::name<Field>(), made.row.offset = detail::offset<Field>(), made.row.size = sizeof(F);
    made.row.rule.group.rows = detail::rows_table<F>;
    if constexpr (std::is_same_v<F, tenon_page>)
        made.row.rule.group.tuned = "pageSize";
    if constexpr (std::is_same_v<F, tenon_cursor>)
        made.row.rule.group.tuned = "limit";
    return made;
}

} // namespace tenon

#endif
