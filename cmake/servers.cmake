# Servers, written against the public headers only.
#
#   servers/kit/*.c          what they share                      servers/PATH_test.c   ctest PATH
#   servers/NAME/**.c        a library: a server of the program `tenon` (TENON_SERVERS)
#   servers/conformance/*.c  a program: the fixture of the official suite

set(TENON_SERVER_LIBRARIES)

pkg_check_modules(sqlite3 IMPORTED_TARGET sqlite3)
pkg_check_modules(libcmark IMPORTED_TARGET libcmark)
pkg_check_modules(libyaml IMPORTED_TARGET yaml-0.1)
pkg_check_modules(libcurl IMPORTED_TARGET libcurl)

# tenon_add_server(NAME LIBRARY...): servers/NAME as a library, if what it needs is there.
function(tenon_add_server name)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS servers/${name}/*.c)
    list(FILTER found EXCLUDE REGEX "_test\\.c$")
    if(NOT found)
        return()
    endif()
    foreach(needed IN LISTS ARGN)
        if(NOT TARGET ${needed})
            message(STATUS "servers/${name} is not built: ${needed} was not found")
            return()
        endif()
    endforeach()
    add_library(tenon_${name} STATIC ${found})
    target_include_directories(tenon_${name} PUBLIC include servers)
    target_link_libraries(tenon_${name} PUBLIC tenon_flags ${ARGN} Threads::Threads m)
    target_compile_definitions(tenon_${name} PRIVATE _GNU_SOURCE)
    set(TENON_SERVER_LIBRARIES ${TENON_SERVER_LIBRARIES} tenon_${name} PARENT_SCOPE)
endfunction()

tenon_add_server(kit PkgConfig::sqlite3)
tenon_add_server(docs tenon_kit PkgConfig::libcmark PkgConfig::libyaml PkgConfig::libsodium PkgConfig::libuv
    PkgConfig::libcurl)
tenon_add_server(kyc tenon_kit PkgConfig::sqlite3)
tenon_add_server(pentest tenon_kit tenon_docs PkgConfig::libcurl PkgConfig::sqlite3)
tenon_add_server(appsec tenon_kit PkgConfig::sqlite3)

# tenon_enclose_server(NAME ENTRY...): target tenon_NAME_ready, the server for the program, of which only its entry points are
# seen: servers, the program and the library have names in common, and a linker would silently take one for the other. Of
# other servers that it is built from, only what it uses is in it.
function(tenon_enclose_server name)
    if(NOT TARGET tenon_${name})
        return()
    endif()
    set(object ${PROJECT_BINARY_DIR}/tenon_${name}_ready.o)
    set(archive ${PROJECT_BINARY_DIR}/libtenon_${name}_ready.a)
    list(TRANSFORM ARGN PREPEND --keep-global-symbol= OUTPUT_VARIABLE kept)
    get_target_property(needed tenon_${name} LINK_LIBRARIES)
    set(parts ${needed})
    list(FILTER parts INCLUDE REGEX "^tenon_")
    list(REMOVE_ITEM parts tenon_flags)
    list(REMOVE_ITEM needed tenon_flags ${parts})
    list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
    add_custom_command(OUTPUT ${archive}
        COMMAND ${CMAKE_LINKER} -r -o ${object} --whole-archive $<TARGET_FILE:tenon_${name}> --no-whole-archive
            --start-group ${archives} --end-group
        COMMAND ${CMAKE_OBJCOPY} ${kept} ${object}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
        COMMAND ${CMAKE_AR} rcs ${archive} ${object}
        DEPENDS tenon_${name} ${parts} VERBATIM)
    add_custom_target(tenon_${name}_enclosed DEPENDS ${archive})
    add_library(tenon_${name}_ready STATIC IMPORTED)
    add_dependencies(tenon_${name}_ready tenon_${name}_enclosed)
    set_target_properties(tenon_${name}_ready PROPERTIES IMPORTED_LOCATION ${archive})
    target_link_libraries(tenon_${name}_ready INTERFACE ${needed} PkgConfig::sqlite3 tenon_static)
    set(TENON_READY_SERVERS ${TENON_READY_SERVERS} tenon_${name}_ready PARENT_SCOPE)
endfunction()

set(TENON_READY_SERVERS)
tenon_enclose_server(docs docs_main docs_command)
tenon_enclose_server(kyc kyc_main)
tenon_enclose_server(pentest pentest_main)
tenon_enclose_server(appsec appsec_main)

file(GLOB sources CONFIGURE_DEPENDS servers/conformance/*.c)
add_executable(server_conformance ${sources})
target_link_libraries(server_conformance PRIVATE tenon tenon_flags)
set_target_properties(server_conformance PROPERTIES
    OUTPUT_NAME conformance RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/servers)
