# hone_precompile(TARGET [header...]): with HONE_PRECOMPILE, the target's files are compiled after one reading of what most of
# them include.
#
# Only headers of the system and of libraries are read ahead: they do not change, so that editing a header of hone rebuilds
# no more than the files that include it. Files name all they need all the same, for builds without.

set(HONE_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <map>
                        <memory> <numeric> <optional> <set> <string> <string_view> <unordered_map> <variant>
                        <vector> <fmt/format.h>)
set(HONE_CLANG_HEADERS <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/DeclTemplate.h>
                       <clang/AST/DynamicRecursiveASTVisitor.h> <clang/AST/ExprCXX.h>
                       <clang/AST/StmtCXX.h> <clang/Basic/SourceManager.h> <clang/Frontend/CompilerInstance.h>
                       <clang/Lex/Lexer.h> <clang/Lex/Preprocessor.h> <clang/Sema/Sema.h>)

# The large rooms, in which reading ahead saves most; a room may join once it was built so.
set(HONE_PRECOMPILED hone_ir hone_target hone_affine hone_analysis hone_emit hone_frontend hone_sim hone_passes hone_device
                     hone_tune hone_report hone_cli hone_cli_cold test_ir test_analysis test_sim test_device)

function(hone_precompile target)
  if(HONE_PRECOMPILE AND target IN_LIST HONE_PRECOMPILED)
    target_precompile_headers(${target} PRIVATE ${HONE_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

# hone_batch(TARGET [SIZE n] [ALONE pattern]): with HONE_PRECOMPILE, the target's files are compiled n at a time, which takes half as long:
# what they include and instantiate is compiled once. Names that are local to a file must then differ from those of the other files;
# files whose name matches ALONE, where they do not, are compiled by themselves.
function(hone_batch target)
  cmake_parse_arguments(BATCH "" "SIZE;ALONE" "" ${ARGN})
  if(NOT BATCH_SIZE)
    set(BATCH_SIZE 6)
  endif()
  if(NOT HONE_PRECOMPILE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${BATCH_SIZE})
  # A local name of one file is seen by those behind it.
  target_compile_options(${target} PRIVATE -Wno-shadow)
  if(BATCH_ALONE)
    get_target_property(alone ${target} SOURCES)
    list(FILTER alone INCLUDE REGEX "/(${BATCH_ALONE})\\.cpp$")
    set_source_files_properties(${alone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
