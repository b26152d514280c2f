// Accesses as sets of isl. Every coordinate of an instance (block, thread, loop counters) is a named
// parameter, so that a question about two instances is an intersection, and a coordinate that does not matter
// is projected out.
#pragma once

#include "affine/Evaluate.h"
#include "affine/IslBudget.h"

namespace hone::affine {

// An instance of an access in a question. What its own coordinates are is said by `own`; all else (other
// loops, the block, sizes) it shares with the other instances of the question. Own parameters carry the
// suffix.
struct Point {
  std::string suffix = "@";
  Variation own;
};

// Every thread coordinate and every loop is the instance's own; blocks too where asked for.
Variation threadsAndLoops();
Variation everything();
Variation loopsOnly();

class Relations {
 public:
  // With a launch, its numbers stand for the symbols it names.
  Relations(IslBudget& budget, const KernelModel& model, const Launch* launch = nullptr);

  const KernelModel& model() const { return kernel; }
  isl::ctx ctx() const { return context; }

  // How well what was asked for since start() is represented, and why not exactly: products of unknowns and
  // opaque values stand as free values, conditions that nothing is known of as free choices, loops that may
  // end early as if they did not.
  void start() { precision = Exactness::Exact, words.clear(); }
  Exactness exactness() const { return precision; }
  const std::string& reason() const { return words; }
  void note(Exactness e, const std::string& why);

  // A polynomial as a function of parameters. Not total where a division by an unknown would be needed: that
  // part is a free value.
  isl::pw_aff value(const Poly& p, const Point& at);
  isl::set holds(const CondPtr& c, const Point& at);
  // Where an access happens: guards (when not asked for: those that only tell threads and iterations of a
  // block apart, as a block far from every edge obeys them), loops, shapes of block and grid.
  isl::set domain(const Access& access, const Point& at, bool withGuard = true);
  isl::set domain(const std::vector<LoopId>& loops, const CondPtr& guard, const Point& at);
  // The elements an access touches: { [s0, …, sk] } with its instance as parameters. `width` elements along
  // the last dimension.
  isl::set elements(const Access& access, const std::vector<Poly>& subscripts, int64_t width, const Point& at,
                    bool withGuard = true);
  // The same, for who forgets the own coordinates of the point afterwards: those that only occur added up are
  // one (DigitSums.h). The counter of loop `kept` stays.
  isl::set elementsSummed(const Access& access, const std::vector<Poly>& subscripts, int64_t width,
                          const Point& at, bool withGuard = true, LoopId kept = {});
  // The relation from (blockIdx.x …, threadIdx.x …, loop counters) to elements, sizes as parameters.
  isl::map relation(const Access& access, const std::vector<Poly>& subscripts, int64_t width);

  isl::id threadId(unsigned axis, const Point& at);
  isl::id blockId(unsigned axis, const Point& at);
  isl::id counterId(LoopId loop, const Point& at);
  isl::pw_aff thread(unsigned axis, const Point& at);
  isl::pw_aff block(unsigned axis, const Point& at);
  isl::pw_aff counter(LoopId loop, const Point& at);
  isl::pw_aff linearThread(const Point& at);
  isl::id named(const std::string& name) const;  // names that isl's own syntax would not take included
  isl::pw_aff number(int64_t n) const;
  isl::set universe() const;

  // Adds what is known of every parameter of a set (0 <= threadIdx.x < 16, …).
  isl::set withRanges(isl::set s) const;
  // Without the own parameters of a point, existentially.
  isl::set forget(isl::set s, const Point& at) const;
  // Without every parameter: nothing but the tuple is left.
  isl::set forgetAll(isl::set s) const;

  // A number that a polynomial of symbols has in the launch.
  std::optional<int64_t> numberOf(const Poly& p) const;
  // The polynomial behind a parameter, its suffix left aside.
  std::optional<Poly> meaning(const std::string& parameter) const;

 private:
  CondPtr insideBlock(const CondPtr& guard) const;
  isl::pw_aff atomValue(AtomId id, const Point& at);
  isl::pw_aff product(const Monomial& monomial, const Point& at);
  isl::pw_aff bitsValue(const Atom& atom, AtomId id, const Point& at);
  isl::pw_aff parameter(const std::string& name, const Poly& meaning, bool isOwn, const Point& at);
  isl::pw_aff freeValue(const Poly& p, const Point& at, const std::string& why);
  bool isOwn(const Variation& v, const Point& at) const;
  isl::set constraints(const std::vector<LoopId>& loops, const CondPtr& guard, const Point& at,
                       const Poly& about);
  // A condition without the parts that compare values nothing is known of: free as they are they could hold
  // anyway, and cost much.
  CondPtr worthAsking(const CondPtr& c, const Point& at, const std::vector<AtomId>& about);
  isl::set loopDomain(const Loop& loop, const Point& at, const std::vector<AtomId>& about);

  isl::ctx context;
  const KernelModel& kernel;
  Atoms& atoms;
  const Launch* launch;
  std::optional<Values> numbers;
  std::map<std::string, isl::set> ranges;  // of each parameter, by full name
  std::map<std::string, Poly> meanings;    // by name without suffix
  std::map<std::pair<AtomId, std::string>, isl::pw_aff> known;
  std::map<AtomId, isl::pw_aff> stands;  // what stands for coordinates in the question at hand
  Exactness precision = Exactness::Exact;
  std::string words;
};

}  // namespace hone::affine
