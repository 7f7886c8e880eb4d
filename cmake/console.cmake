# The console's page, share/tenon/console, as arrays of bytes in the library: no file has to be found when it runs. The sources stay
# as they are written; cmake/console_page.cmake does the work when one of them changes.

set(console_files index.html console.css console.js)
list(TRANSFORM console_files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/share/tenon/console/" OUTPUT_VARIABLE console_sources)
add_custom_command(
    OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/console_page.c"
    COMMAND "${CMAKE_COMMAND}" -DFROM=${CMAKE_CURRENT_SOURCE_DIR}/share/tenon/console
            -DTO=${CMAKE_CURRENT_BINARY_DIR}/console_page.c -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/console_page.cmake"
    DEPENDS ${console_sources} "${CMAKE_CURRENT_SOURCE_DIR}/cmake/console_page.cmake"
    COMMENT "Putting the console's page into the library"
    VERBATIM)
