#include "sim/check/Finding.h"
#include "ir/CountOf.h"

#include <fmt/format.h>

namespace hone::sim {

const char* str(FindingKind kind) {
  switch (kind) {
    case FindingKind::OutOfBounds: return "out-of-bounds";
    case FindingKind::Misaligned: return "misaligned";
    case FindingKind::NullPointer: return "null-pointer";
    case FindingKind::WildPointer: return "wild-pointer";
    case FindingKind::WriteToConstant: return "write-to-constant";
    case FindingKind::Uninitialized: return "uninitialized";
    case FindingKind::Race: return "race";
    case FindingKind::MissingWarpSync: return "missing-warp-sync";
    case FindingKind::DivergentBarrier: return "divergent-barrier";
    case FindingKind::Deadlock: return "deadlock";
    case FindingKind::StepLimit: return "step-limit";
    case FindingKind::DivideByZero: return "divide-by-zero";
    case FindingKind::SharedTooLarge: return "shared-too-large";
    case FindingKind::BlockTooLarge: return "block-too-large";
    case FindingKind::InvalidExchange: return "invalid-exchange";
    case FindingKind::AssertFailed: return "assert-failed";
    case FindingKind::Trap: return "trap";
    case FindingKind::BadCall: return "bad-call";
    case FindingKind::StackOverflow: return "stack-overflow";
    case FindingKind::HostAccess: return "host-access";
    case FindingKind::Leak: return "leak";
  }
  return "unknown";
}

const char* str(FindingClass cls) {
  switch (cls) {
    case FindingClass::Error: return "error";
    case FindingClass::Race: return "race";
    case FindingClass::SameValue: return "same-value";
  }
  return "unknown";
}

namespace {

const char* words(FindingKind kind) {
  switch (kind) {
    case FindingKind::OutOfBounds: return "out of bounds";
    case FindingKind::Misaligned: return "misaligned access";
    case FindingKind::NullPointer: return "null pointer";
    case FindingKind::WildPointer: return "wild pointer";
    case FindingKind::WriteToConstant: return "write to constant memory";
    case FindingKind::Uninitialized: return "uninitialised read";
    case FindingKind::Race: return "race";
    case FindingKind::MissingWarpSync: return "missing warp barrier";
    case FindingKind::DivergentBarrier: return "divergent barrier";
    case FindingKind::Deadlock: return "deadlock";
    case FindingKind::StepLimit: return "step limit reached";
    case FindingKind::DivideByZero: return "division by zero";
    case FindingKind::SharedTooLarge: return "too much shared memory";
    case FindingKind::BlockTooLarge: return "block too large";
    case FindingKind::InvalidExchange: return "invalid exchange";
    case FindingKind::AssertFailed: return "assertion failed";
    case FindingKind::Trap: return "trap";
    case FindingKind::BadCall: return "bad call";
    case FindingKind::StackOverflow: return "stack overflow";
    case FindingKind::HostAccess: return "host access";
    case FindingKind::Leak: return "leak";
  }
  return "";
}

std::string place(const Party& party) {
  if (party.file.empty() || party.line == 0) return "?";
  return fmt::format("{}:{}", party.file, party.line);
}

std::string coordinates(const std::array<uint32_t, 3>& c) {
  return fmt::format("({},{},{})", c[0], c[1], c[2]);
}

std::string person(const Party& party) {
  return fmt::format("block {} thread {}", coordinates(party.who.block), coordinates(party.who.thread));
}

const char* deed(const Party& party) {
  if (party.atomic) return "atomic update";
  return party.writes ? "write" : "read";
}

}  // namespace

std::string describe(const Finding& f) {
  std::string text = words(f.kind);
  if (!f.space.empty()) {
    text += fmt::format(" in {} memory", f.space);
    if (!f.array.empty()) {
      text += ", " + f.array;
      // What has no name in the program is told by how it was made: "cudaMalloc of 400 bytes"; or it is a
      // section as it was written: "`a[10:n]`".
      const bool isNamed = !f.isInBytes && f.array.find_first_of(" `") == std::string::npos;
      if (f.index >= 0 || f.length >= 0)
        text += isNamed ? fmt::format("[{}]", f.index)
                        : fmt::format(", {} {}", f.isInBytes ? "byte" : "element", f.index);
      if (f.length >= 0 && isNamed) text += " of " + ir::countOf(uint64_t(f.length), "element");
      if (f.length >= 0 && !isNamed) text += fmt::format(" of {}", f.length);
    }
  }
  return text + ": " + f.message;
}

std::string format(const Finding& f) {
  std::string text = fmt::format("{}: {}: {}", place(f.party),
                                 f.cls == FindingClass::SameValue ? "warning" : "error", describe(f));
  const std::string often = f.count > 1 ? fmt::format("{} times", f.count) : "";
  if (f.kernel.empty()) {  // host code: no thread of the device
    if (!often.empty()) text += " (" + often + ")";
    return text;
  }
  text += fmt::format(" ({}{})", person(f.party), often.empty() ? "" : ", " + often);
  if (f.hasOther) text += fmt::format("\n    {}: {} by {}", place(f.other), deed(f.other), person(f.other));
  return text;
}

}  // namespace hone::sim
