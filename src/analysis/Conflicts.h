// When two executions of accesses meet in one element: the question behind dependence and barriers.
#pragma once

#include <memory>

#include "analysis/Privacy.h"
#include "analysis/Sharing.h"

namespace hone::analysis {

// Whose executions: of one thread; of two threads of a block (in one warp, in two); of threads of two blocks.
enum class Between : uint8_t { OneThread, OneBlock, OneWarp, TwoWarps, TwoBlocks };

// `first` comes before `second`: in the same iteration of all loops around both (no carrier), or in an
// earlier iteration of the carrier, one of those loops, with those outside it in the same iteration.
// TwoBlocks: any iterations.
struct Meeting {
  affine::AccessId first, second;  // accesses of one array
  affine::LoopId carrier;
  enum Gap : uint8_t {
    Any,
    Next,
    Later
  } gap = Any;  // of iterations of the carrier: at least one, one, at least two
  Between between = Between::OneBlock;
};

struct Meets {
  Answer answer = Answer::Unknown;  // Unknown: perhaps (the reason says why it is not known)
  std::string reason;
  Distances distances;  // in iterations of the carrier, where asked for and it carries
};

class Conflicts {
 public:
  explicit Conflicts(const affine::KernelModel& model, const affine::Launch* launch = nullptr);
  ~Conflicts();
  Meets ask(const Meeting& meeting, bool withDistances = false);
  // Loops around both, outermost first.
  std::vector<affine::LoopId> commonLoops(affine::AccessId first, affine::AccessId second) const;
  // Whether a loop has at least one iteration wherever an access around or beside it happens.
  bool runsOnce(affine::LoopId loop);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside;
};

}  // namespace hone::analysis
