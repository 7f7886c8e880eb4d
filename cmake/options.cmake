# Options of the build, and the interface library `tenon_flags` that carries them to our own targets only.

option(TENON_WERROR "Warnings are errors" OFF)
# Inside another project only the library is built, and nothing is installed, unless that project asks for more.
option(TENON_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TENON_CLI "Build the program tenon, and the modules for addresses and OAuth" ${PROJECT_IS_TOP_LEVEL})
option(TENON_SERVERS "Build the servers of tenon serve" ${PROJECT_IS_TOP_LEVEL})
option(TENON_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(TENON_BENCH "Build what is measured" ${PROJECT_IS_TOP_LEVEL})
option(TENON_INSTALL "Install what is built" ${PROJECT_IS_TOP_LEVEL})
option(TENON_VENDOR "Build yyjson, llhttp, libuv, PCRE2 and libsodium from pinned sources (cmake/vendor.cmake)" OFF)
option(TENON_IDN "Check internationalised host names, with libidn2 and libunistring where they are found" ON)
option(TENON_CURL "Let the program tenon call servers at addresses, with libcurl where it is found" ON)
option(TENON_LATE "Load libcurl and libcrypto when they are first used, not when the program starts" ON)
option(TENON_JIT "Patterns as machine code; off for valgrind" ON)
option(TENON_COVERAGE "Count the executed lines (gcov)" OFF)
option(TENON_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
set(TENON_SANITIZE "" CACHE STRING "Sanitizers of the whole build, for example address,undefined")
set(TENON_TEST_WRAPPER "" CACHE STRING "Command put before each test program, for example valgrind;--quiet")

if((TENON_TESTS OR TENON_BENCH) AND NOT (TENON_CLI AND TENON_SERVERS))
    message(FATAL_ERROR "TENON_TESTS and TENON_BENCH need TENON_CLI and TENON_SERVERS")
endif()

# Symbols are bound when a program starts, not when they are first called: binding late keeps the vector registers of that moment
# on the stack, and with them pieces of what a caller sent.
add_link_options(-Wl,-z,relro,-z,now)

if(NOT CMAKE_C_STANDARD) # scripts/matrix builds as C23, too
    set(CMAKE_C_STANDARD 17)
endif()
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

add_library(tenon_flags INTERFACE)
target_compile_options(tenon_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
    -Werror=int-conversion -Werror=incompatible-pointer-types
    $<$<BOOL:${TENON_WERROR}>:-Werror>)

# For any processor GCC clears and copies structs of some words with "rep stos" and "rep movs", which take longer to begin than
# plain stores take for all of it: a call with faults, whose records are such structs, took up to 22 % longer (bench/schema).
set(TENON_CLEAR_FLAGS)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckCCompilerFlag)
    set(clear -mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign -mmemcpy-strategy=unrolled_loop:256:noalign,libcall:-1:noalign)
    check_c_compiler_flag("${clear}" TENON_HAS_CLEAR_FLAGS) # only for x86
    if(TENON_HAS_CLEAR_FLAGS)
        set(TENON_CLEAR_FLAGS ${clear})
    endif()
endif()

if(NOT TENON_JIT)
    target_compile_definitions(tenon_flags INTERFACE TENON_NO_JIT)
endif()
if(TENON_SANITIZE)
    set(sanitize -fsanitize=${TENON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(tenon_flags INTERFACE ${sanitize})
    target_link_options(tenon_flags INTERFACE ${sanitize})
endif()
if(TENON_COVERAGE)
    target_compile_options(tenon_flags INTERFACE --coverage)
    target_link_options(tenon_flags INTERFACE --coverage)
endif()
if(TENON_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "TENON_FUZZ needs clang: cmake --preset fuzz")
    endif()
    target_compile_options(tenon_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(tenon_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
