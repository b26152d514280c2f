// Stands in for the toolkit's header of this name: compiling while a program runs (runtime/cuda/nvrtc).
#pragma once
#pragma GCC system_header
#include <stddef.h>
#include <stdlib.h>
#ifndef __NVRTC_H__
#define __NVRTC_H__  // programs ask for it

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  NVRTC_ERROR_PCH_CREATE = 15,
  NVRTC_ERROR_CANCELLED = 16,
  NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

#ifdef __cplusplus
extern "C" {
#endif

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headerCount,
                               const char* const* headers, const char* const* includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* bytes);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* bytes);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char* bytes);

nvrtcResult nvrtcGetPCHHeapSize(size_t* size);
nvrtcResult nvrtcSetPCHHeapSize(size_t size);
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program);
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* size);
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*callback)(void*, void*), void* payload);

#ifdef __cplusplus
}
#endif

// The name of a type as name expressions have it.
#if NVRTC_GET_TYPE_NAME
#include <cxxabi.h>

#include <string>
#include <typeinfo>

template <typename T> struct hone_named_type {};

inline nvrtcResult nvrtcGetTypeName(const std::type_info& type, std::string* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  if (status != 0) return NVRTC_ERROR_INTERNAL_ERROR;
  *name = text;
  free(text);
  return NVRTC_SUCCESS;
}
// typeid forgets references and const; the argument of a template does not.
template <typename T> nvrtcResult nvrtcGetTypeName(std::string* name) {
  const nvrtcResult status = nvrtcGetTypeName(typeid(hone_named_type<T>), name);
  if (status != NVRTC_SUCCESS) return status;
  const size_t begin = name->find('<') + 1, end = name->rfind('>');
  *name = name->substr(begin, end - begin);
  return NVRTC_SUCCESS;
}
#endif
#endif  // __NVRTC_H__
