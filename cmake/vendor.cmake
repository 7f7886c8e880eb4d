# The libraries that Tenon is made of, as pinned sources: for systems that do not package them, and for programs that are one file.
#
#     cmake -B build -DTENON_VENDOR=ON                            fetches them, each by its hash
#     cmake -B build -DTENON_VENDOR=ON -DTENON_VENDOR_DIR=DIR     takes them from a folder of archives: no network
#
# scripts/vendor DIR fills such a folder. Of the archives below either serves: those of the authors, and those that Debian and the
# registries of languages keep. They become part of libtenon, whose shared form shows none of their names; SQLite and libyaml, which
# the program and its servers need, become part of the program.

set(TENON_VENDOR_DIR "" CACHE PATH "A folder with the archives of TENON_VENDOR; empty fetches them")

# LIBRARY VERSION FILE SHA256 URL: of each library the first is fetched; without a URL it is only taken from the folder.
set(TENON_ARCHIVES
    "yyjson 0.10.0 yyjson-0.10.0.tar.gz 0d901cb2c45c5586e3f3a4245e58c2252d6b24bf4b402723f6179523d389b165 https://github.com/ibireme/yyjson/archive/refs/tags/0.10.0.tar.gz"
    "yyjson 0.10.0 yyjson_0.10.0+ds.orig.tar.xz ae6fde69a193e10afab426ef13f113d6903446405f9db9ee98bfb572bd6c961a"
    "llhttp 9.2.1 llhttp-9.2.1.tar.gz 3c163891446e529604b590f9ad097b2e98b5ef7e4d3ddcf1cf98b62ca668f23e https://github.com/nodejs/llhttp/archive/refs/tags/release/v9.2.1.tar.gz"
    "llhttp 9.3.0 llhttp-9.3.0.0.tar.gz 0d989363e7fb6f270b9d49956e7a3945c26778f8c70a166815264309ac6a8295"
    "libuv 1.50.0 libuv-v1.50.0.tar.gz 6dc2b39aa7fa66c04e2e015bf47738b84e1c6b86b8987d57dd432d149d77ee25 https://dist.libuv.org/dist/v1.50.0/libuv-v1.50.0.tar.gz"
    "libuv 1.50.0 libuv1_1.50.0.orig.tar.gz ec9de6ecf2a780fd2afb3b007947d2cd57c3bb17f3b9e721a66774980d35cd4d"
    "pcre2 10.46 pcre2-10.46.tar.gz 8d28d7f2c3b970c3a4bf3776bcbb5adfc923183ce74bc8df1ebaad8c1985bd07 https://github.com/PCRE2Project/pcre2/releases/download/pcre2-10.46/pcre2-10.46.tar.gz"
    "pcre2 10.46 pcre2_10.46.orig.tar.gz 8d28d7f2c3b970c3a4bf3776bcbb5adfc923183ce74bc8df1ebaad8c1985bd07"
    "libsodium 1.0.20 libsodium-1.0.20.tar.gz ebb65ef6ca439333c2bb41a0c1990587288da07f6c7fd07cb3a18cc18d30ce19 https://download.libsodium.org/libsodium/releases/libsodium-1.0.20.tar.gz"
    "libsodium 1.0.18 libsodium_1.0.18.orig.tar.gz d59323c6b712a1519a5daf710b68f5e7fde57040845ffec53850911f10a5d4f4"
    "sqlite 3.52.0 sqlite-autoconf-3520000.tar.gz f6b50b0c103392af32a8be15b2b9d25959de9a00a70c3979128aafeaa5338b3f https://sqlite.org/2026/sqlite-autoconf-3520000.tar.gz"
    "libyaml 0.2.5 libyaml-0.2.5.tar.gz fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e https://github.com/yaml/libyaml/archive/refs/tags/0.2.5.tar.gz"
    "libyaml 0.2.5 libyaml_0.2.5.orig.tar.gz fa240dbf262be053f3898006d502d514936c818e422afdcf33921c63bed9bf2e")

