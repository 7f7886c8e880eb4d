# Tests, found by name. Every one runs in the root of the source tree.

pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

# Linked with the static library, which shows a test the inside and gives it only the objects that it uses.
set(libraries tenon_commands tenon_static tenon_flags ${TENON_DEPENDENCIES} PkgConfig::cmocka)
file(GLOB support CONFIGURE_DEPENDS tests/support/*.c)
if(support)
    add_library(tenon_test_support STATIC ${support})
    target_include_directories(tenon_test_support PRIVATE src tests servers)
    target_link_libraries(tenon_test_support PRIVATE ${libraries})
    list(APPEND libraries tenon_test_support)
endif()

# A sanitizer's own settings; a program without that sanitizer does not read them.
set(TENON_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=halt_on_error=1")

# What runs within another program is many times slower, and may have to leave something out: it can see that it does.
set(program_timeout 300)
if(TENON_TEST_WRAPPER)
    set(program_timeout 1800)
    list(APPEND TENON_TEST_ENVIRONMENT "TENON_TEST_WRAPPED=1")
endif()

function(tenon_add_test name target)
    add_test(NAME ${name} COMMAND ${TENON_TEST_WRAPPER} $<TARGET_FILE:${target}> ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS program TIMEOUT ${program_timeout}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT "${TENON_TEST_ENVIRONMENT}")
endfunction()

set(units) # tests of the library, file by file: label `unit`, target `units`
add_custom_target(units)
foreach(layer IN LISTS TENON_LAYERS)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS src/${layer}/*_test.c)
    list(APPEND units ${found})
endforeach()
file(GLOB tests CONFIGURE_DEPENDS tests/*_test.c)
file(GLOB_RECURSE found CONFIGURE_DEPENDS src/cli/*_test.c src/contract/*_test.c src/guard/*_test.c src/http/*_test.c)
list(APPEND tests ${units} ${found})
if(TENON_CURL AND calling_curl_FOUND)
    file(GLOB found CONFIGURE_DEPENDS src/login/*_test.c)
    list(APPEND tests ${found})
endif()
if(TARGET tenon_fetch)
    file(GLOB found CONFIGURE_DEPENDS src/fetch/*_test.c)
    list(APPEND tests ${found})
    list(APPEND libraries tenon_fetch)
endif()
foreach(library IN LISTS TENON_SERVER_LIBRARIES)
    string(REGEX REPLACE "^tenon_" "" name ${library})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS servers/${name}/*_test.c)
    list(APPEND tests ${found})
endforeach()
foreach(test IN LISTS tests)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${test})
    string(REGEX REPLACE "^(src|servers)/|_test\\.c$" "" name ${name})
    string(REPLACE "/" "_" target ${name}_test)
    add_executable(${target} ${test})
    target_include_directories(${target} PRIVATE src tests servers)
    if(test MATCHES "/servers/")
        target_link_libraries(${target} PRIVATE ${TENON_SERVER_LIBRARIES})
    endif()
    target_link_libraries(${target} PRIVATE ${libraries})
    if(test MATCHES "/src/(cli|contract|guard|http|login)/")
        target_link_libraries(${target} PRIVATE ${TENON_SERVED} tenon_static)
    endif()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    tenon_add_test(${name} ${target})
    if(test IN_LIST units)
        set_tests_properties(${name} PROPERTIES LABELS "program;unit")
        add_dependencies(units ${target})
    endif()
endforeach()
foreach(target base_root_test base_root_race_test)
    target_link_options(${target} PRIVATE -Wl,--wrap=syscall) # it is a kernel without openat2, too
endforeach()

# A script may have a program of its own, tests/NAME/judge.c.
file(GLOB judges CONFIGURE_DEPENDS tests/*/judge.c)
foreach(judge IN LISTS judges)
    get_filename_component(directory ${judge} DIRECTORY)
    get_filename_component(name ${directory} NAME)
    add_executable(${name}_judge ${judge})
    target_include_directories(${name}_judge PRIVATE src tests)
    if(name MATCHES "^docs_|^postgresql$|^replicas$|^replicas_bus$") # of a server: tests/docs_NAME; or of the kit
        target_link_libraries(${name}_judge PRIVATE ${TENON_SERVER_LIBRARIES})
    endif()
    target_link_libraries(${name}_judge PRIVATE ${libraries})
    set_target_properties(${name}_judge PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endforeach()

# Whose judge runs over the zoo, and over the tools of all servers.
target_sources(agreement_judge PRIVATE tests/agreement/zoo.c)
list(LENGTH TENON_SERVED servers)
if(servers EQUAL 4)
    add_executable(agreement_servers tests/agreement/judge.c tests/agreement/servers.c)
    target_include_directories(agreement_servers PRIVATE src tests servers)
    target_link_libraries(agreement_servers PRIVATE ${TENON_SERVER_LIBRARIES} ${libraries})
    set_target_properties(agreement_servers PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()

# Scripts judge the product as it is shipped: not with sanitizers, not while counting.
function(tenon_add_script name script)
    add_test(NAME ${name} COMMAND ${script})
    set_tests_properties(${name} PROPERTIES LABELS script TIMEOUT 900 COST 1 # the longest: they start first
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        ENVIRONMENT "TENON_BUILD_DIR=${PROJECT_BINARY_DIR};CC=${CMAKE_C_COMPILER}")
endfunction()

if(NOT TENON_SANITIZE AND NOT TENON_TEST_WRAPPER)
    file(GLOB scripts CONFIGURE_DEPENDS tests/*/run.sh tests/*/run.py)
    list(FILTER scripts EXCLUDE REGEX "/tests/clients/") # builds for minutes: a stage of scripts/test --full
    foreach(script IN LISTS scripts)
        get_filename_component(directory ${script} DIRECTORY)
        get_filename_component(name ${directory} NAME)
        tenon_add_script(tests/${name} ${script})
    endforeach()
    tenon_add_script(scripts/check-layers ${PROJECT_SOURCE_DIR}/scripts/check-layers)
    tenon_add_script(scripts/check-words ${PROJECT_SOURCE_DIR}/scripts/check-words)
endif()
