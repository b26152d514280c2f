// One verification: the original and a plan, run on the same data at sizes and launches of many kinds.
#pragma once

#include <functional>
#include <set>

#include "device/ChooseCase.h"
#include "device/Judge.h"

namespace hone::device {

class Verifier {
 public:
  Verifier(const CaseMaker& caseMaker, ir::PlanPtr a, ir::PlanPtr b, const JudgeOptions& judgeOptions)
      : maker(caseMaker),
        original(std::move(a)),
        other(std::move(b)),
        options(judgeOptions),
        mostWork(judgeOptions.mostWorkInAll),
        programs(judgeOptions.compile),
        coverage(*other, original->original, programs) {}

  Judgement run();

 private:
  // What a launch changes of the case that it is made of.
  using Change = std::function<void(Case&)>;

  std::string whyUncompared() const;
  void addNotesOnNan();
  // Roots and logarithms of negative numbers say nothing: where the original gives NaN other data are tried,
  // and kept where they give less of it. `make` makes the case for them.
  void avoidNan(ChosenCase& now, CaseRun& first,
                const std::function<ChosenCase(const DataOptions&, bool fractions)>& make);

  ChosenCase choose(const DataOptions& with, const CaseWish& wish);
  CaseData prepare(const Case& c, const DataOptions& with);
  CaseRun runFirst(const Case& c, const CaseData& of, const sim::RunOptions& how);  // throws TooMuchWork
  bool isHand() const { return other->original != original->original; }             // not made of the first
  bool isSpent() const { return hasNoEnd || work > mostWork; }

  void atSizes(const ChosenCase& base, const std::map<std::string, int64_t>& sizes, bool isExtra = false);
  // Where conditions of the plan held at no sizes so far: larger ones in place of those that nobody gave,
  // then some that fill no block.
  void atFastSizes(const ChosenCase& base);
  // For statements that no run came to: numbers and data that decide otherwise, then larger sizes.
  void reachMore(const ChosenCase& base);
  // Launches with other numbers that are no sizes: in later turns of the host's loops, and where the text has
  // but one value of several.
  void atOtherNumbers(const ChosenCase& base);
  void otherSeed(const ChosenCase& base);  // a kernel without sizes is run on other data instead

  // Numbers as large and as small as can be, where the original stays in its arrays with them: "no limit" is
  // often said so, and tests before a launch must not overflow. Runs that are equal are not listed.
  void atExtremes(const ChosenCase& base);
  void atExtremesOf(ChosenCase& even);
  // Launches that fit the sizes less well: a block too few or too many, or but one, half a block, arrays that
  // begin anywhere or overlap. Tests before a launch must see what a fast version cannot do.
  void atOddLaunches(const ChosenCase& base);
  void atOtherGrids(const ChosenCase& base);
  // The smallest with which the fast version runs: else the original runs in every odd launch, and a test
  // that is missing shows in none.
  void chooseOddSizes(const ChosenCase& base);
  // Where the fast version had but one block along an axis, though the original has many: what is wrong in
  // its second shows there alone.
  void atSeveralBlocks(const ChosenCase& base);
  std::vector<std::pair<std::string, std::string>> pairsToOverlap(const ChosenCase& base) const;
  void atOverlaps(const ChosenCase& base, const std::vector<std::pair<std::string, std::string>>& pairs);
  // A launch in which but one thread does something, and its arrays.
  struct Alone {
    std::map<std::string, int64_t> sizes;
    bool isLaunchedAlone = false;
    CaseData data;
  };
  std::optional<Alone> oneThread(const ChosenCase& base);
  // One such launch, at small sizes or at those given over them. Nothing where the original has findings
  // there, or where there is no such launch.
  std::optional<CaseData> odd(const ChosenCase& base, const std::map<std::string, int64_t>& sizes,
                              const Change& change);

  void compareAt(const ChosenCase& chosen, const CaseRun& first, bool isBase);
  // Of the run before: one that is equal and reached nothing new of the fast version is not listed.
  void dropUnlessNew();
  // A finding counts against the second kernel when the first has none of the kind on that array at these
  // sizes. Races are of one kind: passes change who shares a warp, and with it how a race shows.
  void addFindings(const ChosenCase& chosen, const CaseRun& first, const CaseRun& second, bool isBase);
  void addDifferences(const ChosenCase& chosen, const Comparison& comparison);

  static constexpr uint64_t mostSpent = 12'000'000;

  const CaseMaker& maker;
  ir::PlanPtr original, other;
  const JudgeOptions& options;
  uint64_t mostWork;  // of all runs
  Programs programs;
  Coverage coverage;
  std::optional<Coverage> coverageOfFirst;  // where the second was not made of it, and may lack what it has
  DataOptions data;
  Judgement judgement;
  std::set<std::string> reported;
  std::map<std::string, uint64_t> notNumbers;  // by array, over all runs
  std::set<std::string> untouched;             // arrays that no run touched
  size_t lost = 0;                             // runs in which the original has findings
  uint64_t compared = 0;                       // results, over all runs
  uint64_t spent = 0;  // warp instructions of the original on odd launches and to reach more
  uint64_t work = 0;   // of all runs
  std::map<std::string, int64_t> oddSizes;  // of those that nobody gave
  bool isCostly = false;                    // runs at usual sizes took most of what there is
  bool isAtExtremes = false;
  bool isTooMuch = false;    // a run of the second plan was ended
  bool hasNoEnd = false;     // though the first was done in a moment
  bool reachedMore = false;  // the run before was the first to reach something
  bool wasFast = false;      // the run before launched what the plan has where all conditions hold
};

}  // namespace hone::device
