// How long nvcc takes on this machine, through what is estimated: learnt from builds, kept in the cache.
#pragma once

#include <string>

namespace hone::cli {

class NvccPace {
 public:
  // Of builds that share this folder.
  explicit NvccPace(const std::string& folder);

  double times() const { return kept > 0 ? kept : 1; }
  // After a build of which both are known. What cannot be kept is not.
  void learn(double measuredSeconds, double estimatedSeconds) const;

 private:
  std::string file;
  double kept = 0;  // 0: nothing is known
};

}  // namespace hone::cli
