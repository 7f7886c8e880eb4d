# The version stands in project() and, for the preprocessor, in include/tenon/base.h; they must agree.

set(header ${PROJECT_SOURCE_DIR}/include/tenon/base.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
file(READ ${header} text)
foreach(part IN ITEMS MAJOR MINOR PATCH)
    if(NOT text MATCHES "#define[ \t]+TENON_VERSION_${part}[ \t]+([0-9]+)")
        message(FATAL_ERROR "include/tenon/base.h does not define TENON_VERSION_${part}")
    endif()
    if(NOT CMAKE_MATCH_1 EQUAL PROJECT_VERSION_${part})
        message(FATAL_ERROR "include/tenon/base.h says TENON_VERSION_${part} ${CMAKE_MATCH_1}, "
                            "CMakeLists.txt says version ${PROJECT_VERSION}")
    endif()
endforeach()
