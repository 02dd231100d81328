# Selects the libraries that are linked into the program, and the options that harden it. Opening and relocating shared
# libraries takes most of the program's start time, and the wrapper starts it for every file. WARPLINT_STATIC:
#
#   AUTO  each library whose archive exists and can be linked; the others stay shared
#   ON    every library, or an error
#   OFF   none
#   FULL  libc too: a program that needs no other file. Preloaded libraries (build recorders, fakeroot) do not see it
#
# Sets WARPLINT_LINK_MODE (one of these words), WARPLINT_SHARED (the libraries that stayed shared, with blanks between
# them) and WARPLINT_LINK_OPTIONS, which apply to the program alone.
set(WARPLINT_STATIC AUTO CACHE STRING "Link libraries into the program: AUTO, ON, OFF, or FULL (libc too)")
set_property(CACHE WARPLINT_STATIC PROPERTY STRINGS AUTO ON OFF FULL)
string(TOUPPER "${WARPLINT_STATIC}" WARPLINT_LINK_MODE)
if(WARPLINT_LINK_MODE MATCHES "^(YES|TRUE|1)$")
  set(WARPLINT_LINK_MODE ON)
elseif(WARPLINT_LINK_MODE MATCHES "^(NO|FALSE|0)$")
  set(WARPLINT_LINK_MODE OFF)
elseif(NOT WARPLINT_LINK_MODE MATCHES "^(AUTO|ON|OFF|FULL)$")
  message(FATAL_ERROR "WARPLINT_STATIC is '${WARPLINT_STATIC}', expected AUTO, ON, OFF or FULL")
endif()
if(WARPLINT_LINK_MODE STREQUAL FULL AND WARPLINT_SANITIZE)
  message(FATAL_ERROR "WARPLINT_STATIC=FULL: the sanitizers need a shared libc, expected AUTO, ON or OFF")
endif()

include(CheckCSourceCompiles)
include(CheckPIESupported)
if(NOT WARPLINT_LINK_MODE STREQUAL FULL) # whose -static-pie a later -pie would undo
  check_pie_supported(LANGUAGES C)       # else -pie is left to the compiler's habit
endif()

# A function of each library, for the test whether its archive can be linked.
set(PROBE_PCRE2 pcre2_compile_8)
set(PROBE_YAML yaml_parser_initialize)
set(PROBE_JANSSON json_loadb)
set(PROBE_ELF elf_begin)
set(PROBE_ZSTD ZSTD_decompress)
set(PROBE_LZ4 LZ4_decompress_safe)
set(PROBE_ARCHIVE archive_read_support_format_zip)

# libarchive lists the libraries of all its formats; these are the ones that our formats need.
set(ARCHIVE_STATIC_LIBRARIES archive nettle lzma zstd lz4 bz2 z)

# Sets `result` to the archives of a module and of its dependencies, or to nothing if one is missing.
function(find_archives module result)
  set(archives "")
  pkg_get_variable(folder ${${module}_MODULE_NAME} libdir)
  foreach(name IN LISTS ${module}_STATIC_LIBRARIES)
    if(NOT name MATCHES "^(c|m|pthread|dl)$")
      find_library(ARCHIVE_${name} NAMES lib${name}.a HINTS ${folder} ${${module}_STATIC_LIBRARY_DIRS})
      mark_as_advanced(ARCHIVE_${name})
      if(NOT ARCHIVE_${name})
        set(archives "")
        break()
      endif()
      list(APPEND archives ${ARCHIVE_${name}})
    endif()
  endforeach()
  set(${result} ${archives} PARENT_SCOPE)
endfunction()

# An archive can exist but be unusable: not position-independent, or dependent on another one.
function(can_link module archives result)
  set(CMAKE_REQUIRED_LIBRARIES ${archives})
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("char ${PROBE_${module}}(void); int main(void) { return ${PROBE_${module}}(); }"
    CAN_LINK_ARCHIVES_OF_${module})
  set(${result} ${CAN_LINK_ARCHIVES_OF_${module}} PARENT_SCOPE)
endfunction()

set(WARPLINT_SHARED "")
set(linked_in "")
foreach(module PCRE2 YAML JANSSON ELF ZSTD LZ4 ARCHIVE)
  set(archives "")
  if(NOT WARPLINT_LINK_MODE STREQUAL OFF)
    find_archives(${module} archives)
  endif()
  set(usable OFF)
  if(archives)
    can_link(${module} "${archives}" usable)
  endif()
  if(usable)
    set_target_properties(PkgConfig::${module} PROPERTIES INTERFACE_LINK_LIBRARIES "${archives}")
    list(APPEND linked_in ${${module}_LIBRARIES})
  elseif(WARPLINT_LINK_MODE MATCHES "^(ON|FULL)$")
    message(FATAL_ERROR "WARPLINT_STATIC=${WARPLINT_LINK_MODE}: no archive (lib*.a) of ${${module}_MODULE_NAME} that can be linked "
      "into a position-independent program was found; install it, or take WARPLINT_STATIC=AUTO")
  else()
    list(APPEND WARPLINT_SHARED ${${module}_LIBRARIES})
  endif()
endforeach()

add_link_options(-Wl,--as-needed)
set(WARPLINT_LINK_OPTIONS "")
if(WARPLINT_LINK_MODE STREQUAL FULL)
  set(WARPLINT_LINK_OPTIONS -static-pie)
endif()

list(JOIN linked_in " " linked_text)
list(JOIN WARPLINT_SHARED " " WARPLINT_SHARED)
set(shared_text "${WARPLINT_SHARED}")
if(WARPLINT_LINK_MODE STREQUAL FULL)
  string(APPEND linked_text " libc")
endif()
if(NOT linked_text)
  set(linked_text "none")
endif()
if(NOT shared_text)
  set(shared_text "none")
endif()
message(STATUS "Libraries linked into warplint: ${linked_text}; shared: ${shared_text} (WARPLINT_STATIC=${WARPLINT_LINK_MODE})")
