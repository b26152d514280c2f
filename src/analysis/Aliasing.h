// Whether two arrays of a kernel can share memory in a way that matters, and otherwise the test at run time
// that decides.
#pragma once

#include <map>

#include "affine/Evaluate.h"

namespace hone::analysis {

enum class Overlap : uint8_t {
  Never,     // no byte that one of them writes is touched through the other
  Harmless,  // they may share bytes, which nobody writes
  Test,      // not known before the launch: `first` and `second` decide
  Unknown    // not known, and no test can be written
};
const char* str(Overlap overlap);  // "never", "harmless", "test", "unknown"

// What the whole launch touches of an array, bytes from where its pointer points: all of it lies in [low,
// high). Made of symbols and the grid's size. Where the launch touches nothing of it, low and high mean
// nothing.
struct ByteRange {
  affine::Poly low, high;
};

struct Aliasing {
  affine::ArrayId first, second;  // first < second
  Overlap overlap = Overlap::Unknown;
  std::string reason;  // in words: "a is restrict, and is written"
  // Overlap::Test: they share no byte when first + high <= second + low or second + high <= first + low.
  std::optional<ByteRange> ofFirst, ofSecond;
  // What the ranges rely on, besides what the launch must meet anyway.
  std::vector<affine::Requirement> conditions;
};

// What the user or the host's code says: names of arrays (Array::name) known to lie apart.
struct KnownApart {
  bool allParameters = false;  // no two pointers handed to the kernel overlap
  std::vector<std::pair<std::string, std::string>> pairs;
};

// The bytes that a launch touches of each array, worked out when first asked for.
class LaunchBytes {
 public:
  struct Entry {
    std::optional<ByteRange> range;
    std::vector<affine::Requirement> conditions;
    std::string reason;  // why there is no range
  };
  explicit LaunchBytes(const affine::KernelModel& kernelModel) : model(kernelModel) {}
  const Entry& of(affine::ArrayId array);

  const affine::KernelModel& model;

 private:
  std::map<affine::ArrayId, Entry> known;
};

Aliasing aliasing(const affine::KernelModel& model, affine::ArrayId first, affine::ArrayId second,
                  const KnownApart& known = {});
Aliasing aliasing(LaunchBytes& bytes, affine::ArrayId first, affine::ArrayId second,
                  const KnownApart& known = {});  // of several
// Whether they are neither never nor harmlessly the same memory; mostly told without the bytes that the
// launch touches of them, which take long to work out.
bool mayShare(LaunchBytes& bytes, affine::ArrayId first, affine::ArrayId second,
              const KnownApart& known = {});
// Every pair of arrays that accesses name.
std::vector<Aliasing> aliasings(const affine::KernelModel& model, const KnownApart& known = {});
// The bytes that the accesses of one array touch in the whole launch; nothing when they cannot be written
// down.
std::optional<ByteRange> bytesOfLaunch(const affine::KernelModel& model, affine::ArrayId array,
                                       std::vector<affine::Requirement>* conditions = nullptr,
                                       std::string* reason = nullptr);

// Whether what an array holds stays as it is while the kernel runs: never written, neither by name nor
// through another array or a pointer to memory that is not known.
struct Stability {
  bool isStable = false;
  std::string reason;  // why not
  std::vector<affine::ArrayId>
      untested;  // stable if these arrays, which are written, do not overlap it (see Overlap::Test)
};
Stability staysUnchanged(const affine::KernelModel& model, affine::ArrayId array,
                         const KnownApart& known = {});
Stability staysUnchanged(LaunchBytes& bytes, affine::ArrayId array, const KnownApart& known = {});

}  // namespace hone::analysis
