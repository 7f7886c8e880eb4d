# What is installed: headers, both libraries, and how pkg-config and CMake find them.

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

install(DIRECTORY include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(TARGETS tenon EXPORT tenon-shared)
install(TARGETS tenon_static EXPORT tenon-static)
install(EXPORT tenon-shared NAMESPACE tenon:: DESTINATION ${package})
install(EXPORT tenon-static NAMESPACE tenon:: DESTINATION ${package})

configure_package_config_file(cmake/tenon-config.cmake.in tenon-config.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(tenon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenon-config.cmake ${PROJECT_BINARY_DIR}/tenon-config-version.cmake
    DESTINATION ${package})

# The prefix in tenon.pc follows from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH TENON_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/tenon.pc.in tenon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY man/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.3")
foreach(file IN ITEMS LICENSE README.md CHANGELOG.md SECURITY.md)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
endforeach()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c")
