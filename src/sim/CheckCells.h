// One warp instruction against the cells of shadow memory: meets what is there, leaves its own record.
#pragma once

#include "sim/ShadowState.h"

namespace hone::sim {

// The record of an access and what it is compared with. Small, so that loops hold a copy in registers.
template <bool global> struct Comparison {
  static constexpr Record laneStep = Record(1) << threadShift;
  Record first;   // record of lane 0
  Record oldest;  // records of the own block below this lie before the last barrier
  Record ident, warpIdent, blockMask;

  Record mine(unsigned lane) const { return first + lane * laneStep; }
  // Ordered by the last barrier or never made. Records of other blocks are not ordered by this block's barriers.
  bool isOld(Record r) const {
    if constexpr (global) return r == 0;
    return r < oldest;
  }
  // Not zero when made by another thread and no barrier of the block lies between. Arithmetic, so that loops become vectors.
  Record suspicious(Record r, Record me) const {
    if constexpr (global) return r ? (r ^ me) & (r >= oldest ? ident : blockMask) : 0;
    return r >= oldest ? (r ^ me) & ident : 0;
  }
  bool sameWarp(Record a, Record b) const { return ((a ^ b) & warpIdent) == 0; }
  bool sameBlock(Record a, Record b) const { return ((a ^ b) & blockMask) == 0; }

  // Two readers stay known, chosen so that whoever writes next is unordered with one of them if with any: of different blocks or
  // warps where there are such, else the latest two lanes.
  [[gnu::always_inline]] void noteReader(const CellRow& row, uint32_t i, Record me) const {
    Record r1 = row.reader[i];
    if (isOld(r1)) {
      row.reader[i] = me;
      return;
    }
    Record r2 = row.second[i];
    if (global && !sameBlock(r1, me)) {
      if (r2 == 0 || sameBlock(r2, r1) || sameBlock(r2, me)) row.second[i] = me;
      return;
    }
    bool r1Old = r1 < oldest;
    bool r2Free = isOld(r2) || (global && sameBlock(r2, me) && r2 < oldest);
    if (r1Old || sameWarp(r1, me)) {
      bool otherLane = !r1Old && ((r1 ^ me) & ident) != 0;
      if (otherLane && (r2Free || sameWarp(r2, me))) row.second[i] = r1;
      row.reader[i] = me;
    } else if (r2Free || sameWarp(r2, r1) || sameWarp(r2, me)) {
      row.second[i] = me;
    }
  }
};

// `Place` finds cells: select(lane, address) makes the cells of that byte current, sameStretch(a, b) says whether lanes a and b (of
// rising addresses) share them, cells() gives them, word(address) the number of the word in them, and host(lane, address) the
// bytes memory holds.
template <bool global, AccessKind kind, class Place> class CellCheck {
 public:
  CellCheck(Shadow::State& shadow, BlockShadow::State& block, const RecordLayout& layout,
            const WarpAccess& access, uint64_t clock, uint64_t epoch, Place& place)
      : shadow(shadow), block(block), layout(layout), access(access), place(place) {
    Record flags = (kind == AccessKind::Atomic ? atomicFlag : 0) |
                   (access.hint == CacheHint::Volatile ? volatileFlag : 0);
    compare.first = layout.make(clock, access.place.block, block.instructions.number[access.pc],
                                access.place.warp * warpLanes, flags);
    compare.oldest = epoch << layout.clockShift;
    compare.ident = layout.identMask;
    compare.warpIdent = layout.warpIdentMask;
    compare.blockMask = layout.blockMask;
  }

  void run(AccessPattern pattern) {
    if (pattern == AccessPattern::Other || !place.sameStretch(0, warpLanes - 1))
      span(0, warpLanes);
    else
      regular(0, warpLanes, pattern == AccessPattern::Row);
  }

 private:
  Shadow::State& shadow;
  BlockShadow::State& block;
  const RecordLayout& layout;
  const WarpAccess& access;
  Place& place;
  Comparison<global> compare;

  static constexpr Record laneStep = Comparison<global>::laneStep;

  [[gnu::noinline, gnu::cold]] bool meet(Record theirs, bool theirsWrote, unsigned lane, uint64_t address,
                                         uint32_t bytes) {
    if (kind == AccessKind::Atomic && (theirs & atomicFlag)) return false;
    return judge(
        shadow, block, layout,
        {access, lane, compare.mine(lane), theirs, theirsWrote, address, place.host(lane, address), bytes});
  }

  [[gnu::always_inline]] void touch(const Comparison<global>& c, const CellRow& row, uint32_t i,
                                    unsigned lane, uint64_t address, uint32_t bytes) {
    Record me = c.mine(lane), w = row.writer[i];
    bool same = false;
    if (c.suspicious(w, me)) same = meet(w, true, lane, address, bytes);
    // Atomic updates leave no trace but the last: whoever comes after that one comes after those before it.
    if constexpr (kind == AccessKind::Load) {
      c.noteReader(row, i, me);
    } else {
      Record r1 = row.reader[i], r2 = row.second[i];
      if (c.suspicious(r1, me)) same |= meet(r1, false, lane, address, bytes);
      if (c.suspicious(r2, me)) same |= meet(r2, false, lane, address, bytes);
      // A write that changes nothing is told once and then harms nobody who reads.
      if (!same) row.writer[i] = me;
    }
  }

  // Any size and alignment; words that are used in parts byte by byte.
  [[gnu::noinline]] void oneLane(unsigned lane) {
    Comparison<global> c = compare;
    uint64_t begin = access.address[lane], end = begin + access.bytes;
    for (uint64_t at = begin; at < end;) {
      place.select(lane, at);
      Cells& cells = place.cells();
      uint32_t word = place.word(at);
      uint64_t next = (at | 3) + 1;
      if (next > end) next = end;
      if (next - at == 4 && !cells.isSplit(word)) {
        touch(c, cells.words(), word, lane, at, 4);
      } else {
        const CellRow& row = cells.bytesOf(word);
        for (uint64_t b = at; b < next; ++b) touch(c, row, word * 4 + uint32_t(b & 3), lane, b, 1);
      }
      at = next;
    }
  }

  void lanesOneByOne(unsigned lo, unsigned count) {
    if (access.bytes != 4) {
      for (unsigned lane = lo; lane < lo + count; ++lane)
        if (access.mask >> lane & 1) oneLane(lane);
      return;
    }
    const Comparison<global> c = compare;
    const uint64_t* addresses = access.address;
    uint32_t mask = access.mask;
    for (unsigned lane = lo; lane < lo + count; ++lane) {
      if (!(mask >> lane & 1)) continue;
      uint64_t at = addresses[lane];
      place.select(lane, at);
      if ((at & 3) != 0 || place.cells().hasSplit()) {
        oneLane(lane);
        continue;
      }
      const CellRow row = place.cells().words();
      touch(c, row, place.word(at), lane, at, 4);
    }
  }

  void sameWord(unsigned lo, unsigned count) {
    const Comparison<global> c = compare;
    uint64_t address = access.address[lo];
    uint32_t word = place.word(address);
    const CellRow row = place.cells().words();
    touch(c, row, word, lo, address, 4);
    touch(c, row, word, lo + count - 1, address, 4);
  }

  // Neighbouring lanes at neighbouring words. False when a lane needs a closer look; nothing was changed then.
  template <unsigned count> bool consecutive(unsigned lo) {
    const Comparison<global> c = compare;
    uint32_t word = place.word(access.address[lo]);
    const CellRow row = place.cells().words();
    Record* __restrict__ w = row.writer + word;
    Record* __restrict__ r1 = row.reader + word;
    Record* __restrict__ r2 = row.second + word;
    Record me = c.mine(lo);
    Record bad = 0;
    if constexpr (kind == AccessKind::Store) {
      for (unsigned i = 0; i < count; ++i) {
        Record m = me + i * laneStep;
        bad |= c.suspicious(w[i], m) | c.suspicious(r1[i], m) | c.suspicious(r2[i], m);
      }
      if (bad) return false;
      for (unsigned i = 0; i < count; ++i) w[i] = me + i * laneStep;
    } else {
      Record notFresh = 0;
      for (unsigned i = 0; i < count; ++i) {
        Record m = me + i * laneStep;
        bad |= c.suspicious(w[i], m);
        notFresh |= c.isOld(r1[i]) ? 0 : (r1[i] ^ m) & c.ident;
      }
      if (bad) return false;
      if (!notFresh) {
        for (unsigned i = 0; i < count; ++i) r1[i] = me + i * laneStep;
        return true;
      }
      // Two readers of two other blocks (warps) are known: one more tells nothing new.
      Record unsettled = 0, apart = global ? c.blockMask : c.warpIdent;
      for (unsigned i = 0; i < count; ++i) {
        bool known = !c.isOld(r1[i]) && !c.isOld(r2[i]) && ((r1[i] ^ me) & apart) && ((r2[i] ^ me) & apart) &&
                     ((r1[i] ^ r2[i]) & apart);
        unsettled |= known ? 0 : 1;
      }
      if (unsettled)
        for (unsigned i = 0; i < count; ++i) c.noteReader(row, word + i, me + i * laneStep);
    }
    return true;
  }
  bool consecutive(unsigned lo, unsigned count) {
    switch (count) {
      case 32: return consecutive<32>(lo);
      case 16: return consecutive<16>(lo);
      case 8: return consecutive<8>(lo);
      default: return consecutive<4>(lo);
    }
  }

  // All of the lanes, in a row of words or at one word, within the cells of the first.
  void regular(unsigned lo, unsigned count, bool row) {
    place.select(lo, access.address[lo]);
    bool whole = !place.cells().hasSplit();
    if (whole && !row && kind != AccessKind::Store)
      sameWord(lo, count);
    else if (!whole || !row || kind == AccessKind::Atomic || !consecutive(lo, count))
      lanesOneByOne(lo, count);
  }

  // Lanes [lo, lo + count), a power of two: in one go where they are regular, else by halves.
  void span(unsigned lo, unsigned count) {
    uint32_t all = count == 32 ? ~uint32_t(0) : ((uint32_t(1) << count) - 1) << lo;
    uint32_t some = access.mask & all;
    if (some == 0) return;
    if (count < 4 || access.bytes != 4) {
      lanesOneByOne(lo, count);
      return;
    }
    if (some == all) {
      AccessPattern pattern = patternOf(access.address + lo, count);
      if (pattern != AccessPattern::Other && place.sameStretch(lo, lo + count - 1)) {
        regular(lo, count, pattern == AccessPattern::Row);
        return;
      }
      uint64_t stride = access.address[lo + 1] - access.address[lo];
      if (stride != 4 && stride != 0) {
        lanesOneByOne(lo, count);
        return;
      }
    }
    span(lo, count / 2);
    span(lo + count / 2, count / 2);
  }
};

}  // namespace hone::sim
