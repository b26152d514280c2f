# Clang and LLVM, linked statically: target hone_clang.
#
# Debian's exported Clang targets pull in the shared libLLVM, which costs start-up time and clashes
# with the Clang that PoCL brings along. So the archives are named here.

set(HONE_LLVM_VERSION 22)

find_program(HONE_LLVM_CONFIG NAMES llvm-config-${HONE_LLVM_VERSION}
             PATHS /usr/lib/llvm-${HONE_LLVM_VERSION}/bin)
find_program(HONE_CLANG NAMES clang-${HONE_LLVM_VERSION} PATHS /usr/lib/llvm-${HONE_LLVM_VERSION}/bin)
if(NOT HONE_LLVM_CONFIG OR NOT HONE_CLANG)
  message(FATAL_ERROR "LLVM and Clang ${HONE_LLVM_VERSION} are needed; run 'make setup'")
endif()

function(hone_ask out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

hone_ask(HONE_LLVM_INCLUDE_DIR "${HONE_LLVM_CONFIG}" --includedir)
hone_ask(HONE_LLVM_LIB_DIR "${HONE_LLVM_CONFIG}" --libdir)
hone_ask(HONE_CLANG_VERSION "${HONE_LLVM_CONFIG}" --version)
hone_ask(HONE_RESOURCE_DIR "${HONE_CLANG}" -print-resource-dir)
# What the Clang archives below need of LLVM; no code generator is among it.
hone_ask(llvmArchives "${HONE_LLVM_CONFIG}" --link-static --libfiles
         support option core profiledata mc mcparser bitreader bitstreamreader binaryformat targetparser
         frontendopenmp frontendopenacc frontendoffloading frontendhlsl frontenddirective windowsdriver
         transformutils analysis object remarks demangle)
separate_arguments(llvmArchives UNIX_COMMAND "${llvmArchives}")
hone_ask(llvmSystem "${HONE_LLVM_CONFIG}" --link-static --system-libs support)
separate_arguments(llvmSystem UNIX_COMMAND "${llvmSystem}")

set(clangArchives "")
foreach(part Driver Frontend RewriteFrontend Rewrite Serialization Parse Sema Edit Analysis
             AnalysisLifetimeSafety Format ToolingInclusions ToolingCore Tooling ASTMatchers AST APINotes
             Lex Options Support Basic)
  set(archive "${HONE_LLVM_LIB_DIR}/libclang${part}.a")
  if(NOT EXISTS "${archive}")
    message(FATAL_ERROR "${archive} is missing; run 'make setup'")
  endif()
  list(APPEND clangArchives "${archive}")
endforeach()

add_library(hone_clang INTERFACE)
target_include_directories(hone_clang SYSTEM INTERFACE "${HONE_LLVM_INCLUDE_DIR}")
target_compile_definitions(hone_clang INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS
                                                __STDC_LIMIT_MACROS)
# lld takes archives in any order.
set(HONE_CLANG_ARCHIVES ${clangArchives} ${llvmArchives})
target_link_libraries(hone_clang INTERFACE ${HONE_CLANG_ARCHIVES} ${llvmSystem})

# Of an inline function that several objects hold the linker takes the first, and rooms that read source are not optimized: without this Clang would call
# their copies of its own functions and parse half as fast. The symbol has lld take Clang's objects as soon as it meets the archives.
function(hone_clang_first program)
  target_link_options(${program} PRIVATE "LINKER:--undefined=_ZN5clang8ParseASTERNS_4SemaEbb" ${HONE_CLANG_ARCHIVES})
endfunction()
