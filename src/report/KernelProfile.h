// What a profiled kernel did, gathered for `hone profile`: as data, as text, as JSON and as a page of HTML.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/count/CountLines.h"
#include "sim/model/TimeModel.h"
#include "target/Occupancy.h"

namespace hone::report {

struct ProfiledLine {
  unsigned line = 0;
  std::string text;  // of the source
  bool isCounted = false;
  sim::LineCount count;
  double share = 0;    // of the cost of all lines
  std::string remark;  // what is to be seen in its numbers, empty for nothing
};

struct ProfiledFile {
  std::string file;
  std::vector<ProfiledLine> lines;  // from the first to the last that was counted, with those between
};

struct KernelProfile {
  std::string file, name, language;
  unsigned line = 0;
  std::vector<std::string> templateArgs;
  std::string reason, reasonAt;  // why there is no profile; empty when there is one
  // From here on empty when there is none.
  std::string target, targetTitle;
  std::string rules;  // the coalescing rule set that was used
  std::map<std::string, int64_t> sizes;
  std::array<uint32_t, 3> grid{}, block{};
  std::vector<std::string> notes;  // what was guessed
  uint64_t blocksCounted = 0, blocksInGrid = 0;
  unsigned registers = 0;
  bool isRegistersGiven = false;
  uint64_t sharedBytes = 0;  // of a block
  target::Occupancy occupancy;
  sim::TimeEstimate time;
  sim::KernelCount count;
  sim::Counters counters;  // of the whole grid
  std::vector<ProfiledFile> files;

  bool isProfiled() const { return reason.empty(); }
};

// Fills in the lines from the counters. `source` gives the lines of a file by its name in the program,
// `shown` the name to print.
void addLines(KernelProfile& profile, const sim::Program& program, const target::Target& target,
              const std::function<std::vector<std::string>(const std::string&)>& source,
              const std::function<std::string(const std::string&)>& shown);

// The lines that cost most, at most `count` of them, those without cost left out.
std::vector<const ProfiledLine*> hottestLines(const KernelProfile& profile, size_t count);

nlohmann::ordered_json toJson(const KernelProfile& profile);
std::string toText(const KernelProfile& profile, bool color);
// A page that needs nothing from elsewhere.
std::string toHtml(const std::vector<KernelProfile>& profiles);

// 1234567 as "1.23 M": for people.
std::string shortCount(double value);
std::string shortBytes(double bytes);
std::string shortTime(double seconds);
std::string percent(double share);
// "4.0 (4.0)": what a request took, and what its data would need; nothing where there are no requests.
std::string perRequest(uint64_t count, uint64_t least, uint64_t requests);
// 0 where there is nothing to share.
inline double ratio(uint64_t a, uint64_t b) {
  return b ? static_cast<double>(a) / static_cast<double>(b) : 0;
}

}  // namespace hone::report
