# Servers: servers/NAME/*.c is one program, written against the public headers only.

file(GLOB sources CONFIGURE_DEPENDS servers/*/*.c)
foreach(source IN LISTS sources)
    get_filename_component(directory ${source} DIRECTORY)
    get_filename_component(name ${directory} NAME)
    if(NOT TARGET server_${name})
        add_executable(server_${name})
        target_link_libraries(server_${name} PRIVATE tenon tenon_flags)
        set_target_properties(server_${name} PROPERTIES
            OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/servers)
    endif()
    target_sources(server_${name} PRIVATE ${source})
endforeach()
