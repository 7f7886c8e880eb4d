# libtenon-oauth: access tokens of OAuth 2.1 (src/oauth), in a module that libtenon loads when the settings ask for it.
# Programs that do not never see cjose, libcurl or TLS. Not built where one of its libraries is missing.

option(TENON_OAUTH "Build the module for OAuth, where cjose and libcurl are found" ON)

if(TARGET jwt_fuzz) # what it tries needs none of the libraries
    target_sources(jwt_fuzz PRIVATE src/oauth/jwt.c src/oauth/claims.c)
    target_sources(challenge_fuzz PRIVATE src/login/challenge.c src/login/query.c)
endif()

if(TENON_OAUTH)
    pkg_check_modules(cjose IMPORTED_TARGET cjose)
endif()
if(NOT TENON_OAUTH OR NOT cjose_FOUND OR NOT TARGET tenon_fetch)
    message(STATUS "OAuth: not built (it needs cjose and libcurl); --oauth-issuer will say so")
    return()
endif()
message(STATUS "OAuth: libtenon-oauth, with cjose ${cjose_VERSION} and libcurl ${fetching_curl_VERSION}")

file(GLOB sources CONFIGURE_DEPENDS src/oauth/*.c)
list(FILTER sources EXCLUDE REGEX "_test\\.c$")
set(TENON_OAUTH_DEPENDENCIES PkgConfig::cjose tenon_fetch)

# Its own objects once more, for its tests, which look inside.
add_library(tenon_oauth_objects OBJECT ${sources})
set_target_properties(tenon_oauth_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
target_include_directories(tenon_oauth_objects PRIVATE include src)
target_link_libraries(tenon_oauth_objects PRIVATE ${TENON_OAUTH_DEPENDENCIES} ${TENON_DEPENDENCIES} tenon_flags)

# What it needs of base and json it takes with it; nothing of that is seen from outside.
add_library(tenon_oauth MODULE $<TARGET_OBJECTS:tenon_oauth_objects>)
target_link_libraries(tenon_oauth PRIVATE tenon_static ${TENON_OAUTH_DEPENDENCIES} ${TENON_DEPENDENCIES} tenon_flags)
target_link_options(tenon_oauth PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed)
if(NOT TENON_SANITIZE)
    target_link_options(tenon_oauth PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(tenon_oauth PROPERTIES OUTPUT_NAME tenon-oauth LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
install(TARGETS tenon_oauth LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${TENON_MODULE_DIR})

if(TENON_TESTS)
    file(GLOB tests CONFIGURE_DEPENDS src/oauth/*_test.c)
    foreach(test IN LISTS tests)
        get_filename_component(name ${test} NAME_WE)
        set(target oauth_${name})
        string(REGEX REPLACE "_test$" "" name ${name})
        add_executable(${target} ${test} $<TARGET_OBJECTS:tenon_oauth_objects>)
        target_include_directories(${target} PRIVATE src tests)
        target_link_libraries(${target} PRIVATE tenon_test_support tenon_static tenon_flags ${TENON_OAUTH_DEPENDENCIES}
            ${TENON_DEPENDENCIES} PkgConfig::cmocka)
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
        tenon_add_test(oauth/${name} ${target})
    endforeach()
endif()
