#include "passes/vector/VectorFacts.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "ir/Build.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

constexpr unsigned mostBytes = 16;  // that one thread moves at once

// value % number == 0, with numbers as C takes them by itself.
ExprPtr isMultiple(const ExprPtr& value, int64_t number) {
  auto plain = [&](int64_t n) {
    return sameType(value->type, int32()) ? intLit(n) : makeExpr(value->type, Cast{intLit(n), false});
  };
  return makeExpr(
      boolType(),
      Binary{BinaryOp::Eq, makeExpr(value->type, Binary{BinaryOp::Rem, value, plain(number)}), plain(0)});
}

// The terms of a distance in bytes; where the counter of a loop is a multiple of the loop's step, what it is
// a multiple of.
std::vector<std::pair<affine::Monomial, int64_t>> multiples(const affine::KernelModel& model,
                                                            const Poly& address) {
  std::vector<std::pair<affine::Monomial, int64_t>> out;
  for (const auto& [monomial, factor] : address.terms()) {
    Poly term;
    term.add(monomial, factor);
    // Each by itself: what other terms would take from it is not a multiple of the same iterations.
    for (const affine::AtomId id : monomial) {
      const affine::Atom& atom = (*model.atoms)[id];
      if (atom.kind == affine::AtomKind::Loop && model.loops[atom.loop].byDistance)
        term = model.atoms->substitute(term, {{id, model.loops[atom.loop].step}});
    }
    for (const auto& one : term.terms()) out.emplace_back(one.first, one.second);
  }
  return out;
}

// Of a pointer as a number.
TypePtr addressType(Language language) {
  if (language == Language::OpenCL) return uint64();
  auto type = std::make_shared<Type>(*uint64());
  type->spelling = "size_t";
  return type;
}

}  // namespace

VectorFacts::VectorFacts(const LaunchStep& step, analysis::Facts& facts, const PassContext& passContext,
                         unsigned mostWidth, std::vector<std::string> arrays)
    : model(facts.model()),
      launchBytes(facts.launchBytes()),
      launch(step),
      context(passContext),
      width(mostWidth),
      wanted(std::move(arrays)) {
  const KernelHandles named = handles(*model.kernel);
  conditions.resize(model.accesses.size());
  plain.resize(model.accesses.size());
  byValues.resize(model.accesses.size());
  for (const affine::AccessId i : model.accesses.ids()) {
    const affine::Access& access = model.accesses[i];
    byStmt[access.stmt.get()].push_back(i);
    const size_t at = static_cast<size_t>(i.number());
    if (at >= named.accesses.size() || named.accesses[at].name != access.handle) continue;
    const ir::Access& written = named.accesses[at].access;
    conditions[i] = written.conditions;
    if (written.through || access.atomic || !access.isSpelledOut || !written.place->is<Subscript>()) continue;
    if (written.whole != written.place || access.mode == AccessMode::Address) continue;
    const affine::Array& array = model.arrays[access.array];
    byValues[i] = (array.space == Space::Global || array.space == Space::Shared) && !array.isVolatile &&
                  hasVectors(*written.place->type) && access.bytes == sizeOf(*written.place->type) &&
                  access.bytes == sizeOf(*array.element) && isWanted(access.array);
    plain[i] = byValues[i] && access.isResolved();
  }
}

bool VectorFacts::hasVectors(const Type& type) const {
  if (type.is(TypeKind::Vector) && launch.kernel->language == Language::Cuda)
    return sizeOf(type) <= mostBytes / 2 && mostBytes % sizeOf(type) == 0;
  return (type.kind == TypeKind::Int && type.bits >= 8) || type.isFloating();
}

bool VectorFacts::isWanted(affine::ArrayId array) const {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), model.arrays[array].name) != wanted.end();
}

bool VectorFacts::isPlain(affine::AccessId access) const { return plain[access]; }

const std::vector<affine::AccessId>& VectorFacts::accessesOf(const Stmt& s) const {
  static const std::vector<affine::AccessId> none;
  auto found = byStmt.find(&s);
  return found == byStmt.end() ? none : found->second;
}

std::vector<affine::AccessId> VectorFacts::accessesBelow(const StmtPtr& s) const {
  std::vector<affine::AccessId> all;
  walkStmts(s, [&](const Stmt& one) {
    const std::vector<affine::AccessId>& own = accessesOf(one);
    all.insert(all.end(), own.begin(), own.end());
  });
  return all;
}

unsigned VectorFacts::bytesOf(affine::ArrayId array) const {
  return unsigned(sizeOf(*model.arrays[array].element));
}

