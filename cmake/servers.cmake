# Servers, written against the public headers only.
#
#   servers/kit/*.c          what they share                      servers/PATH_test.c   ctest PATH
#   servers/NAME/**.c        a library: a server of the program `tenon` (TENON_SERVED)
#   servers/conformance/*.c  a program: the fixture of the official suite

set(TENON_SERVER_LIBRARIES)

if(NOT TENON_VENDOR)
    pkg_check_modules(sqlite3 IMPORTED_TARGET sqlite3)
    pkg_check_modules(libyaml IMPORTED_TARGET yaml-0.1)
endif()

# tenon_add_server(NAME LIBRARY...): servers/NAME as a library, if what it needs is there.
function(tenon_add_server name)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS servers/${name}/*.c)
    list(FILTER found EXCLUDE REGEX "_test\\.c$|/kit/pg/|/kit/embed/onnx/") # modules, below
    if(TARGET tenon_fetch)
        list(FILTER found EXCLUDE REGEX "/kit/embed/no_service\\.c$")
    else()
        list(FILTER found EXCLUDE REGEX "/kit/embed/(service|line)\\.c$")
    endif()
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

pkg_check_modules(zlib IMPORTED_TARGET zlib)
tenon_add_server(kit PkgConfig::sqlite3)
if(TARGET tenon_kit)
    target_include_directories(tenon_kit PRIVATE src) # net/module.h: it loads libtenon-onnx
    target_link_libraries(tenon_kit PRIVATE PkgConfig::yyjson PkgConfig::libsodium)
    if(TARGET tenon_fetch) # without it no service makes embeddings
        target_link_libraries(tenon_kit PUBLIC tenon_fetch)
    endif()
    if(zlib_FOUND) # models in .jar and .zip files
        target_link_libraries(tenon_kit PRIVATE PkgConfig::zlib)
        target_compile_definitions(tenon_kit PRIVATE TENON_ZLIB)
    endif()
endif()
tenon_add_server(docs tenon_kit PkgConfig::libyaml PkgConfig::libsodium PkgConfig::libuv)
tenon_add_server(kyc tenon_kit PkgConfig::sqlite3)
tenon_add_server(pentest tenon_kit tenon_fetch PkgConfig::sqlite3)
tenon_add_server(appsec tenon_kit PkgConfig::sqlite3)

# libtenon-pg: databases of PostgreSQL, in a module that is loaded when an address asks for it. What it needs of the kit it
# takes with it; nothing of that is seen from outside.
pkg_check_modules(libpq IMPORTED_TARGET "libpq >= 14")
if(libpq_FOUND AND TARGET tenon_kit)
    file(GLOB sources CONFIGURE_DEPENDS servers/kit/pg/*.c)
    list(FILTER sources EXCLUDE REGEX "_test\\.c$")
    add_library(tenon_pg MODULE ${sources} servers/kit/sql.c servers/kit/sql_statement.c servers/kit/sql_watch.c
                                servers/kit/text.c)
    target_include_directories(tenon_pg PRIVATE include servers)
    target_compile_definitions(tenon_pg PRIVATE _GNU_SOURCE)
    target_link_libraries(tenon_pg PRIVATE tenon_flags PkgConfig::libpq Threads::Threads)
    set_target_properties(tenon_pg PROPERTIES OUTPUT_NAME tenon-pg LINKER_LANGUAGE C C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    install(TARGETS tenon_pg LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${TENON_MODULE_DIR})
else()
    message(STATUS "PostgreSQL: not built (it needs libpq); --db postgresql://... will say so")
endif()

# libtenon-onnx: a model in the process, in a module that is loaded when it is asked for. It needs ONNX Runtime's header; the
# library itself is looked for when it runs.
find_path(TENON_ONNX_INCLUDE onnxruntime_c_api.h
    HINTS $ENV{XDG_DATA_HOME}/tenon/include $ENV{HOME}/.local/share/tenon/include PATH_SUFFIXES onnxruntime)
if(TENON_ONNX_INCLUDE AND TARGET tenon_kit)
    file(GLOB sources CONFIGURE_DEPENDS servers/kit/embed/onnx/*.c)
    list(FILTER sources EXCLUDE REGEX "_test\\.c$")
    add_library(tenon_onnx MODULE ${sources})
    target_include_directories(tenon_onnx PRIVATE include servers)
    target_include_directories(tenon_onnx SYSTEM PRIVATE ${TENON_ONNX_INCLUDE})
    target_compile_definitions(tenon_onnx PRIVATE _GNU_SOURCE)
    target_link_libraries(tenon_onnx PRIVATE tenon_flags m ${CMAKE_DL_LIBS})
    set_target_properties(tenon_onnx PROPERTIES OUTPUT_NAME tenon-onnx LINKER_LANGUAGE C C_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
    install(TARGETS tenon_onnx LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${TENON_MODULE_DIR})
else()
    message(STATUS "ONNX: not built (it needs onnxruntime_c_api.h: scripts/setup --model); --embedding model will say so")
endif()

# Those that the program serves. They share one space of names with it: tests/exports sees to it that each is defined once.
set(TENON_SERVED ${TENON_SERVER_LIBRARIES})
list(REMOVE_ITEM TENON_SERVED tenon_kit)

file(GLOB sources CONFIGURE_DEPENDS servers/conformance/*.c)
add_executable(server_conformance ${sources})
target_link_libraries(server_conformance PRIVATE tenon tenon_flags)
set_target_properties(server_conformance PROPERTIES
    OUTPUT_NAME conformance RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/servers)
