#include "sim/count/Counters.h"

#include <algorithm>
#include <cmath>

namespace hone::sim {

namespace {

uint64_t times(uint64_t value, double factor) {
  return static_cast<uint64_t>(std::llround(static_cast<double>(value) * factor));
}

// `whole` requests in place of `counted`, of which `before` were in the first half and saw `valueBefore`.
uint64_t goOn(uint64_t value, uint64_t valueBefore, uint64_t counted, uint64_t before, uint64_t whole) {
  if (whole <= counted) return value;
  const double rate = counted > before
                          ? static_cast<double>(value - valueBefore) / static_cast<double>(counted - before)
                      : counted ? static_cast<double>(value) / static_cast<double>(counted)
                                : 0;
  return value + static_cast<uint64_t>(std::llround(rate * static_cast<double>(whole - counted)));
}

}  // namespace

void MemoryCount::add(const MemoryCount& o) {
  requests += o.requests;
  sharedRequests += o.sharedRequests;
  localRequests += o.localRequests;
  constantRequests += o.constantRequests;
  lanes += o.lanes;
  bytes += o.bytes;
  sectors += o.sectors;
  lines += o.lines;
  minimumSectors += o.minimumSectors;
  transactions += o.transactions;
  transactionBytes += o.transactionBytes;
  coalesced += o.coalesced;
  groups += o.groups;
  wavefronts += o.wavefronts;
  minimumWavefronts += o.minimumWavefronts;
  conflicts += o.conflicts;
  l1Hits += o.l1Hits;
  l2Hits += o.l2Hits;
  l2Sectors += o.l2Sectors;
  dramSectors += o.dramSectors;
  dramVisits += o.dramVisits;
  waitsForL2 += o.waitsForL2;
  waitsForDram += o.waitsForDram;
  merged += o.merged;
  partialSectors += o.partialSectors;
  partitionBusiest += o.partitionBusiest;
  partitionEven += o.partitionEven;
}

MemoryCount Counters::total() const {
  MemoryCount sum;
  for (const auto& [pc, count] : memory) sum.add(count);
  return sum;
}

void Counters::add(const Counters& other) {
  instructions.resize(std::max(instructions.size(), other.instructions.size()));
  for (size_t i = 0; i < other.instructions.size(); ++i) {
    instructions[i].warps += other.instructions[i].warps;
    instructions[i].lanes += other.instructions[i].lanes;
  }
  for (const auto& [pc, count] : other.memory) memory[pc].add(count);
  blocks += other.blocks;
  warps += other.warps;
  threads += other.threads;
  gridBlocks += other.gridBlocks;
  barriers += other.barriers;
  writtenBackSectors += other.writtenBackSectors;
  writtenBackLines += other.writtenBackLines;
  filledSectors += other.filledSectors;
  dirtySectors += other.dirtySectors;
  partialSectors += other.partialSectors;
  heldSectors += other.heldSectors;
  busiestAtomics += other.busiestAtomics;
  l2SectorsHeldAtMost = std::max(l2SectorsHeldAtMost, other.l2SectorsHeldAtMost);
  partitions.resize(std::max(partitions.size(), other.partitions.size()));
  for (size_t i = 0; i < other.partitions.size(); ++i) partitions[i] += other.partitions[i];
}

Counters wholeGrid(const Counters& counted) {
  if (!counted.isSampled() || counted.blocks == 0) return counted;
  const double factor = static_cast<double>(counted.gridBlocks) / static_cast<double>(counted.blocks);
  Counters out = counted;
  out.firstHalf = nullptr;
  out.blocks = counted.gridBlocks;
  out.warps = times(counted.warps, factor);
  out.threads = times(counted.threads, factor);
  out.barriers = times(counted.barriers, factor);
  out.busiestAtomics = times(counted.busiestAtomics, factor);
  for (InstructionCount& i : out.instructions) i = {times(i.warps, factor), times(i.lanes, factor)};
  const Counters none;
  const Counters& half = counted.firstHalf ? *counted.firstHalf : none;
  for (auto& [pc, m] : out.memory) {
    const MemoryCount raw = m;
    const auto found = half.memory.find(pc);
    const MemoryCount before = found == half.memory.end() ? MemoryCount{} : found->second;
    for (uint64_t MemoryCount::* field :
         {&MemoryCount::requests, &MemoryCount::sharedRequests, &MemoryCount::localRequests,
          &MemoryCount::constantRequests, &MemoryCount::lanes, &MemoryCount::bytes, &MemoryCount::sectors,
          &MemoryCount::lines, &MemoryCount::minimumSectors, &MemoryCount::transactions,
          &MemoryCount::transactionBytes, &MemoryCount::coalesced, &MemoryCount::groups,
          &MemoryCount::wavefronts, &MemoryCount::minimumWavefronts, &MemoryCount::conflicts,
          &MemoryCount::partialSectors, &MemoryCount::partitionBusiest, &MemoryCount::partitionEven})
      m.*field = times(raw.*field, factor);
    m.merged = raw.merged * factor;
    for (uint64_t MemoryCount::* field :
         {&MemoryCount::l1Hits, &MemoryCount::l2Hits, &MemoryCount::l2Sectors, &MemoryCount::dramSectors,
          &MemoryCount::dramVisits, &MemoryCount::waitsForL2, &MemoryCount::waitsForDram})
      m.*field = goOn(raw.*field, before.*field, raw.requests, before.requests, m.requests);
  }
  for (uint64_t& p : out.partitions) p = times(p, factor);
  // Every sector written leaves the L2 sooner or later, save what it holds at the end.
  const uint64_t requests = counted.total().requests, requestsBefore = half.total().requests;
  const uint64_t whole = out.total().requests;
  const uint64_t dirtied = counted.writtenBackSectors + counted.dirtySectors;
  const uint64_t allDirtied =
      goOn(dirtied, half.writtenBackSectors + half.dirtySectors, requests, requestsBefore, whole);
  if (counted.writtenBackSectors == 0 && dirtied) {
    // The sample did not fill the L2: it would end up full of the same mixture.
    const double share = static_cast<double>(counted.dirtySectors) /
                         static_cast<double>(std::max<uint64_t>(1, counted.heldSectors));
    out.dirtySectors = std::min(allDirtied, times(counted.l2SectorsHeldAtMost, share));
  }
  out.writtenBackSectors = allDirtied - std::min(allDirtied, out.dirtySectors);
  // As many sectors to a line as in the sample, or four where none was written back yet.
  const double sectorsOfLine = counted.writtenBackLines ? static_cast<double>(counted.writtenBackSectors) /
                                                              static_cast<double>(counted.writtenBackLines)
                                                        : 4;
  out.writtenBackLines = times(out.writtenBackSectors, 1 / sectorsOfLine);
  const double partial = dirtied ? static_cast<double>(counted.filledSectors + counted.partialSectors) /
                                       static_cast<double>(dirtied)
                                 : 0;
  out.filledSectors = times(out.writtenBackSectors, partial);
  return out;
}

}  // namespace hone::sim
