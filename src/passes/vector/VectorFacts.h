// What both forms of vectorize ask about accesses: which are plain, how wide they may become, under which
// condition they are aligned, what may share memory with them.
#pragma once

#include <map>
#include <set>

#include "analysis/Aliasing.h"
#include "ir/Handles.h"
#include "passes/recipe/Context.h"
#include "passes/recipe/Pass.h"

namespace hone::passes {

class VectorFacts {
 public:
  // `facts` are those of the launch's kernel.
  VectorFacts(const ir::LaunchStep& launch, analysis::Facts& facts, const PassContext& context,
              unsigned width, std::vector<std::string> arrays);

  const affine::KernelModel& model;

  // A load or store of one number of global or shared memory, written as a subscript, of an array that is
  // asked for.
  bool isPlain(affine::AccessId access) const;
  // The same where values that are not known, of memory perhaps, are part of the address.
  bool isPlainByValues(affine::AccessId access) const { return byValues[access]; }
  // What must hold inside its statement for it to happen: arms of ?: and right sides of && and ||.
  const std::vector<ir::ExprPtr>& conditionsOf(affine::AccessId access) const { return conditions[access]; }
  // Accesses of a statement itself, and of all statements below it too.
  const std::vector<affine::AccessId>& accessesOf(const ir::Stmt& s) const;
  std::vector<affine::AccessId> accessesBelow(const ir::StmtPtr& s) const;

  unsigned bytesOf(affine::ArrayId array) const;  // of an element
  // That one access may have: 16 bytes, and no more than asked for.
  unsigned mostLanes(affine::ArrayId array) const;
  unsigned mostVectorLanes(affine::ArrayId array) const;  // in a vector of the language

  // The condition on the launch under which an address is a multiple of so many bytes, null where it always
  // is. Refuses where it cannot be made sure of.
  Result<ir::ExprPtr> aligned(affine::ArrayId array, const affine::Poly& address, unsigned bytes) const;

  // Whether two arrays may share memory in a way that matters, for all that is known before the launch; and
  // whether a test at the launch can tell.
  bool mayOverlap(affine::ArrayId first, affine::ArrayId second) const;
  bool canTest(affine::ArrayId first, affine::ArrayId second) const;
  // What is tested before the launch so that requirements of the model hold; null: they hold anyway.
  Result<ir::ExprPtr> tests(const std::set<unsigned>& requirements) const;
  // Whether two accesses of one array touch different elements at any time, so many bytes each.
  static bool isApart(const affine::Poly& first, const affine::Poly& second, int64_t bytes);

  bool isWanted(affine::ArrayId array) const;
  // Whether several elements of a type are loaded and stored at once, in loops at least.
  bool hasVectors(const ir::Type& type) const;

  // Whether the language has a vector of so many elements; what has none moves as integers of its size.
  bool hasVectorOf(const ir::Type& element, unsigned lanes) const;
  // CUDA's vectors of `char` have elements of type `signed char`.
  ir::TypePtr vectorOf(const ir::TypePtr& element, unsigned lanes) const;
  // An integer, or a vector of them, of so many bytes.
  static ir::TypePtr carrierOf(unsigned bytes);
  // A vector place of so many lanes, or one of its carrier, where a scalar place stands.
  ir::ExprPtr wide(const ir::ExprPtr& place, affine::ArrayId array, unsigned lanes, bool isConst) const;

 private:
  analysis::KnownApart known() const;
  analysis::LaunchBytes& launchBytes;
  mutable std::map<std::pair<affine::ArrayId, affine::ArrayId>, bool> overlaps;  // many accesses ask

  const ir::LaunchStep& launch;
  const PassContext& context;
  unsigned width;
  std::vector<std::string> wanted;
  affine::ById<affine::AccessId, std::vector<ir::ExprPtr>> conditions;
  affine::ById<affine::AccessId, bool> plain, byValues;
  std::map<const ir::Stmt*, std::vector<affine::AccessId>> byStmt;
};

}  // namespace hone::passes