# tenon_archive(LIBRARY): its sources in tenon_source, and its version in tenon_version.
function(tenon_archive library)
    set(wanted)
    foreach(row IN LISTS TENON_ARCHIVES)
        separate_arguments(row)
        list(GET row 0 name)
        if(NOT name STREQUAL library)
            continue()
        endif()
        list(GET row 1 version)
        list(GET row 2 file)
        list(GET row 3 hash)
        list(APPEND wanted ${file})
        list(LENGTH row length)
        set(at "${TENON_VENDOR_DIR}/${file}")
        if(NOT TENON_VENDOR_DIR AND length EQUAL 5)
            list(GET row 4 url)
            set(at "${PROJECT_BINARY_DIR}/vendor/${file}")
            message(STATUS "${library} ${version}: ${url}")
            file(DOWNLOAD ${url} "${at}" EXPECTED_HASH SHA256=${hash} TLS_VERIFY ON)
        elseif(NOT TENON_VENDOR_DIR OR NOT EXISTS "${at}")
            continue()
        endif()
        file(SHA256 "${at}" found)
        if(NOT found STREQUAL hash)
            message(FATAL_ERROR "${at} is not the pinned archive: its SHA-256 is ${found}, and should be ${hash}")
        endif()
        set(tree "${PROJECT_BINARY_DIR}/vendor/${library}-${version}")
        if(NOT EXISTS "${tree}.whole")
            file(REMOVE_RECURSE "${tree}")
            file(ARCHIVE_EXTRACT INPUT "${at}" DESTINATION "${tree}")
            file(TOUCH "${tree}.whole")
        endif()
        file(GLOB inner LIST_DIRECTORIES true "${tree}/*") # an archive has one folder
        message(STATUS "${library} ${version}: ${file}")
        set(tenon_source "${inner}" PARENT_SCOPE)
        set(tenon_version ${version} PARENT_SCOPE)
        return()
    endforeach()
    list(JOIN wanted " or " wanted)
    message(FATAL_ERROR "${TENON_VENDOR_DIR} has no ${wanted}: scripts/vendor fills such a folder")
endfunction()

