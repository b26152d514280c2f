// The facts of a kernel in words: what each access costs, what a block touches of each array, what could be
// done and what stands in the way. The part of `hone explain` that needs a block shape and a target.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/Facts.h"
#include "report/CodeFinding.h"

namespace hone::report {

struct AccessFacts {
  std::string handle;
  bool resolved = false;
  std::string exactness;  // "exact", "over", "unknown"
  std::string reason;     // why not exact
  std::string verdict;    // "coalesced", "strided", "conflict-free", … ; empty where there is nothing to say
  std::string why;        // "stride 4*w bytes"
  std::string cost;       // "4 sectors", "2 passes": of one request of a warp
  bool isCostly = false;  // more than the bytes need
};

struct ArrayFacts {
  std::string array;
  std::string shape;                 // "[?][w]", as its accesses see it
  std::string block;                 // what one block touches: "16 x w elements"
  std::vector<std::string> sharing;  // in words, one each
};

// One remark for the user, at a line.
struct FactRemark {
  std::string rule;      // "uncoalesced", "bank-conflict", …: an identifier for SARIF
  std::string text;      // what is so, and what could be done
  std::string obstacle;  // what stands in the way; may be empty
  std::vector<std::string> accesses;
  ir::SourceLoc loc;
};

// What bounds the kernel, as estimated: `hone explain` fills it where the kernel can be run.
struct RoofFacts {
  std::string bound;  // "DRAM", "arithmetic"; empty: there is no estimate
  double floorSeconds = 0, dramSeconds = 0, arithmeticSeconds = 0;
  double bytes = 0;      // that must move
  double gigabytes = 0;  // that DRAM moves a second
  double seconds = 0;    // estimated, the launch included
  double startSeconds = 0;
  double share = 0;     // of the speed that the roof allows, the launch left out
  std::string limiter;  // of the estimate
  std::string sizes, whose;
  std::string problem;  // why there is no estimate
};

struct FactsReport {
  std::array<unsigned, 3> block{1, 1, 1};
  std::string blockFrom;  // "as launched at main.cu:14", "given", "guessed"
  std::string target;
  std::string kind, kindReason;  // "row reduction", why
  RoofFacts roof;
  std::vector<AccessFacts> accesses;  // in the order of their handles
  std::vector<ArrayFacts> arrays;
  std::vector<FactRemark> remarks;
  std::vector<std::string> resources;     // lines about registers, shared memory, occupancy
  std::vector<std::string> requirements;  // what the facts rely on, in words
  double milliseconds = 0;                // that working them out took
};

FactsReport reportFacts(analysis::Facts& facts);

nlohmann::ordered_json toJson(const FactsReport& report);

struct RemarkedKernel {
  std::string kernel;
  std::vector<FactRemark> remarks;
};
// Remarks as findings; `canonical` gives the path that a file is known by.
std::vector<CodeFinding> toFindings(const std::vector<RemarkedKernel>& kernels,
                                    const std::function<std::string(const std::string&)>& canonical);
// Every rule that remarks have.
std::span<const FindingRule> explainRules();

}  // namespace hone::report
