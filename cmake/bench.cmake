# bench/NAME/*.c: target bench_NAME; what bench/mcp measures are whole servers, a program each.

file(GLOB benches CONFIGURE_DEPENDS bench/*/*.c)
list(FILTER benches EXCLUDE REGEX "/bench/mcp/") # a program each
foreach(source IN LISTS benches)
    get_filename_component(directory ${source} DIRECTORY)
    get_filename_component(name ${directory} NAME)
    if(name STREQUAL "docs" AND NOT TARGET tenon_docs)
        continue()
    endif()
    if(NOT TARGET bench_${name})
        add_executable(bench_${name})
        target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR})
        target_link_libraries(bench_${name} PRIVATE ${TENON_SERVER_LIBRARIES} tenon_static tenon_flags ${TENON_DEPENDENCIES})
        set_target_properties(bench_${name} PROPERTIES
            OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
    endif()
    target_sources(bench_${name} PRIVATE ${source})
endforeach()

file(GLOB benches CONFIGURE_DEPENDS bench/mcp/*.c)
foreach(source IN LISTS benches)
    get_filename_component(name ${source} NAME_WE)
    add_executable(bench_mcp_${name} ${source})
    target_link_libraries(bench_mcp_${name} PRIVATE tenon tenon_flags PkgConfig::libuv PkgConfig::libllhttp)
    set_target_properties(bench_mcp_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench/mcp)
endforeach()

# This one measures a judgement without its parse, which only the inside offers.
target_include_directories(bench_schema PRIVATE src)
