#include "tune/CountWork.h"

#include <algorithm>

#include "device/CaseMemory.h"
#include "ir/Error.h"
#include "sim/count/Profile.h"

namespace hone::tune {

namespace {

constexpr uint64_t sampledBlocks = 4;
constexpr uint64_t mostSteps = 2'000'000;  // instructions of a warp

// Operations on floating-point numbers of one instruction; loads, moves and comparisons are none.
double operationsOf(sim::Op op) {
  using sim::Op;
  switch (op) {
    case Op::AddF32:
    case Op::AddF64:
    case Op::SubF32:
    case Op::SubF64:
    case Op::MulF32:
    case Op::MulF64:
    case Op::DivF32:
    case Op::DivF64: return 1;
    case Op::FmaF32:
    case Op::FmaF64: return 2;
    default: return 0;
  }
}

bool isFp64(sim::Op op) {
  using sim::Op;
  return op == Op::AddF64 || op == Op::SubF64 || op == Op::MulF64 || op == Op::DivF64 || op == Op::FmaF64;
}

// Calls of functions count as one operation of each result.
double operationsOf(const sim::Program& program, const sim::Instr& instr, bool& isWide) {
  if (instr.op != sim::Op::CallPure) {
    isWide = isFp64(instr.op);
    return operationsOf(instr.op);
  }
  const sim::CallSite& call = program.calls[static_cast<size_t>(instr.imm)];
  if (call.resultTypes.empty() || !sim::isFloating(call.resultTypes[0])) return 0;
  isWide = call.resultTypes[0] == sim::Scalar::F64;
  const bool isFused = call.function == "fma" || call.function == "mad";
  return (isFused ? 2.0 : 1.0) * static_cast<double>(call.resultTypes.size());
}

}  // namespace

Work countWork(const device::Case& c, const device::CaseData& data, const worker::CaseSpec& spec,
               const ir::PlanPtr& original, const target::Target& target) {
  Work out;
  for (const worker::ArraySpec& array : spec.arrays) {
    const auto bytes = static_cast<double>(array.bytes());
    const bool isRead = array.fill.kind != worker::FillKind::Poison || array.isZero || !array.file.empty();
    if (isRead) out.bytes += bytes;
    if (array.isWritten) out.bytes += bytes;
  }
  double narrow = 0, wide = 0;
  sim::Profiling profiling;
  device::LaunchHooks hooks;
  hooks.before = [&](const sim::Program&, const sim::LaunchConfig&, sim::RunOptions& options) {
    profiling = sim::Profiling();
    profiling.target = &target;
    profiling.options.caches = false;
    profiling.options.sampleBlocks = sampledBlocks;
    options.profiling = &profiling;
  };
  hooks.after = [&](const sim::Program& program, const sim::LaunchConfig&) {
    const sim::Counters whole = sim::wholeGrid(profiling.counters);
    for (uint32_t pc = 0; pc < whole.instructions.size(); ++pc) {
      bool isWide = false;
      const double each = operationsOf(program, program.code[pc], isWide);
      (isWide ? wide : narrow) += each * static_cast<double>(whole.instructions[pc].lanes);
    }
  };
  sim::RunOptions options;
  options.checkRaces = options.checkUninitialized = false;
  options.rerunInOrder = false;
  options.print = [](const std::string&) {};
  options.jobs = 1;
  options.stepLimit = mostSteps;
  try {
    device::Programs programs;
    device::CaseMemory memory(c, data);
    memory.allocateElastic();
    const device::PlanResult result = memory.run(*original, programs, options, hooks);
    for (const sim::Finding& finding : result.findings)
      if (finding.kind == sim::FindingKind::StepLimit)
        out.problem = "a thread runs for too long to be counted";
  } catch (const Error& error) {
    out.problem = error.what();
  }
  out.flops = narrow + wide;
  out.isFp64 = wide > narrow;
  return out;
}

}  // namespace hone::tune
