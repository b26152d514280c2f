#include "passes/vector/WhyNotWide.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/DigitSums.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned widest = 16;  // bytes that one thread moves at once

// Statements by the block that they stand in.
std::map<const Stmt*, const Stmt*> blocksOf(const Kernel& kernel) {
  std::map<const Stmt*, const Stmt*> out;
  walkStmts(kernel.body, [&](const Stmt& s) {
    if (const auto* block = s.as<Block>())
      for (const StmtPtr& one : block->stmts) out[one.get()] = &s;
  });
  return out;
}

bool areNeighbours(const affine::KernelModel& model, const affine::Access& a, const affine::Access& b) {
  if (!a.isResolved() || !b.isResolved() || a.array != b.array || a.mode != b.mode || a.bytes != b.bytes ||
      a.atomic || b.atomic)
    return false;
  const Space space = model.arrays[a.array].space;
  const std::optional<int64_t> apart = (b.address - a.address).constant();
  return (space == Space::Global || space == Space::Shared) && apart && std::abs(*apart) == int64_t(a.bytes);
}

// What keeps two neighbours from being one access.
Refusal whyApart(const VectorFacts& facts, affine::AccessId first, affine::AccessId second) {
  const affine::KernelModel& model = facts.model;
  const affine::Access &a = model.accesses[first], &b = model.accesses[second];
  const affine::Array& array = model.arrays[a.array];
  const std::string which =
      a.loc.line == b.loc.line
          ? fmt::format("neighbours in {} (line {})", array.name, a.loc.line)
          : fmt::format("neighbours in {} (lines {} and {})", array.name, a.loc.line, b.loc.line);
  if (array.isVolatile) return Refusal{fmt::format("{} are not one access: it is volatile", which), a.loc};
  if (a.bytes < sizeOf(*array.element))
    return Refusal{fmt::format("{} are not one access: they are parts of one element", which), a.loc};
  if (!facts.hasVectors(*array.element))
    return Refusal{fmt::format("{} are not one access: only numbers and short vectors of them are loaded and "
                               "stored together",
                               which),
                   a.loc};
  if (array.element->is(TypeKind::Vector))
    return Refusal{
        fmt::format("{} are not one access: vectors are loaded and stored together in loops alone", which),
        a.loc};
  if (!facts.isPlain(first) || !facts.isPlain(second))
    return Refusal{
        fmt::format("{} are not one access: one of them is not written as a plain subscript", which), a.loc};
  if (a.mode == AccessMode::ReadWrite)
    return Refusal{fmt::format("{} are not one access: they are changed in place", which), a.loc};
  const std::map<const Stmt*, const Stmt*> blocks = blocksOf(*model.kernel);
  const auto blockOf = [&](const affine::Access& access) {
    const auto found = blocks.find(access.stmt.get());
    return found == blocks.end() ? nullptr : found->second;
  };
  if (blockOf(a) != blockOf(b) || !facts.conditionsOf(first).empty() || !facts.conditionsOf(second).empty())
    return Refusal{
        fmt::format("{} are not one access: they do not always happen together, but under conditions or in "
                    "loops of their own",
                    which),
        a.loc};
  const int64_t start = std::min(a.address.constantPart(), b.address.constantPart());
  if (affine::floorMod(start, 2 * int64_t(a.bytes)) != 0)
    return Refusal{
        fmt::format("{} are not one access: they do not begin at a multiple of two elements", which), a.loc};
  return Refusal{
      fmt::format("{} are not one access: what happens between them may change one of them", which), a.loc};
}

// The loop of which each iteration touches the element behind that of the last one; null: none does.
const affine::Loop* loopOverNeighbours(const affine::KernelModel& model, const affine::Access& access) {
  if (!access.isResolved() || access.atomic || access.loops.empty()) return nullptr;
  const affine::Loop& loop = model.loops[access.loops.back()];
  const affine::Poly moved = access.address.coefficient(loop.counter);
  const std::optional<int64_t> bytes = moved.constant(), step = loop.step.constant();
  if (!bytes || !loop.values.empty() || (loop.byDistance && step != std::optional<int64_t>(1)))
    return nullptr;
  return std::abs(*bytes) == int64_t(access.bytes) ? &loop : nullptr;
}

}  // namespace

Refusal whyNotWide(const VectorFacts& facts) {
  const affine::KernelModel& model = facts.model;
  const affine::Access* wide = nullptr;
  const affine::Access* inLoop = nullptr;
  bool isKnown = true;
  for (const affine::AccessId first : model.accesses.ids()) {
    const affine::Access& access = model.accesses[first];
    for (const affine::AccessId second : model.accesses.ids())
      if (first < second && areNeighbours(model, access, model.accesses[second]))
        return whyApart(facts, first, second);
    if (!wide && model.isGlobal(access) && access.bytes >= widest && access.unit >= widest) wide = &access;
    if (!inLoop && loopOverNeighbours(model, access)) inLoop = &access;
    isKnown &= access.isResolved();
  }
  if (inLoop) {
    const affine::Loop& loop = *loopOverNeighbours(model, *inLoop);
    const std::string& name = model.arrays[inLoop->array].name;
    if (!affine::iterationsOf(loop))
      return Refusal{
          fmt::format(
              "a thread touches neighbouring elements of {} only in different iterations of {}, whose "
              "number is not known before the launch",
              name, loop.handle),
          inLoop->loc};
    return Refusal{fmt::format("a thread touches neighbouring elements of {} only in different iterations of "
                               "{}, which cannot be done together as they are",
                               name, loop.handle),
                   inLoop->loc};
  }
  if (wide)
    return Refusal{fmt::format("{} is accessed {} bytes at a time already, and nothing else that a thread is "
                               "known to touch lies side by side",
                               model.arrays[wide->array].name, wide->bytes),
                   wide->loc};
  return Refusal{fmt::format("no thread touches neighbouring elements at once{}",
                             isKnown ? "" : ", as far as addresses are known")};
}

}  // namespace hone::passes
