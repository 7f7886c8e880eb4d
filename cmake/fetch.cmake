# tenon_fetch: the bounded HTTP client (src/fetch), linked only into what uses it and never part of libtenon. Its names have
# the library's prefix, so that it can stand beside everything.

pkg_check_modules(fetching_curl IMPORTED_TARGET "libcurl >= 7.68")
if(NOT fetching_curl_FOUND)
    message(STATUS "fetch: not built (it needs libcurl)")
    return()
endif()

file(GLOB sources CONFIGURE_DEPENDS src/fetch/*.c)
list(FILTER sources EXCLUDE REGEX "(_test|/late_curl)\\.c$")
add_library(tenon_fetch STATIC ${sources})
set_target_properties(tenon_fetch PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(tenon_fetch PRIVATE include INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> PRIVATE src)
target_link_libraries(tenon_fetch PRIVATE tenon_flags PUBLIC tenon_static Threads::Threads)
tenon_link_late(tenon_fetch fetching_curl src/fetch/late_curl.c TENON_LATE_CURL)