# tenon_vendor(NAME SOURCE...): a library of sources that are not ours to warn about.
function(tenon_vendor name)
    add_library(tenon_vendor_${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
    target_compile_options(tenon_vendor_${name} PRIVATE -w)
endfunction()

tenon_archive(yyjson)
tenon_vendor(yyjson ${tenon_source}/src/yyjson.c)
target_include_directories(tenon_vendor_yyjson SYSTEM PUBLIC ${tenon_source}/src)

tenon_archive(llhttp)
file(GLOB sources ${tenon_source}/src/*.c ${tenon_source}/lib/*.c)
tenon_vendor(llhttp ${sources})
target_include_directories(tenon_vendor_llhttp SYSTEM PUBLIC ${tenon_source}/include ${tenon_source}/lib)

# libuv for Linux: the files that its own build takes there.
tenon_archive(libuv)
set(sources fs-poll idna inet random strscpy strtok thread-common threadpool timer uv-common uv-data-getter-setters version
    unix/async unix/core unix/dl unix/fs unix/getaddrinfo unix/getnameinfo unix/loop unix/loop-watcher unix/pipe unix/poll unix/process
    unix/random-devurandom unix/random-getrandom unix/random-sysctl-linux unix/signal unix/stream unix/tcp unix/thread unix/tty unix/udp
    unix/linux unix/procfs-exepath unix/proctitle)
list(TRANSFORM sources PREPEND ${tenon_source}/src/)
list(TRANSFORM sources APPEND .c)
tenon_vendor(libuv ${sources})
target_include_directories(tenon_vendor_libuv SYSTEM PUBLIC ${tenon_source}/include PRIVATE ${tenon_source}/src)
target_compile_definitions(tenon_vendor_libuv PRIVATE _GNU_SOURCE _POSIX_C_SOURCE=200112 _FILE_OFFSET_BITS=64 _LARGEFILE_SOURCE)
target_link_libraries(tenon_vendor_libuv PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

# PCRE2 as it asks to be built by hand (NON-AUTOTOOLS-BUILD): 8 bits a unit, Unicode, and machine code.
tenon_archive(pcre2)
set(made ${PROJECT_BINARY_DIR}/vendor/pcre2-made)
file(MAKE_DIRECTORY ${made})
configure_file(${tenon_source}/src/pcre2.h.generic ${made}/pcre2.h COPYONLY)
configure_file(${tenon_source}/src/config.h.generic ${made}/config.h COPYONLY)
configure_file(${tenon_source}/src/pcre2_chartables.c.dist ${made}/pcre2_chartables.c COPYONLY)
set(sources auto_possess chkdint compile compile_class compile_cgroup config context convert dfa_match error extuni find_bracket jit_compile
    maketables match match_data match_next newline ord2utf pattern_info script_run serialize string_utils study substitute substring
    tables ucd valid_utf xclass)
list(TRANSFORM sources PREPEND ${tenon_source}/src/pcre2_)
list(TRANSFORM sources APPEND .c)
set(there)
foreach(source IN LISTS sources) # their number has grown from version to version
    if(EXISTS ${source})
        list(APPEND there ${source})
    endif()
endforeach()
tenon_vendor(pcre2 ${there} ${made}/pcre2_chartables.c)
target_include_directories(tenon_vendor_pcre2 SYSTEM PUBLIC ${made} PRIVATE ${tenon_source}/src)
target_compile_definitions(tenon_vendor_pcre2 PUBLIC PCRE2_STATIC
    PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_UNICODE SUPPORT_JIT SUPPORT_PCRE2_8 HAVE_MEMMOVE HAVE_STRERROR HAVE_SECURE_GETENV)

# libsodium without its assembler files, which would need its configure script; what is fast on x86 is in C.
tenon_archive(libsodium)
set(VERSION ${tenon_version}) # the names that version.h.in asks for
set(SODIUM_LIBRARY_VERSION_MAJOR 26)
set(SODIUM_LIBRARY_VERSION_MINOR 2)
set(SODIUM_LIBRARY_MINIMAL_DEF "")
set(headers ${tenon_source}/src/libsodium/include)
configure_file(${headers}/sodium/version.h.in ${headers}/sodium/version.h @ONLY)
unset(VERSION)
file(GLOB_RECURSE sources ${tenon_source}/src/libsodium/*.c)
tenon_vendor(libsodium ${sources})
target_include_directories(tenon_vendor_libsodium SYSTEM PUBLIC ${headers} PRIVATE ${headers}/sodium)
target_compile_definitions(tenon_vendor_libsodium PUBLIC SODIUM_STATIC PRIVATE CONFIGURED=1 _GNU_SOURCE=1 TLS=_Thread_local HAVE_PTHREAD
    HAVE_C11_MEMORY_FENCES HAVE_ATOMIC_OPS HAVE_WEAK_SYMBOLS HAVE_TI_MODE HAVE_GETPID HAVE_GETRANDOM HAVE_LINUX_COMPATIBLE_GETRANDOM
    HAVE_SYS_RANDOM_H HAVE_MMAP HAVE_MLOCK HAVE_MADVISE HAVE_MPROTECT HAVE_SYS_MMAN_H HAVE_SYS_PARAM_H HAVE_ALLOCA_H HAVE_NANOSLEEP
    HAVE_POSIX_MEMALIGN HAVE_RAISE HAVE_SYSCONF HAVE_EXPLICIT_BZERO HAVE_ALLOCA)
include(TestBigEndian)
test_big_endian(TENON_BIG_ENDIAN)
target_compile_definitions(tenon_vendor_libsodium PRIVATE
    $<IF:$<BOOL:${TENON_BIG_ENDIAN}>,NATIVE_BIG_ENDIAN=1,NATIVE_LITTLE_ENDIAN=1>)

# Of the program and its servers, which get their own copy of what they need; a parent project that builds the library alone does not.
if(TENON_CLI OR TENON_SERVERS)
    tenon_archive(sqlite)
    tenon_vendor(sqlite3 ${tenon_source}/sqlite3.c)
    target_include_directories(tenon_vendor_sqlite3 SYSTEM PUBLIC ${tenon_source})
    target_compile_definitions(tenon_vendor_sqlite3 PRIVATE _GNU_SOURCE SQLITE_THREADSAFE=1 SQLITE_ENABLE_FTS5 SQLITE_ENABLE_COLUMN_METADATA
        SQLITE_SECURE_DELETE SQLITE_OMIT_LOAD_EXTENSION SQLITE_TEMP_STORE=1 HAVE_USLEEP)
    target_link_libraries(tenon_vendor_sqlite3 PUBLIC Threads::Threads m)

    tenon_archive(libyaml)
    file(GLOB sources ${tenon_source}/src/*.c)
    tenon_vendor(libyaml ${sources})
    target_include_directories(tenon_vendor_libyaml SYSTEM PUBLIC ${tenon_source}/include)
    string(REGEX MATCHALL "[0-9]+" parts ${tenon_version})
    list(GET parts 0 major)
    list(GET parts 1 minor)
    list(GET parts 2 patch)
    target_compile_definitions(tenon_vendor_libyaml PUBLIC YAML_DECLARE_STATIC PRIVATE YAML_VERSION_STRING="${tenon_version}"
        YAML_VERSION_MAJOR=${major} YAML_VERSION_MINOR=${minor} YAML_VERSION_PATCH=${patch})
    foreach(library IN ITEMS sqlite3 libyaml)
        add_library(PkgConfig::${library} ALIAS tenon_vendor_${library})
        set_target_properties(tenon_vendor_${library} PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 11 C_EXTENSIONS ON)
    endforeach()
endif()

set(TENON_VENDORED yyjson llhttp libuv pcre2 libsodium)
list(TRANSFORM TENON_VENDORED PREPEND tenon_vendor_)
foreach(name IN ITEMS yyjson libllhttp libuv libpcre2 libsodium)
    string(REGEX REPLACE "^lib(llhttp|pcre2)" "\\1" library ${name})
    add_library(PkgConfig::${name} ALIAS tenon_vendor_${library})
endforeach()
set_target_properties(${TENON_VENDORED} PROPERTIES POSITION_INDEPENDENT_CODE ON C_STANDARD 11 C_EXTENSIONS ON)
