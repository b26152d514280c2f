#include "report/KernelProfile.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace hone::report {

namespace {

std::string scaled(double value, double step, std::initializer_list<const char*> units) {
  const char* unit = *units.begin();
  for (const char* next : units) {
    unit = next;
    if (value < step || next == *(units.end() - 1)) break;
    value /= step;
  }
  const int digits = value >= 100 || value == static_cast<double>(static_cast<uint64_t>(value)) ? 0
                     : value >= 10                                                              ? 1
                                                                                                : 2;
  return fmt::format("{:.{}f}{}{}", value, digits, *unit ? " " : "", unit);
}

// What stands out in a line's numbers, the worst first.
std::string remarkOf(const sim::LineCount& c) {
  const sim::MemoryCount m = c.memory();
  std::vector<std::string> remarks;
  if (m.minimumSectors && ratio(m.sectors, m.minimumSectors) >= 1.5)
    remarks.push_back(fmt::format("moves {:.1f} times the sectors that its data fills",
                                  ratio(m.sectors, m.minimumSectors)));
  if (m.minimumWavefronts && ratio(m.wavefronts, m.minimumWavefronts) >= 1.5)
    remarks.push_back(fmt::format("{:.1f} passes through the banks where one would do",
                                  ratio(m.wavefronts, m.minimumWavefronts)));
  if (c.atomics.requests && ratio(c.atomics.conflicts, c.atomics.requests) >= 1)
    remarks.push_back(fmt::format("{:.1f} lanes of a warp wait for another at the same address",
                                  ratio(c.atomics.conflicts, c.atomics.requests)));
  if (m.partitionEven && ratio(m.partitionBusiest, m.partitionEven) > 2)
    remarks.push_back(fmt::format("blocks camp on a memory partition: {:.1f} times its even load",
                                  ratio(m.partitionBusiest, m.partitionEven)));
  if (c.warps && ratio(c.lanes, c.warps * sim::warpLanes) < 0.75)
    remarks.push_back(
        fmt::format("{:.0f} % of the lanes active", 100 * ratio(c.lanes, c.warps * sim::warpLanes)));
  std::string out;
  for (const std::string& r : remarks) out += (out.empty() ? "" : "; ") + r;
  return out;
}

}  // namespace

std::string shortCount(double value) { return scaled(value, 1000, {"", "k", "M", "G", "T"}); }
std::string shortBytes(double bytes) { return scaled(bytes, 1000, {"B", "kB", "MB", "GB", "TB"}); }
std::string shortTime(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.{}f} us", seconds * 1e6, seconds < 1e-4 ? 1 : 0);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}
std::string percent(double share) {
  const double value = 100 * share;
  return fmt::format("{:.{}f} %", value, value > 0 && value < 1 ? 1 : 0);
}

std::string perRequest(uint64_t count, uint64_t least, uint64_t requests) {
  return requests ? fmt::format("{:.1f} ({:.1f})", ratio(count, requests), ratio(least, requests)) : "";
}

void addLines(KernelProfile& profile, const sim::Program& program, const target::Target& target,
              const std::function<std::vector<std::string>(const std::string&)>& source,
              const std::function<std::string(const std::string&)>& shown) {
  std::map<std::string, std::vector<sim::LineCount>> byFile;
  double all = 0;
  for (sim::LineCount& line : sim::countLines(profile.counters, program, target)) {
    all += line.cost.total();
    byFile[line.file].push_back(std::move(line));
  }
  for (auto& [file, counts] : byFile) {
    const std::vector<std::string> texts = source(file);
    ProfiledFile out;
    out.file = shown(file);
    size_t next = 0;
    for (unsigned number = counts.front().line; number <= counts.back().line; ++number) {
      ProfiledLine line;
      line.line = number;
      if (number <= texts.size()) line.text = texts[number - 1];
      if (next < counts.size() && counts[next].line == number) {
        line.isCounted = true;
        line.count = counts[next++];
        line.share = all > 0 ? line.count.cost.total() / all : 0;
        line.remark = remarkOf(line.count);
      }
      out.lines.push_back(std::move(line));
    }
    profile.files.push_back(std::move(out));
  }
}

std::vector<const ProfiledLine*> hottestLines(const KernelProfile& profile, size_t count) {
  std::vector<const ProfiledLine*> out;
  for (const ProfiledFile& file : profile.files)
    for (const ProfiledLine& line : file.lines)
      if (line.share > 0) out.push_back(&line);
  std::sort(out.begin(), out.end(),
            [](const ProfiledLine* a, const ProfiledLine* b) { return a->share > b->share; });
  if (out.size() > count) out.resize(count);
  return out;
}

}  // namespace hone::report
