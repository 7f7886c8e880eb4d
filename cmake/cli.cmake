# The program `tenon` with its guard. All of it but main.c is a library of its own, which its tests are linked with.

file(GLOB_RECURSE commands CONFIGURE_DEPENDS src/cli/*.c)
file(GLOB_RECURSE found CONFIGURE_DEPENDS src/contract/*.c src/guard/*.c)
list(APPEND commands ${found})
list(FILTER commands EXCLUDE REGEX "(_test|/cli/main)\\.c$")
add_library(tenon_commands STATIC ${commands})
target_include_directories(tenon_commands PRIVATE include src)
target_link_libraries(tenon_commands PRIVATE tenon_static tenon_flags ${TENON_DEPENDENCIES})

target_sources(tenon_commands PRIVATE src/http/sse_reader.c)

# What the guard's configuration is validated by: installed for editors, and part of the program.
set(schema ${PROJECT_SOURCE_DIR}/share/tenon/guard.schema.json)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/guard_schema.c
    COMMAND ${CMAKE_COMMAND} -DFROM=${schema} -DTO=${PROJECT_BINARY_DIR}/guard_schema.c -DNAME=tn_guard_schema
        -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${schema} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
target_sources(tenon_commands PRIVATE ${PROJECT_BINARY_DIR}/guard_schema.c)
install(FILES ${schema} DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon)

# What clients do with lists of tools, for `tenon lint` and the guard: profiles and the schema that they keep to.
set(schema ${PROJECT_SOURCE_DIR}/share/tenon/profile.schema.json)
file(GLOB profiles CONFIGURE_DEPENDS share/tenon/profiles/*.json)
set(texts "/* Made of share/tenon/profiles by the build. */\n#include \"contract/lint/profile.h\"\n\n")
set(rows "")
foreach(file ${schema} ${profiles})
    get_filename_component(name ${file} NAME)
    string(REGEX REPLACE "\\.json$" "" name ${name})
    string(MAKE_C_IDENTIFIER "tn_profile_text_${name}" symbol)
    if(file STREQUAL "${schema}")
        set(symbol tn_profile_schema)
    else()
        string(APPEND texts "extern const char ${symbol}[];\n")
        string(APPEND rows "    { \"${name}\", ${symbol} },\n")
    endif()
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/${symbol}.c
        COMMAND ${CMAKE_COMMAND} -DFROM=${file} -DTO=${PROJECT_BINARY_DIR}/${symbol}.c -DNAME=${symbol}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
    target_sources(tenon_commands PRIVATE ${PROJECT_BINARY_DIR}/${symbol}.c)
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/profile_texts.c
    CONTENT "${texts}\nconst struct tn_profile_text tn_profile_texts[] = {\n${rows}    { NULL, NULL },\n};\n")
target_sources(tenon_commands PRIVATE ${PROJECT_BINARY_DIR}/profile_texts.c)
install(FILES ${schema} DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon)
install(FILES ${profiles} DESTINATION ${CMAKE_INSTALL_DATADIR}/tenon/profiles)

# The files of `tenon new`.
file(GLOB templates CONFIGURE_DEPENDS share/tenon/new*/*)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/template.c
    COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/share/tenon/new -DTO=${PROJECT_BINARY_DIR}/template.c
        -P ${PROJECT_SOURCE_DIR}/cmake/template.cmake
    DEPENDS ${templates} ${PROJECT_SOURCE_DIR}/cmake/template.cmake VERBATIM)
target_sources(tenon_commands PRIVATE ${PROJECT_BINARY_DIR}/template.c)

# Optional: lines that are edited, in `tenon shell`; libedit is loaded when there is a terminal.
pkg_check_modules(libedit libedit)
if(libedit_FOUND AND TARGET tenon_fetch)
    target_include_directories(tenon_commands PRIVATE ${libedit_INCLUDE_DIRS})
    target_compile_definitions(tenon_commands PRIVATE "TENON_EDIT=\"libedit.so.2\"")
endif()

# Optional: configurations in YAML; JSON is read without it.
if(TARGET PkgConfig::libyaml)
    target_link_libraries(tenon_commands PUBLIC PkgConfig::libyaml)
    target_compile_definitions(tenon_commands PUBLIC TENON_YAML)
endif()

# Optional: servers at addresses, in `tenon tools` and `tenon call`.
if(TENON_CURL)
    pkg_check_modules(calling_curl IMPORTED_TARGET "libcurl >= 7.85")
endif()
if(TENON_CURL AND calling_curl_FOUND)
    # Logging in to them; keys are libcrypto's to sign with, where it is found.
    file(GLOB logins CONFIGURE_DEPENDS src/login/*.c)
    list(FILTER logins EXCLUDE REGEX "(_test|/late_crypto)\\.c$")
    target_sources(tenon_commands PRIVATE ${logins} src/http/exchange.c src/http/http.c src/http/leave.c)
    target_link_libraries(tenon_commands PUBLIC tenon_fetch)
    pkg_check_modules(calling_crypto IMPORTED_TARGET "libcrypto >= 3.0")
    if(calling_crypto_FOUND)
        tenon_link_late(tenon_commands calling_crypto src/login/late_crypto.c TENON_LATE_CRYPTO)
        target_compile_definitions(tenon_commands PRIVATE TENON_CRYPTO)
    endif()
    target_compile_definitions(tenon_commands PRIVATE TENON_CURL)
endif()

foreach(server IN LISTS TENON_SERVED)
    string(REGEX REPLACE "^tenon_" "" server ${server})
    string(TOUPPER ${server} server)
    target_compile_definitions(tenon_commands PUBLIC TENON_SERVER_${server})
endforeach()

add_executable(tenon_program src/cli/main.c)
target_include_directories(tenon_program PRIVATE include src)
target_link_libraries(tenon_program PRIVATE tenon_commands ${TENON_SERVED} tenon_static tenon_flags
    ${TENON_DEPENDENCIES})
set_target_properties(tenon_program PROPERTIES OUTPUT_NAME tenon RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

install(TARGETS tenon_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES man/tenon.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
install(FILES completions/tenon.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tenon)
install(FILES completions/_tenon DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/tenon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
