// names.hpp - names of fields, functions and types, as the compiler writes them, and offsets of fields. Not yours.
#ifndef TENON_CPP_NAMES_HPP
#define TENON_CPP_NAMES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

namespace tenon::detail {

template <class> inline constexpr bool never = false;

template <class> struct member;
template <class T, class F> struct member<F T::*> {
    using owner = T;
    using field = F;
};
template <auto Field> using owner_of = typename member<decltype(Field)>::owner;
template <auto Field> using field_of = typename member<decltype(Field)>::field;

// "days" out of what the compiler calls the template's argument: gcc "[with auto Named = &forecast_args::days; ...]",
// clang "[Named = &forecast_args::days]".
constexpr std::string_view last_word(std::string_view pretty)
{
    std::size_t begin = pretty.find(" = ") + 3;

    pretty = pretty.substr(begin, pretty.find_first_of(";]", begin) - begin);
    return pretty.substr(pretty.find_last_of(":& ()*") + 1);
}

constexpr bool is_name(std::string_view word)
{
    for (char c : word)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    return !word.empty();
}

template <auto Named> constexpr auto  spelt() { return last_word(__PRETTY_FUNCTION__); }
template <class Named> constexpr auto spelt() { return last_word(__PRETTY_FUNCTION__); }

// A copy that ends in NUL, for C.
template <std::size_t N> struct letters {
    char at[N + 1] = {};

    constexpr explicit letters(std::string_view word)
    {
        for (std::size_t i = 0; i < N; i++)
            at[i] = word[i];
    }
};
template <auto Named> inline constexpr letters<spelt<Named>().size()>       kept{ spelt<Named>() };
template <class Named> inline constexpr letters<spelt<Named>().size()> kept_type{ spelt<Named>() };

template <auto Named> constexpr const char *name()
{
    static_assert(is_name(spelt<Named>()), "tenon: this compiler does not tell the name of a field or a function");
    return kept<Named>.at;
}

// Where a field lies: offsetof() takes no pointer to a member.
template <auto Field> std::uint32_t offset()
{
    using T = owner_of<Field>;
    static_assert(std::is_standard_layout_v<T> && std::is_trivially_destructible_v<T>,
                  "tenon: arguments and results are plain structs (no virtual functions, no members that own memory)");
    alignas(T) static const unsigned char room[sizeof(T)] = {};
    const T *at = reinterpret_cast<const T *>(room);

    return static_cast<std::uint32_t>(reinterpret_cast<const unsigned char *>(std::addressof(at->*Field)) - room);
}

} // namespace tenon::detail

#endif
