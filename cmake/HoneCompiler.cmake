# Language level, warnings, linker and compiler cache for all of our code.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(HONE_WARNINGS -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wextra-semi -Werror)

# Source paths stay out of objects, so that builds in several checkouts are equal and share cache hits.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." -ffunction-sections -fdata-sections)
add_link_options(-fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed)

option(HONE_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
if(HONE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

# Off, a file is compiled from all it includes; on, after one reading per room of the library headers that most files include
# (HonePrecompiled.cmake), which takes half the time. `make` turns it on.
option(HONE_PRECOMPILE "Read library headers once per room" OFF)

find_program(HONE_CCACHE ccache)
if(HONE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  if(HONE_PRECOMPILE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/compile.sh" "${PROJECT_SOURCE_DIR}")
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" "${HONE_CCACHE}")
  endif()
endif()
