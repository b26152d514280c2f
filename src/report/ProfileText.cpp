// A kernel's profile for the terminal.
#include <fmt/core.h>

#include <cmath>

#include "device/Case.h"
#include "report/KernelProfile.h"
#include "report/Table.h"

namespace hone::report {

namespace {

std::string bar(double share, size_t width) {
  static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const size_t steps = static_cast<size_t>(std::lround(share * static_cast<double>(width) * 8));
  std::string out;
  for (size_t i = 0; i < steps / 8; ++i) out += "█";
  out += eighths[steps % 8];
  const size_t used = steps / 8 + (steps % 8 ? 1 : 0);
  return out + std::string(width > used ? width - used : 0, ' ');
}

void memoryRow(std::vector<std::vector<std::string>>& rows, const char* name, const sim::MemoryCount& m) {
  const uint64_t global = m.globalRequests() + m.localRequests;
  if (global)
    rows.push_back({fmt::format("  {}", name), shortCount(static_cast<double>(global)),
                    shortCount(static_cast<double>(m.sectors)),
                    perRequest(m.sectors, m.minimumSectors, global), percent(ratio(m.l1Hits, m.sectors)),
                    shortCount(static_cast<double>(m.l2Sectors)), percent(ratio(m.l2Hits, m.l2Sectors)),
                    shortBytes(static_cast<double>(m.dramSectors) * 32)});
}

std::string memoryTable(const KernelProfile& p) {
  const sim::LineCount& all = p.count.all;
  std::vector<std::vector<std::string>> rows = {{"  global and local memory", "requests", "sectors",
                                                 "a request (least)", "L1 hits", "L2 sectors", "L2 hits",
                                                 "DRAM read"}};
  memoryRow(rows, "loads", all.loads);
  memoryRow(rows, "stores", all.stores);
  memoryRow(rows, "atomics", all.atomics);
  return rows.size() > 1 ? table(rows) : "";
}

std::string sharedTable(const KernelProfile& p) {
  const sim::LineCount& all = p.count.all;
  std::vector<std::vector<std::string>> rows = {
      {"  shared memory", "requests", "wavefronts", "a request (least)", "conflicts"}};
  auto row = [&](const char* name, const sim::MemoryCount& m) {
    if (!m.sharedRequests) return;
    const uint64_t extra = m.wavefronts > m.minimumWavefronts ? m.wavefronts - m.minimumWavefronts : 0;
    rows.push_back({fmt::format("  {}", name), shortCount(static_cast<double>(m.sharedRequests)),
                    shortCount(static_cast<double>(m.wavefronts)),
                    perRequest(m.wavefronts, m.minimumWavefronts, m.sharedRequests),
                    shortCount(static_cast<double>(extra))});
  };
  row("loads", all.loads);
  row("stores", all.stores);
  row("atomics", all.atomics);
  return rows.size() > 1 ? table(rows) : "";
}

// Half warps on the first GPUs: how many requests went as one.
std::string ruleLine(const KernelProfile& p) {
  const sim::MemoryCount m = p.count.all.memory();
  if (!m.groups || p.rules == "sectors") return "";
  return fmt::format("  by the rule {}: {} transactions of {:.0f} bytes, {} of {} {} coalesced\n", p.rules,
                     m.transactions, ratio(m.transactionBytes, m.transactions), m.coalesced, m.groups,
                     p.rules == "lines" ? "requests" : "half-warp requests");
}

std::string partitionLine(const KernelProfile& p) {
  const sim::MemoryCount m = p.count.all.memory();
  if (p.counters.partitions.empty() || !m.partitionEven) return "";
  const double factor = ratio(m.partitionBusiest, m.partitionEven);
  return fmt::format("  partitions: the busiest gets {:.1f} times its even share at a time{}\n", factor,
                     factor > 2 ? ": partition camping" : "");
}

std::string linesTable(const KernelProfile& p, bool color) {
  std::string out;
  const std::vector<const ProfiledLine*> hot = hottestLines(p, 3);
  for (const ProfiledFile& file : p.files) {
    out += fmt::format("\n{}\n", file.file);
    out += fmt::format("  {:>5} {:>6} {:<12} {:>8} {:>6} {:>12} {:>12}\n", "line", "cost", "", "warps",
                       "lanes", "sectors", "wavefronts");
    for (const ProfiledLine& line : file.lines) {
      if (!line.isCounted) {
        out += fmt::format("  {:>5} {:67}  {}\n", line.line, "", line.text);
        continue;
      }
      const sim::LineCount& c = line.count;
      const sim::MemoryCount m = c.memory();
      const bool isHot = std::find(hot.begin(), hot.end(), &line) != hot.end() && line.share >= 0.05;
      const std::string cost = line.share > 0 ? percent(line.share) : "";
      out += fmt::format("  {:>5} {}{:>6} {}{} {:>8} {:>6} {:>12} {:>12}     {}\n", line.line,
                         color && isHot ? "\x1b[1;31m" : "", cost, bar(line.share, 12),
                         color && isHot ? "\x1b[0m" : "",
                         c.warps ? shortCount(static_cast<double>(c.warps)) : "",
                         c.warps ? percent(ratio(c.lanes, c.warps * sim::warpLanes)) : "",
                         perRequest(m.sectors, m.minimumSectors, m.globalRequests() + m.localRequests),
                         perRequest(m.wavefronts, m.minimumWavefronts, m.sharedRequests), line.text);
    }
  }
  return out;
}

}  // namespace

std::string toText(const KernelProfile& p, bool color) {
  std::string name = p.name;
  if (!p.templateArgs.empty()) {
    name += "<";
    for (size_t i = 0; i < p.templateArgs.size(); ++i) name += (i ? ", " : "") + p.templateArgs[i];
    name += ">";
  }
  std::string out = fmt::format("{} ({}:{})", name, p.file, p.line);
  if (!p.isProfiled()) return out + fmt::format(": not profiled: {}\n", p.reason);
  out += fmt::format(" on {}, grid {}, block {}", p.target, device::extentsText(p.grid),
                     device::extentsText(p.block));
  for (const auto& [size, value] : p.sizes) out += fmt::format(", {}={}", size, value);
  out += "\n";
  for (const std::string& note : p.notes) out += fmt::format("  {}\n", note);
  if (p.blocksCounted < p.blocksInGrid)
    out += fmt::format("  counted on {} of {} blocks and scaled to all; --exact runs every block\n",
                       p.blocksCounted, p.blocksInGrid);
  out += fmt::format("  estimated time {}, limited by {}\n", shortTime(p.time.seconds),
                     sim::str(p.time.limiter));
  std::vector<std::vector<std::string>> terms;
  for (const sim::TimeTerm& t : p.time.terms)
    if (t.seconds >= 0.05 * p.time.seconds)
      terms.push_back({fmt::format("    {}", sim::str(t.limiter)), shortTime(t.seconds),
                       bar(std::min(1.0, t.seconds / p.time.seconds), 12), t.why});
  out += table(terms);
  out += fmt::format(
      "  occupancy {} ({} blocks a multiprocessor, limited by {}), {} reached; {} registers{}, {} bytes of "
      "shared memory\n",
      percent(p.occupancy.share), p.occupancy.blocks, p.occupancy.limiter, percent(p.time.achievedOccupancy),
      p.registers, p.isRegistersGiven ? "" : " (estimated)", p.sharedBytes);
  out += fmt::format("  {} warp instructions, {} of the lanes active",
                     shortCount(static_cast<double>(p.count.all.warps)),
                     percent(ratio(p.count.all.lanes, p.count.all.warps * sim::warpLanes)));
  std::string classes;
  for (unsigned c = 0; c < sim::instructionClasses; ++c)
    if (p.count.byClass[c])
      classes += fmt::format("{}{} {}", classes.empty() ? ": " : ", ",
                             sim::str(static_cast<sim::InstructionClass>(c)),
                             percent(ratio(p.count.byClass[c], p.count.all.warps)));
  out += classes + "\n";
  if (p.counters.barriers)
    out += fmt::format("  {} barriers of blocks\n", shortCount(static_cast<double>(p.counters.barriers)));
  out += memoryTable(p);
  const uint64_t written = p.counters.writtenBackSectors, left = p.counters.dirtySectors;
  if (written + left)
    out += fmt::format(
        "  DRAM written {}, {} more left in the L2{}\n", shortBytes(static_cast<double>(written) * 32),
        shortBytes(static_cast<double>(left) * 32),
        p.counters.filledSectors ? fmt::format("; {} read to complete sectors written in part",
                                               shortBytes(static_cast<double>(p.counters.filledSectors) * 32))
                                 : "");
  out += ruleLine(p) + partitionLine(p) + sharedTable(p);
  out += linesTable(p, color);
  for (const ProfiledLine* line : hottestLines(p, 3))
    if (!line->remark.empty()) out += fmt::format("  line {}: {}\n", line->line, line->remark);
  return out;
}

}  // namespace hone::report
