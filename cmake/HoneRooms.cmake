# hone_room(NAME [CLANG] [USES room...] [AHEAD header...] [COLD pattern]): the static library hone_NAME from the .cpp files in and below src/NAME.
#
# CLANG gives the room Clang's headers, privately. Rooms named in USES that do not exist yet are skipped. AHEAD names library
# headers that many of its files include (HonePrecompiled.cmake). Files whose name matches COLD run once per process and are
# compiled without optimization.
function(hone_room name)
  cmake_parse_arguments(ROOM "CLANG" "COLD" "USES;AHEAD" ${ARGN})
  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${folder}/*.h")
  list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/cli/main.cpp" "${PROJECT_SOURCE_DIR}/src/worker/WorkerMain.cpp"
       "${PROJECT_SOURCE_DIR}/src/capture/CudaInjection.cpp")
  if(NOT sources AND NOT headers AND NOT name STREQUAL "cli")
    return()
  endif()

  if(sources)
    set(reach PUBLIC)
    if(ROOM_COLD)
      set(cold ${sources})
      list(FILTER cold INCLUDE REGEX "/(${ROOM_COLD})$")
      list(REMOVE_ITEM sources ${cold})
    endif()
    add_library(hone_${name} STATIC ${sources})
    target_compile_options(hone_${name} PRIVATE ${HONE_WARNINGS})
    hone_precompile(hone_${name} ${ROOM_AHEAD})
    if(cold)
      add_library(hone_${name}_cold OBJECT ${cold})
      target_compile_options(hone_${name}_cold PRIVATE ${HONE_WARNINGS} -O0)
      target_include_directories(hone_${name}_cold PRIVATE "$<TARGET_PROPERTY:hone_${name},INCLUDE_DIRECTORIES>")
      target_compile_definitions(hone_${name}_cold PRIVATE "$<TARGET_PROPERTY:hone_${name},COMPILE_DEFINITIONS>")
      target_sources(hone_${name} PRIVATE $<TARGET_OBJECTS:hone_${name}_cold>)
      hone_precompile(hone_${name}_cold ${ROOM_AHEAD})
    endif()
  else()
    set(reach INTERFACE)
    add_library(hone_${name} INTERFACE)
  endif()
  target_include_directories(hone_${name} ${reach} "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(hone_${name} ${reach} fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11
                                             Threads::Threads)
  foreach(lower IN LISTS ROOM_USES)
    if(TARGET hone_${lower})
      target_link_libraries(hone_${name} ${reach} hone_${lower})
    endif()
  endforeach()
  if(ROOM_CLANG AND sources)
    target_link_libraries(hone_${name} PRIVATE hone_clang)
  endif()
  set_property(GLOBAL APPEND PROPERTY HONE_ROOMS ${name})
endfunction()

# Of an inline function that several objects hold the linker takes the first. Where a program's own objects are not optimized, or those of the libraries
# that come first, it shall meet the rooms named here before.
function(hone_optimized_first program)
  foreach(room IN LISTS ARGN)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:hone_${room}>)
  endforeach()
endfunction()
