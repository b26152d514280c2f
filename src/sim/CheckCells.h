// One warp instruction against the cells of shadow memory: meets what is there, leaves its own record.
#pragma once

#include "sim/ShadowState.h"

namespace hone::sim {

// `Place` finds cells: select(lane, address) makes the cells of that byte current, sameStretch(a, b) says whether lanes a and b (of
// rising addresses) share them, cells() gives them, word(address) the number of the word in them, and host(lane, address) the
// bytes memory holds.
template <bool global, AccessKind kind, class Place>
class CellCheck {
 public:
  CellCheck(Shadow::State& shadow, BlockShadow::State& block, const RecordLayout& layout,
            const WarpAccess& access, uint64_t clock, uint64_t epoch, Place& place)
      : shadow(shadow), block(block), layout(layout), access(access), place(place) {
    Record flags = (kind == AccessKind::Atomic ? atomicFlag : 0) |
                   (access.hint == CacheHint::Volatile ? volatileFlag : 0);
    first = layout.make(clock, access.place.block, block.instructions.number[access.pc],
                        access.place.warp * warpLanes, flags);
    oldest = epoch << layout.clockShift;
    ident = layout.identMask;
    warpIdent = layout.warpIdentMask;
    blockMask = layout.blockMask;
  }

  void run() { span(0, warpLanes); }

 private:
  Shadow::State& shadow;
  BlockShadow::State& block;
  const RecordLayout& layout;
  const WarpAccess& access;
  Place& place;
  Record first, oldest, ident, warpIdent, blockMask;

  static constexpr Record laneStep = Record(1) << threadShift;
  Record mine(unsigned lane) const { return first + lane * laneStep; }

  // Ordered by the last barrier or never made. Records of other blocks are not ordered by this block's barriers.
  bool isOld(Record r) const {
    if constexpr (global) return r == 0;
    return r < oldest;
  }
  // Made by another thread, and no barrier of the block lies between.
  bool suspicious(Record r, Record me) const {
    Record x = r ^ me;
    if constexpr (global) return ((x & ident) != 0) & (r != 0) & ((r >= oldest) | ((x & blockMask) != 0));
    return ((x & ident) != 0) & (r >= oldest);
  }
  bool sameWarp(Record a, Record b) const { return ((a ^ b) & warpIdent) == 0; }
  bool sameBlock(Record a, Record b) const { return ((a ^ b) & blockMask) == 0; }

  void meet(Record theirs, bool theirsWrote, unsigned lane, uint64_t address, uint32_t bytes) {
    if (kind == AccessKind::Atomic && (theirs & atomicFlag)) return;
    judge(shadow, block, layout,
          {access, lane, mine(lane), theirs, theirsWrote, address, place.host(lane, address), bytes});
  }

