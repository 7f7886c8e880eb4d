# examples/NAME.c: one program each.

add_custom_target(examples)
set(library tenon)
if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS) # whole programs, for a libc that is linked statically
    set(library tenon_static)
endif()
file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
foreach(example IN LISTS examples)
    get_filename_component(name ${example} NAME_WE)
    add_executable(example_${name} ${example})
    target_link_libraries(example_${name} PRIVATE ${library} tenon_flags)
    set_target_properties(example_${name} PROPERTIES
        OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    add_dependencies(examples example_${name})
endforeach()
