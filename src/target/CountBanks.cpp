#include "target/CountBanks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "target/CountSectors.h"

namespace hone::target {

namespace {

constexpr unsigned maxBanks = 64;

// Rows of each bank that the lanes of one pass group ask for; the bank with most of them decides. Sizes are
// powers of two.
unsigned passesTogether(const uint64_t* offset, uint32_t mask, unsigned bytes, const BankRules& rules) {
  const int wordShift = std::countr_zero(rules.bankBytes), rowShift = std::countr_zero(rules.rowBytes);
  const uint64_t bankMask = rules.banks - 1;
  const unsigned words = std::max(1u, bytes >> wordShift);
  // Mostly each bank has one row only, and then one pass does.
  std::array<uint64_t, maxBanks> rowOf;
  uint64_t seen = 0;
  bool isOne = true;
  uint64_t before = ~uint64_t(0);
  for (uint32_t left = mask; left && isOne; left &= left - 1) {
    const uint64_t first = offset[std::countr_zero(left)];
    if (first == before) continue;
    before = first;
    for (unsigned w = 0; w < words; ++w) {
      const uint64_t byte = first + (uint64_t(w) << wordShift);
      const uint64_t bank = byte >> wordShift & bankMask, row = byte >> rowShift;
      if (!(seen >> bank & 1)) {
        seen |= uint64_t(1) << bank;
        rowOf[bank] = row;
      } else if (rowOf[bank] != row) {
        isOne = false;
        break;
      }
    }
  }
  if (isOne) return 1;
  std::array<std::array<uint64_t, warpLanes>, maxBanks> rows;
  std::array<uint8_t, maxBanks> count{};
  unsigned most = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const uint64_t first = offset[std::countr_zero(left)];
    for (unsigned w = 0; w < words; ++w) {
      const uint64_t byte = first + (uint64_t(w) << wordShift);
      const uint64_t bank = byte >> wordShift & bankMask, row = byte >> rowShift;
      uint8_t& used = count[bank];
      if (std::find(rows[bank].begin(), rows[bank].begin() + used, row) != rows[bank].begin() + used)
        continue;
      // More rows than lanes cannot be: a lane asks one row of a bank.
      rows[bank][used++] = row;
      most = std::max<unsigned>(most, used);
    }
  }
  return most;
}

// Compute capability 1.x: each pass serves the word of the first lane left to all that want it, and one lane
// of every other bank.
unsigned passesWithOneBroadcast(const uint64_t* offset, uint32_t mask, unsigned bytes,
                                const BankRules& rules) {
  const unsigned words = std::max(1u, bytes / rules.bankBytes);
  unsigned passes = 0;
  for (unsigned w = 0; w < words; ++w) {
    auto wordOf = [&](unsigned lane) { return offset[lane] / rules.bankBytes + w; };
    uint32_t left = mask;
    while (left) {
      const uint64_t broadcast = wordOf(static_cast<unsigned>(std::countr_zero(left)));
      uint64_t busy = uint64_t(1) << broadcast % rules.banks;
      uint32_t served = 0;
      for (uint32_t l = left; l; l &= l - 1) {
        const unsigned lane = static_cast<unsigned>(std::countr_zero(l));
        const uint64_t bank = uint64_t(1) << wordOf(lane) % rules.banks;
        if (wordOf(lane) != broadcast && (busy & bank)) continue;
        busy |= bank;
        served |= uint32_t(1) << lane;
      }
      left &= ~served;
      ++passes;
    }
  }
  return passes;
}

// Lanes `distance` apart ask for the same address, or one of them for nothing.
bool pairsAgree(const uint64_t* offset, uint32_t mask, unsigned distance) {
  for (unsigned lane = 0; lane < warpLanes; ++lane) {
    const unsigned other = lane ^ distance;
    if ((mask >> lane & 1) && (mask >> other & 1) && offset[lane] != offset[other]) return false;
  }
  return true;
}

// Lanes that go through the banks together: as many as fill them once. Loads of wide words whose neighbours
// (or next but one) agree go two groups at a time; stores never do (seen in the counters of an H200).
unsigned groupLanes(const uint64_t* offset, uint32_t mask, unsigned bytes, bool isLoad,
                    const BankRules& rules) {
  if (rules.banks == 1) return rules.passLanes;
  const unsigned fill = std::max(1u, rules.rowBytes / std::max(bytes, rules.bankBytes));
  unsigned lanes = std::min(rules.passLanes, fill);
  if (isLoad && lanes < rules.passLanes && (pairsAgree(offset, mask, 1) || pairsAgree(offset, mask, 2)))
    lanes *= 2;
  return lanes;
}

template <class F>
void forEachGroup(uint32_t mask, unsigned lanes, F&& f) {
  const uint32_t ones = lanes >= 32 ? ~uint32_t(0) : (uint32_t(1) << lanes) - 1;
  for (unsigned first = 0; first < warpLanes; first += lanes)
    if (uint32_t group = mask & ones << first) f(group);
}

}  // namespace

BankRules BankRules::of(const Target& target) {
  BankRules rules{target.banks, target.bankBytes, target.bankRowBytes, target.sharedPassLanes, false};
  rules.oneBroadcast = target.banks == 16;
  return rules;
}

unsigned countWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, bool isLoad,
                         const BankRules& rules) {
  unsigned total = 0;
  if (rules.oneBroadcast) {
    forEachGroup(mask, rules.passLanes,
                 [&](uint32_t group) { total += passesWithOneBroadcast(offset, group, bytes, rules); });
    return total;
  }
  forEachGroup(mask, groupLanes(offset, mask, bytes, isLoad, rules),
               [&](uint32_t group) { total += passesTogether(offset, group, bytes, rules); });
  return total;
}

unsigned leastWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, bool isLoad,
                         const BankRules& rules) {
  unsigned total = 0;
  if (rules.oneBroadcast) {
    forEachGroup(mask, rules.passLanes, [&](uint32_t) { total += std::max(1u, bytes / rules.bankBytes); });
    return total;
  }
  forEachGroup(mask, groupLanes(offset, mask, bytes, isLoad, rules), [&](uint32_t) { ++total; });
  return total;
}

unsigned countAtomicWavefronts(const uint64_t* offset, uint32_t mask, unsigned bytes, SharedAtomic how,
                               const BankRules& rules) {
  if (how == SharedAtomic::Increment) return countWavefronts(offset, mask, bytes, false, rules);
  auto bankOf = [&](unsigned lane) { return offset[lane] / rules.bankBytes % rules.banks; };
  std::array<uint8_t, maxBanks> lanesOf{};
  unsigned most = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    most = std::max<unsigned>(most, ++lanesOf[bankOf(lane)]);
  }
  if (how == SharedAtomic::Native) return most;
  if (how == SharedAtomic::Compare) return 2 * most;
  unsigned total = 0;
  uint32_t left = mask;
  while (left) {
    total += countWavefronts(offset, left, bytes, true, rules) + 2;
    uint64_t busy = 0;
    for (uint32_t l = left; l; l &= l - 1) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(l));
      const uint64_t bank = uint64_t(1) << bankOf(lane);
      if (busy & bank) continue;
      busy |= bank;
      left &= ~(uint32_t(1) << lane);
    }
  }
  return total;
}

}  // namespace hone::target
