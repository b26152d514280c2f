// Text and JSON of what `hone check` and `hone verify` found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/Judge.h"
#include "report/CodeFinding.h"

namespace hone::report {

// One kernel that was to be judged.
struct JudgedKernel {
  std::string file, name;  // name with template arguments
  unsigned line = 0;
  std::string otherFile;  // verify: of the second kernel, "" when the recipe made it
  std::string problem;    // why it could not be judged; empty when it was
  device::Judgement judgement;
};

struct JudgeReport {
  bool isVerify = false;
  std::vector<JudgedKernel> kernels;
  std::function<std::string(const std::string&)> display;  // how files are named to the user

  bool foundSomething() const;  // exit status 1
  bool isComplete() const;      // every kernel was judged
};

// Statements that verification did not come to: "k.cu:12 (writes to memory), k.cu:15 and 2 more"; empty:
// none. `display` gives the name of a file as it is shown.
std::string unreachedText(const std::vector<device::Unreached>& places,
                          const std::function<std::string(const std::string&)>& display);

// Tests before the launch that came out the same in every run, a sentence each for those that always held,
// that never did, and that no run came to.
std::vector<std::string> oneSidedTexts(const device::Judgement& judgement);

std::string toText(const JudgeReport& report);
std::string toText(const JudgeReport& report, const JudgedKernel& kernel);
std::string toJson(const JudgeReport& report);

// What was found in a kernel, each at its line, or at the kernel's where it has none; `canonical` gives the
// path that a file is known by. Same-value writes are left out. What was found at a launch that was guessed
// is a warning, and so is all where `hasMadeUpData`: contents of arrays that nobody gave decide what it does.
std::vector<CodeFinding> toFindings(const JudgedKernel& kernel,
                                    const std::function<std::string(const std::string&)>& canonical,
                                    bool hasMadeUpData = false);

}  // namespace hone::report
