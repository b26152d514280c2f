// Elements of a row that several of its loops touch, each in the iteration of one number: a thread that takes
// the same iterations of all of them keeps these elements in registers from loop to loop.
#pragma once

#include "passes/edit/Names.h"
#include "passes/host/AliasGuard.h"
#include "passes/reduce/RowLoops.h"

namespace hone::passes {

struct KeptElement {
  std::string name;                        // of the array, as its first access writes it
  ir::TypePtr type;                        // of the element
  std::vector<affine::AccessId> accesses;  // in the order of the source, all in dealt loops
  std::set<affine::LoopId> loops;          // that they stand in
  affine::LoopId first;                    // of these: it fills the register
  ir::StmtPtr loadBefore;                  // statement of its body; null: the first access stores
  ir::ExprPtr loaded;                      // with loadBefore: the element, as it is written there
  std::set<const ir::Stmt*> unseen;        // assignments to memory that a later one replaces unread
  std::set<const ir::Stmt*> readLater;     // assignments behind which the element is read
  std::map<affine::LoopId, std::vector<ir::ExprPtr>> forms;  // how each loop writes it
};

class KeptElements {
 public:
  // `most`: iterations that all threads together may do where they are kept; `each`: of them those that a
  // thread does side by side, all or none.
  KeptElements(const ir::LaunchStep& launch, const affine::KernelModel& model, const PassContext& context,
               const RowLoops& row, int64_t most, int64_t each);

  // Refuses where nothing can be kept.
  Obstacle decide();
  // Or else: the element that a loop stores, where a later loop replaces it, and nobody but loops over the
  // same elements reads it before; none where it is not so. `unseen` holds that store alone. Nothing has to
  // be kept then.
  struct Replaced {
    KeptElement element;
    affine::LoopId in;
  };
  std::optional<Replaced> replacedLater(affine::AccessId store);
  // Whether what is read there can be read again up to where that element is replaced.
  bool staysReadable(affine::AccessId read, const Replaced& until);
  // Behind all that was asked: refuses where the tests cannot be made.
  Obstacle close();

  const std::vector<KeptElement>& elements() const { return kept; }
  // What must hold before the launch; null: nothing.
  const ir::ExprPtr& condition() const { return tests; }
  bool touches(affine::LoopId loop) const;

 private:
  const ir::LaunchStep& launch;
  const affine::KernelModel& model;
  const RowLoops& row;
  int64_t most, each;
  AliasGuard apart;
  std::vector<KeptElement> kept;
  std::set<unsigned> needed;  // requirements of the model
  ir::ExprPtr tests;
  Obstacle notCounted;  // why elements that could be kept else are not

  // An access of a dealt loop that may belong to a kept element.
  bool isCandidate(affine::AccessId access, const ReductionKernel& loop) const;
  // Whether two accesses of two loops touch the same element in iterations of the same number.
  bool isSameElement(affine::AccessId a, affine::LoopId ofA, affine::AccessId b, affine::LoopId ofB) const;
  bool hasSameIterations(affine::LoopId a, affine::LoopId b) const;
  // Whether the loops of an element begin and end the same even where numbers wrap.
  bool isCountedAlike(const KeptElement& element) const;
  // Whether two accesses of one array, in iterations of any numbers, are apart.
  bool neverMeet(affine::AccessId a, affine::AccessId b);

  // The element of an access, as far as it can be kept from its loop on.
  std::optional<KeptElement> from(affine::AccessId access, const ReductionKernel& loop);
  // What is touched from the loop of one access to the end of the loop of another.
  std::vector<affine::AccessId> around(affine::AccessId first, affine::AccessId last) const;
  bool isFilled(KeptElement& element, const ReductionKernel& loop) const;
  bool staysAsItIs(const KeptElement& element);
  void findUnseen(KeptElement& element);
  // Whether what one access stores another one in a later loop always replaces, nobody having read it from
  // memory.
  bool replaces(const KeptElement& element, affine::AccessId first, affine::AccessId second);
  const ReductionKernel* loopOf(affine::AccessId access) const;
  // What must hold for each thread to have a place for all it keeps.
  Obstacle limit(const ReductionKernel& loop);
  // What the addresses of its accesses rely on has to hold.
  void rely(const KeptElement& element);
};

// An element, and what stands for it in one of its loops.
struct PlacedElement {
  const KeptElement* element;
  ir::ExprPtr place;
};
// The body of a loop as it stands in the kernel, with elements in other places.
ir::StmtPtr withElementsAt(const ReductionLoop& loop, const std::vector<PlacedElement>& elements);

// Arrays of the thread's own, one for each kept element, and the loops of a row that go through them: over
// places of the arrays, each of which is an iteration that the thread may have.
class KeptArrays {
 public:
  // `slots` of them, or so many times `each`, that a thread does side by side (null: one).
  KeptArrays(const std::vector<KeptElement>& elements, Names& names, ir::ExprPtr slots, ir::ExprPtr each);

  // Those that a loop is the first to fill.
  ir::StmtList declaredFor(const ReductionKernel& loop) const;
  // Of what `within` gave: iterations are dealt out as dealtOut does it.
  ir::StmtList loop(const ReductionKernel& loop, Names& names, const ir::ExprPtr& thread,
                    const ir::ExprPtr& ways) const;
  // The loop with its elements replaced by places of the arrays, whose numbers are left open as variables.
  ReductionKernel within(const ReductionKernel& loop) const;

 private:
  const std::vector<KeptElement>& elements;
  std::vector<ir::VarPtr> arrays;
  ir::ExprPtr slots, each;
  ir::VarPtr slot, inner;  // the number of the place
};

}  // namespace hone::passes