unsigned VectorFacts::mostLanes(affine::ArrayId array) const {
  return std::min(width, mostBytes / bytesOf(array));
}

unsigned VectorFacts::mostVectorLanes(affine::ArrayId array) const {
  unsigned lanes = mostLanes(array);
  while (lanes >= 2 && !hasVectorOf(*model.arrays[array].element, lanes)) lanes /= 2;
  return lanes;
}

bool VectorFacts::hasVectorOf(const Type& element, unsigned lanes) const {
  if (element.is(TypeKind::Vector)) return false;
  if (launch.kernel->language == Language::OpenCL) return true;
  return lanes <= (element.isFloating() && element.bits == 16 ? 2 : 4);
}

Result<ExprPtr> VectorFacts::aligned(affine::ArrayId array, const Poly& address, unsigned bytes) const {
  const affine::Array& memory = model.arrays[array];
  ExprPtr condition;
  // 1. Where the array begins.
  if (memory.space == Space::Shared) {
    if (!memory.var || memory.var->storage != Storage::Local || memory.var->isDynamicShared ||
        memory.name != memory.var->name)
      return Refusal{fmt::format("where {} begins in shared memory is not known", memory.name)};
  } else {
    const ExprPtr pointer = hostPointer(launch, model, array);
    if (!pointer) return Refusal{fmt::format("where {} begins is not known before the launch", memory.name)};
    condition = isMultiple(convert(pointer, addressType(launch.kernel->language), true), bytes);
  }
  // 2. Each term of the distance from there.
  for (const auto& [monomial, factor] : multiples(model, address)) {
    const int64_t rest = bytes / std::gcd(int64_t(bytes), factor);
    if (rest == 1) continue;
    std::vector<ExprPtr> factors;
    for (const affine::AtomId id : monomial) {
      const affine::Atom& atom = (*model.atoms)[id];
      if (atom.kind != affine::AtomKind::Symbol) continue;
      if (const ExprPtr value = hostSymbol(launch, model, atom)) factors.push_back(value);
    }
    ExprPtr product;
    if (factors.size() == 1) product = convert(factors[0], promoted(factors[0]->type));
    if (factors.size() > 1) {
      product = convert(factors[0], addressType(launch.kernel->language), true);
      for (size_t i = 1; i < factors.size(); ++i)
        product = times(product, convert(factors[i], product->type, true));
    }
    if (!product)
      return Refusal{fmt::format("{} is not aligned: an access begins at {} bytes", memory.name,
                                 model.atoms->str(address))};
    condition = HONE_SEED(VectorRowsUnaligned, andAlso(condition, isMultiple(product, rest)), condition);
  }
  return condition;
}

analysis::KnownApart VectorFacts::known() const {
  analysis::KnownApart apart;
  apart.allParameters = context.assumeNoalias;
  return apart;
}

bool VectorFacts::mayOverlap(affine::ArrayId first, affine::ArrayId second) const {
  if (first.isNone() || second.isNone() || first == second) return true;
  const auto [pair, isNew] = overlaps.try_emplace(std::minmax(first, second));
  if (isNew) pair->second = analysis::mayShare(launchBytes, first, second, known());
  return pair->second;
}

bool VectorFacts::canTest(affine::ArrayId first, affine::ArrayId second) const {
  if (first.isNone() || second.isNone() || first == second) return false;
  return analysis::aliasing(launchBytes, first, second, known()).overlap == analysis::Overlap::Test;
}

Result<ExprPtr> VectorFacts::tests(const std::set<unsigned>& requirements) const {
  return testsFor(launch, model, requirements);
}

bool VectorFacts::isApart(const Poly& first, const Poly& second, int64_t bytes) {
  const auto distance = (first - second).constant();
  return distance && (*distance >= bytes || *distance <= -bytes);
}

TypePtr VectorFacts::vectorOf(const TypePtr& element, unsigned lanes) const {
  const bool isChar = element->isPlainChar && launch.kernel->language == Language::Cuda;
  return vectorType(isChar ? intType(8, true) : element, lanes);
}

TypePtr VectorFacts::carrierOf(unsigned bytes) {
  return bytes <= 4 ? intType(bytes * 8, false) : vectorType(uint32(), bytes / 4);
}

ExprPtr VectorFacts::wide(const ExprPtr& place, affine::ArrayId array, unsigned lanes, bool isConst) const {
  const Space space = model.arrays[array].space;
  const TypePtr vector =
      hasVectorOf(*place->type, lanes) ? vectorOf(place->type, lanes) : carrierOf(lanes * bytesOf(array));
  return deref(convert(addressOf(place, space), pointerType(vector, space, isConst), true));
}

}  // namespace hone::passes
