// NVRTC: programs of source text, compiled by hone into what the driver API loads.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "CompilerProcess.h"
#include "Runtime.h"
#include "cuda_stub/nvrtc.h"
#include "sim/bytecode/BundleText.h"

using namespace hone;

struct _nvrtcProgram {
  sim::CompileRequest request;
  bool wasCompiled = false;  // well or not
  std::string log;
  std::vector<uint8_t> bundle;  // empty: there is none
  std::string text;             // the bundle in PTX's place
  bool isForOneDevice = false;  // sm_90 was asked for, not compute_90
  std::map<std::string, std::string> names;
};

namespace {

void say(const std::string& text) {
  if (!cuda::Runtime::get().settings.quiet) fmt::print(stderr, "hone: {}\n", text);
}

// A result as text or bytes: its size, then a copy.
nvrtcResult giveSize(size_t* to, size_t size) {
  if (!to) return NVRTC_ERROR_INVALID_INPUT;
  *to = size;
  return NVRTC_SUCCESS;
}
nvrtcResult giveBytes(char* to, const void* from, size_t size) {
  if (!to) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(to, from, size);
  return NVRTC_SUCCESS;
}

nvrtcResult refuseForm(nvrtcProgram program, const char* form) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  say(fmt::format(
      "NVRTC has no {} for the embedded device; what nvrtcGetPTX and nvrtcGetCUBIN give is byte code", form));
  return NVRTC_ERROR_INVALID_PROGRAM;
}

// Nothing, unless the program asked for that form.
nvrtcResult sizeOfForm(nvrtcProgram program, const char* form,
                       std::initializer_list<std::string_view> options, size_t* size) {
  if (!program || program->bundle.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  for (const std::string_view option : options)
    for (const std::string& given : program->request.options)
      if (given == option) return refuseForm(program, form);
  return giveSize(size, 0);
}

nvrtcResult take(_nvrtcProgram& program, sim::CompileAnswer answer) {
  program.log = std::move(answer.log);
  if (answer.status == sim::CompileStatus::WrongOption) return NVRTC_ERROR_INVALID_OPTION;
  if (answer.status == sim::CompileStatus::WrongCode) return NVRTC_ERROR_COMPILATION;
  program.isForOneDevice = answer.architecture.starts_with("sm_");
  const size_t number = answer.architecture.find('_') + 1;
  program.text =
      sim::bundleText(sim::readBundle(answer.bundle.data()), "sm_" + answer.architecture.substr(number));
  program.bundle = std::move(answer.bundle);
  for (size_t k = 0; k < answer.nameFound.size(); ++k)
    program.names[program.request.nameExpressions[k]] = answer.nameFound[k];
  return NVRTC_SUCCESS;
}

constexpr int architectures[] = {75, 80, 86, 87, 89, 90, 100, 103, 120};

}  // namespace

nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = int(std::size(architectures));
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* list) {
  if (!list) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(architectures), std::end(architectures), list);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int headerCount,
                               const char* const* headers, const char* const* includeNames) {
  if (!program) return NVRTC_ERROR_INVALID_INPUT;
  if (!source || headerCount < 0 || (headerCount > 0 && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto made = std::make_unique<_nvrtcProgram>();
  made->request.source = source;
  made->request.name = name && *name ? name : "default_program";
  for (int k = 0; k < headerCount; ++k) {
    if (!headers[k] || !includeNames[k]) return NVRTC_ERROR_INVALID_INPUT;
    made->request.headers.push_back({includeNames[k], headers[k]});
  }
  *program = made.release();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (program->wasCompiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->request.nameExpressions.emplace_back(expression);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->wasCompiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto known = program->names.find(expression);
  if (known == program->names.end() || known->second.empty()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = known->second.c_str();
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int optionCount, const char* const* options) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (optionCount < 0 || (optionCount > 0 && !options)) return NVRTC_ERROR_INVALID_INPUT;
  program->request.options.clear();
  for (int k = 0; k < optionCount; ++k) {
    if (!options[k]) return NVRTC_ERROR_INVALID_OPTION;
    program->request.options.emplace_back(options[k]);
  }
  program->wasCompiled = true;
  program->bundle.clear();
  program->text.clear();
  program->names.clear();
  try {
    return take(*program, cuda::askHone(program->request));
  } catch (const std::exception& problem) {
    program->log = fmt::format("nvrtc: error: {}\n", problem.what());
    say(problem.what());
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* size) {
  return program ? giveSize(size, program->log.size() + 1) : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return program ? giveBytes(log, program->log.c_str(), program->log.size() + 1)
                 : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* size) {
  if (!program || program->bundle.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  return giveSize(size, program->text.size() + 1);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* to) {
  if (!program || program->bundle.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  return giveBytes(to, program->text.c_str(), program->text.size() + 1);
}
// For a virtual architecture there is none, as with the vendor's.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* size) {
  if (!program || program->bundle.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
  return giveSize(size, program->isForOneDevice ? program->bundle.size() : 0);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* to) {
  if (!program || program->bundle.empty() || !program->isForOneDevice) return NVRTC_ERROR_INVALID_PROGRAM;
  return giveBytes(to, program->bundle.data(), program->bundle.size());
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* size) {
  return sizeOfForm(program, "LTO IR", {"-dlto", "--dlink-time-opt"}, size);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char*) { return refuseForm(program, "LTO IR"); }
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t* size) {
  return sizeOfForm(program, "OptiX IR", {"-optix-ir", "--optix-ir"}, size);
}
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char*) { return refuseForm(program, "OptiX IR"); }

// Headers are read ahead without being asked; the program never sees them.
nvrtcResult nvrtcGetPCHHeapSize(size_t* size) { return giveSize(size, 0); }
nvrtcResult nvrtcSetPCHHeapSize(size_t) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram program) {
  return program ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram program, size_t* size) {
  return program ? giveSize(size, 0) : NVRTC_ERROR_INVALID_PROGRAM;
}
// Asks whether to go on; compiling is short.
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram program, int (*)(void*, void*), void*) {
  return program ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}
