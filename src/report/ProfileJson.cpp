// A kernel's profile as JSON (docs/json.md).
#include <nlohmann/json.hpp>

#include "report/KernelProfile.h"

namespace hone::report {

namespace {

using Json = nlohmann::ordered_json;

Json memoryJson(const sim::MemoryCount& m) {
  Json j;
  j["requests"] = m.requests;
  j["global_requests"] = m.globalRequests();
  j["shared_requests"] = m.sharedRequests;
  j["local_requests"] = m.localRequests;
  j["constant_requests"] = m.constantRequests;
  j["lanes"] = m.lanes;
  j["bytes"] = m.bytes;
  j["sectors"] = m.sectors;
  j["minimum_sectors"] = m.minimumSectors;
  j["lines"] = m.lines;
  j["transactions"] = m.transactions;
  j["transaction_bytes"] = m.transactionBytes;
  j["coalesced"] = m.coalesced;
  j["groups"] = m.groups;
  j["wavefronts"] = m.wavefronts;
  j["minimum_wavefronts"] = m.minimumWavefronts;
  j["conflicts"] = m.conflicts;
  j["l1_hits"] = m.l1Hits;
  j["l2_sectors"] = m.l2Sectors;
  j["l2_hits"] = m.l2Hits;
  j["l2_merged"] = static_cast<uint64_t>(m.merged + 0.5);
  j["dram_sectors"] = m.dramSectors;
  j["dram_visits"] = m.dramVisits;
  j["partial_sectors"] = m.partialSectors;
  j["partition_busiest"] = m.partitionBusiest;
  j["partition_even"] = m.partitionEven;
  return j;
}

Json lineJson(const std::string& file, const ProfiledLine& line) {
  const sim::LineCount& c = line.count;
  Json j;
  j["file"] = file;
  j["line"] = line.line;
  j["share"] = line.share;
  j["remark"] = line.remark;
  j["warp_instructions"] = c.warps;
  j["active_lanes"] = ratio(c.lanes, c.warps * sim::warpLanes);
  if (c.loads.requests) j["loads"] = memoryJson(c.loads);
  if (c.stores.requests) j["stores"] = memoryJson(c.stores);
  if (c.atomics.requests) j["atomics"] = memoryJson(c.atomics);
  j["dram_written_sectors"] = c.dramWritten;
  j["cost"] = {{"issue", c.cost.issue},
               {"shared", c.cost.shared},
               {"l1", c.cost.l1},
               {"l2", c.cost.l2},
               {"dram", c.cost.dram}};
  return j;
}

}  // namespace

Json toJson(const KernelProfile& p) {
  Json j;
  j["file"] = p.file;
  j["line"] = p.line;
  j["name"] = p.name;
  j["template_args"] = p.templateArgs;
  j["language"] = p.language;
  j["profiled"] = p.isProfiled();
  j["reason"] = p.reason;
  j["reason_at"] = p.reasonAt;
  if (!p.isProfiled()) return j;
  j["target"] = p.target;
  j["coalescing"] = p.rules;
  j["sizes"] = p.sizes;
  j["grid"] = p.grid;
  j["block"] = p.block;
  j["notes"] = p.notes;
  j["blocks"] = {{"grid", p.blocksInGrid}, {"counted", p.blocksCounted}};
  j["registers"] = {{"count", p.registers}, {"estimated", !p.isRegistersGiven}};
  j["shared_bytes"] = p.sharedBytes;
  j["occupancy"] = {{"theoretical", p.occupancy.share},
                    {"achieved", p.time.achievedOccupancy},
                    {"blocks", p.occupancy.blocks},
                    {"limiter", p.occupancy.limiter}};
  Json terms = Json::array();
  for (const sim::TimeTerm& t : p.time.terms)
    terms.push_back({{"limiter", sim::str(t.limiter)}, {"seconds", t.seconds}, {"why", t.why}});
  j["time"] = {{"seconds", p.time.seconds},
               {"limiter", sim::str(p.time.limiter)},
               {"waves", p.time.waves},
               {"terms", terms}};
  Json classes = Json::object();
  for (unsigned c = 0; c < sim::instructionClasses; ++c)
    if (p.count.byClass[c]) classes[sim::str(static_cast<sim::InstructionClass>(c))] = p.count.byClass[c];
  j["instructions"] = {{"warp", p.count.all.warps},
                       {"active_lanes", ratio(p.count.all.lanes, p.count.all.warps * sim::warpLanes)},
                       {"classes", classes}};
  j["barriers"] = p.counters.barriers;
  j["loads"] = memoryJson(p.count.all.loads);
  j["stores"] = memoryJson(p.count.all.stores);
  j["atomics"] = memoryJson(p.count.all.atomics);
  j["dram"] = {{"read_sectors", p.count.all.memory().dramSectors + p.counters.filledSectors},
               {"filled_sectors", p.counters.filledSectors},
               {"written_sectors", p.counters.writtenBackSectors},
               {"left_in_l2_sectors", p.counters.dirtySectors}};
  j["partitions"] = p.counters.partitions;
  Json lines = Json::array();
  for (const ProfiledFile& file : p.files)
    for (const ProfiledLine& line : file.lines)
      if (line.isCounted) lines.push_back(lineJson(file.file, line));
  j["lines"] = lines;
  return j;
}

}  // namespace hone::report