  // Two readers stay known, chosen so that whoever writes next is unordered with one of them if with any: of different blocks or
  // warps where there are such, else the latest two lanes.
  void noteReader(const CellRow& row, uint32_t i, Record me) const {
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

  void touch(const CellRow& row, uint32_t i, unsigned lane, uint64_t address, uint32_t bytes) {
    Record me = mine(lane), w = row.writer[i];
    if (suspicious(w, me)) meet(w, true, lane, address, bytes);
    if constexpr (kind == AccessKind::Load) {
      // The last atomic update may be one's own and hide those of others, which are kept among the readers.
      if ((w & atomicFlag) && !((w ^ me) & ident)) {
        for (Record r : {row.reader[i], row.second[i]})
          if ((r & atomicFlag) && suspicious(r, me)) meet(r, true, lane, address, bytes);
      }
      noteReader(row, i, me);
    } else {
      Record r1 = row.reader[i], r2 = row.second[i];
      if (suspicious(r1, me)) meet(r1, (r1 & atomicFlag) != 0, lane, address, bytes);
      if (suspicious(r2, me)) meet(r2, (r2 & atomicFlag) != 0, lane, address, bytes);
      row.writer[i] = me;
      if (kind == AccessKind::Atomic) noteReader(row, i, me);
    }
  }

  void oneLane(unsigned lane) {
    uint64_t begin = access.address[lane], end = begin + access.bytes;
    for (uint64_t at = begin; at < end;) {
      place.select(lane, at);
      Cells& cells = place.cells();
      uint32_t word = place.word(at);
      uint64_t next = (at | 3) + 1;
      if (next > end) next = end;
      if (next - at == 4 && !cells.isSplit(word)) {
        touch(cells.words(), word, lane, at, 4);
      } else {
        const CellRow& row = cells.bytesOf(word);
        for (uint64_t b = at; b < next; ++b) touch(row, word * 4 + uint32_t(b & 3), lane, b, 1);
      }
      at = next;
    }
  }

  void sameWord(unsigned lo, unsigned count) {
    uint64_t address = access.address[lo];
    place.select(lo, address);
    uint32_t word = place.word(address);
    const CellRow& row = place.cells().words();
    touch(row, word, lo, address, 4);
    touch(row, word, lo + count - 1, address, 4);
  }

  // Neighbouring lanes at neighbouring words. False when a lane needs a closer look; nothing was changed then.
  bool consecutive(unsigned lo, unsigned count) {
    uint64_t address = access.address[lo];
    place.select(lo, address);
    uint32_t word = place.word(address);
    const CellRow& row = place.cells().words();
    Record* __restrict__ w = row.writer + word;
    Record* __restrict__ r1 = row.reader + word;
    Record* __restrict__ r2 = row.second + word;
    Record me = mine(lo);
    if constexpr (kind == AccessKind::Store) {
      uint64_t bad = 0;
      for (unsigned i = 0; i < count; ++i) {
        Record m = me + i * laneStep;
        bad |=
            uint64_t(suspicious(w[i], m)) | uint64_t(suspicious(r1[i], m)) | uint64_t(suspicious(r2[i], m));
      }
      if (bad) return false;
      for (unsigned i = 0; i < count; ++i) w[i] = me + i * laneStep;
      return true;
    } else {
      uint64_t bad = 0, notFresh = 0;
      for (unsigned i = 0; i < count; ++i) {
        Record m = me + i * laneStep;
        bad |= uint64_t(suspicious(w[i], m)) | (w[i] & atomicFlag);
        notFresh |= uint64_t(!isOld(r1[i])) & uint64_t(((r1[i] ^ m) & ident) != 0);
      }
      if (bad) return false;
      if (!notFresh) {
        for (unsigned i = 0; i < count; ++i) r1[i] = me + i * laneStep;
        return true;
      }
      uint64_t unsettled = 0;
      Record apart = global ? blockMask : warpIdent;
      for (unsigned i = 0; i < count; ++i) {
        unsettled |= uint64_t(isOld(r1[i])) | uint64_t(isOld(r2[i])) | uint64_t(((r1[i] ^ me) & apart) == 0) |
                     uint64_t(((r2[i] ^ me) & apart) == 0) | uint64_t(((r1[i] ^ r2[i]) & apart) == 0);
      }
      if (unsettled)
        for (unsigned i = 0; i < count; ++i) noteReader(row, word + i, me + i * laneStep);
      return true;
    }
  }

  void lanesOneByOne(unsigned lo, unsigned count) {
    for (unsigned lane = lo; lane < lo + count; ++lane)
      if (access.mask >> lane & 1) oneLane(lane);
  }

  void span(unsigned lo, unsigned count) {
    uint32_t all = count == 32 ? ~uint32_t(0) : ((uint32_t(1) << count) - 1) << lo;
    uint32_t some = access.mask & all;
    if (some == 0) return;
    if (count <= 2) {
      lanesOneByOne(lo, count);
      return;
    }
    if (some == all && access.bytes == 4) {
      const uint64_t* a = access.address + lo;
      uint64_t stride = a[1] - a[0];
      if (stride == 4 || (stride == 0 && kind != AccessKind::Store)) {
        uint64_t differs = 0;
        for (unsigned i = 0; i < count; ++i) differs |= a[i] ^ (a[0] + i * stride);
        if (!differs && (a[0] & 3) == 0 && place.sameStretch(lo, lo + count - 1)) {
          place.select(lo, a[0]);
          if (!place.cells().hasSplit()) {
            if (stride == 0) {
              sameWord(lo, count);
              return;
            }
            if (kind != AccessKind::Atomic && consecutive(lo, count)) return;
            lanesOneByOne(lo, count);
            return;
          }
        }
      } else {
        lanesOneByOne(lo, count);
        return;
      }
    }
    if (access.bytes != 4 || count <= 4) {
      lanesOneByOne(lo, count);
      return;
    }
    span(lo, count / 2);
    span(lo + count / 2, count / 2);
  }
};

}  // namespace hone::sim
