// types.hpp - what fields of C++ structs are: the C types under names of C++, with begin() and end().
//
// Arguments and results stay plain structs: everything here is borrowed, has the layout of its C type, and owns nothing.
#ifndef TENON_CPP_TYPES_HPP
#define TENON_CPP_TYPES_HPP

#if __cplusplus < 201703L
#error "tenon/tenon.hpp needs C++17 or newer"
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/tenon.h>

namespace tenon {

using outcome    = tenon_outcome;
using time       = tenon_time; // a moment: .ms since 1970, .set
using page       = tenon_page;
using cursor     = tenon_cursor;
using time_range = tenon_time_range;

// Text with its length. Also `const char *` is a field for text.
struct text {
    const char *at;
    std::size_t len;

    constexpr operator std::string_view() const noexcept { return { at, len }; }
    constexpr const char *c_str() const noexcept { return at; }
    std::string           str() const { return { at, len }; }
};

// A list: of const char *, std::int64_t, double, an enum, or a struct that has rows.
template <class T> struct list {
    std::size_t count;
    const T    *at;

    constexpr const T    *begin() const noexcept { return at; }
    constexpr const T    *end() const noexcept { return at + count; }
    constexpr std::size_t size() const noexcept { return count; }
    constexpr bool        empty() const noexcept { return count == 0; }
    constexpr const T    &operator[](std::size_t i) const noexcept { return at[i]; }
};

// The items of a std::vector, std::array or the like, which must live until the answer is made.
template <class Items> auto list_of(const Items &items) -> list<std::remove_cv_t<std::remove_reference_t<decltype(*items.data())>>>
{
    return { items.size(), items.data() };
}

// A set of enum values below 64.
template <class E> struct set {
    std::uint64_t bits;

    constexpr bool has(E value) const noexcept
    {
        auto bit = static_cast<std::int64_t>(value);
        return bit >= 0 && bit < 64 && (bits >> bit & 1u) != 0;
    }
};

// An object of strings, in the order in which it was sent.
struct map {
    std::size_t       count;
    const tenon_pair *at;

    constexpr const tenon_pair *begin() const noexcept { return at; }
    constexpr const tenon_pair *end() const noexcept { return at + count; }
    constexpr std::size_t       size() const noexcept { return count; }
    const char                 *get(const char *key) const // or nullptr
    {
        tenon_map all = { count, at };
        return tenon_map_get(&all, key);
    }
};

static_assert(std::is_standard_layout_v<text> && sizeof(text) == sizeof(tenon_str));
static_assert(std::is_standard_layout_v<list<double>> && sizeof(list<double>) == sizeof(tenon_nums));
static_assert(std::is_standard_layout_v<set<tenon_kind>> && sizeof(set<tenon_kind>) == sizeof(tenon_set));
static_assert(std::is_standard_layout_v<map> && sizeof(map) == sizeof(tenon_map));

} // namespace tenon

#endif
