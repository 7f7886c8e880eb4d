# libtenon-http: the way of a client to a server at an address (src/http), in a module that libtenon loads when a program
# asks for one. Programs that do not never see libcurl. The command `tenon` has the same objects linked in.

if(NOT TENON_CURL OR NOT calling_curl_FOUND)
    message(STATUS "HTTP client: not built (it needs libcurl); tenon_client_url() will say so")
    return()
endif()

file(GLOB sources CONFIGURE_DEPENDS src/http/*.c)
list(FILTER sources EXCLUDE REGEX "_test\\.c$")

# What it needs of base and json it takes with it; nothing of that is seen from outside.
add_library(tenon_http MODULE ${sources})
set_target_properties(tenon_http PROPERTIES OUTPUT_NAME tenon-http LINKER_LANGUAGE C C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_include_directories(tenon_http PRIVATE include src)
target_link_libraries(tenon_http PRIVATE tenon_static PkgConfig::calling_curl ${TENON_DEPENDENCIES} tenon_flags)
target_link_options(tenon_http PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
if(NOT TENON_SANITIZE)
    target_link_options(tenon_http PRIVATE -Wl,--no-undefined)
endif()
install(TARGETS tenon_http LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${TENON_MODULE_DIR})
