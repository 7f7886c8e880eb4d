# Libraries of the system that a program loads when it first calls them (src/fetch/late.h says why), where the loader's name of the
# file can be found out; elsewhere, and with TENON_LATE=OFF, they are linked.

# tenon_link_late(TARGET FOUND SOURCE DEFINITION): TARGET uses the library that pkg_check_modules() found as FOUND, by SOURCE, which
# stands in for it and gets the name of the file as DEFINITION.
function(tenon_link_late target found source definition)
    set(name)
    list(LENGTH ${found}_LINK_LIBRARIES count)
    if(TENON_LATE AND CMAKE_READELF AND count EQUAL 1)
        execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${CMAKE_READELF} -d ${${found}_LINK_LIBRARIES}
            OUTPUT_VARIABLE dynamic ERROR_QUIET)
        if(dynamic MATCHES "SONAME[^[]*\\[([^]]+)\\]")
            set(name ${CMAKE_MATCH_1})
        endif()
    endif()
    if(name) # another version may declare a function in another way
        set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
        try_compile(TENON_FITS_${found} ${PROJECT_BINARY_DIR}/late SOURCES ${PROJECT_SOURCE_DIR}/${source}
            ${PROJECT_SOURCE_DIR}/src/fetch/late.c
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src;${${found}_INCLUDE_DIRS}"
            COMPILE_DEFINITIONS "-D${definition}=\"${name}\"")
    endif()
    if(NOT name OR NOT TENON_FITS_${found})
        target_link_libraries(${target} PUBLIC PkgConfig::${found})
        return()
    endif()
    message(STATUS "${name}: loaded when it is first used")
    target_sources(${target} PRIVATE ${source})
    target_include_directories(${target} PUBLIC $<TARGET_PROPERTY:PkgConfig::${found},INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${target} PUBLIC ${CMAKE_DL_LIBS})
    # Hidden, so that the library itself, once it is there, and others that need it never find these in place of its own.
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-fvisibility=hidden"
        COMPILE_DEFINITIONS "${definition}=\"${name}\"")
endfunction()
