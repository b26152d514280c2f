// One warp instruction against the cells of shadow memory: meets what is there, leaves its own record.
#pragma once

#include <algorithm>
#include <bit>

#include "sim/check/ShadowState.h"

namespace hone::sim {

// The record of an access and what it is compared with. Small, so that loops hold a copy in registers.
template <bool global> struct Comparison {
  static constexpr Record laneStep = Record(1) << threadShift;
  Record first;   // record of lane 0
  Record oldest;  // records of the own block below this lie before the last barrier
  Record ident, warpIdent, blockMask;

  Record mine(unsigned lane) const { return first + lane * laneStep; }
  // Ordered by the last barrier or never made. Records of other blocks are not ordered by this block's
  // barriers.
  bool isOld(Record r) const {
    if constexpr (global) return r == 0;
    return r < oldest;
  }
  // Not zero when made by another thread and no barrier of the block lies between. Arithmetic, so that loops
  // become vectors.
  Record suspicious(Record r, Record me) const {
    if constexpr (global) return r ? (r ^ me) & (r >= oldest ? ident : blockMask) : 0;
    return r >= oldest ? (r ^ me) & ident : 0;
  }
  bool sameWarp(Record a, Record b) const { return ((a ^ b) & warpIdent) == 0; }
  bool sameBlock(Record a, Record b) const { return ((a ^ b) & blockMask) == 0; }

  // Two readers stay known, chosen so that whoever writes next is unordered with one of them if with any: of
  // different blocks or warps where there are such, else the latest two lanes.
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

// `Place` finds cells: select(lane, address) makes the cells of that byte current, sameStretch(a, b) says
// whether lanes a and b (of rising addresses) share them, cells() gives them, word(address) the number of the
// word in them, holds(address, bytes) whether a stretch ends in them, and host(lane, address) the bytes
// memory holds. selectPiece(buffer, address, bytes) is select for a stretch; false when it reaches into other
// cells. lineOffset(address) is where in its line of cells a byte lies.
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

  // All lanes in rows of whole lines or at one place; see RegularAccess. False when something needs a closer
  // look: then `run` must follow, which may meet again what was done here.
  bool runRegular(const RegularAccess& r) {
    const unsigned grain = unsigned(std::countr_zero(unsigned(r.bytes)));
    const unsigned pieces = warpLanes / r.lanes, pieceBytes = r.row ? r.lanes * r.bytes : r.bytes;
    for (unsigned p = 0; p < pieces; ++p) {
      const unsigned lane = p * r.lanes;
      const uint64_t at = r.at[p];
      if (!place.selectPiece(r.buffer, at, pieceBytes)) return false;
      ShadowCells& cells = place.cells();
      const uint32_t word = place.word(at);
      if (!r.row) {
        if (kind == AccessKind::Store || (at & 3) || (r.bytes & 3) || cells.hasSplit()) return false;
        const bool two =
            r.lanes == 8 && p % 2 == 0 && r.at[p + 1] == at;  // as halves of a warp are looked at first
        for (uint32_t i = 0; i < r.bytes / 4u; ++i)
          if (!onePlace(cells, word + i, lane, two ? 16 : r.lanes, r.bytes > 4)) return false;
        if (two) ++p;
      } else if (pieceBytes % lineBytes == 0 && place.lineOffset(at) == 0) {
        const uint32_t first = word >> ShadowCells::lineShift, count = pieceBytes / lineBytes;
        for (uint32_t k = 0; k < count; ++k)
          if (!wholeLine(cells, first + k, lane + (k * lineBytes >> grain), grain)) return false;
      } else {
        const uint32_t words = pieceBytes / 4;
        if ((at & 3) || (pieceBytes & 3) || grain < 2) return false;
        visit(cells, word, words);
        if (cells.hasSplit(word, words)) return false;
        if (!neighbours(cells.words(), word, words, lane, grain - 2)) return false;
      }
    }
    return true;
  }

  void run(AccessPattern pattern) {
    if (pattern == AccessPattern::Other || !place.sameStretch(0, warpLanes - 1)) {
      if (hasRegularPart())
        span(0, warpLanes);
      else
        lanesOneByOne(0, warpLanes);
    } else {
      regular(0, warpLanes, pattern == AccessPattern::Row);
    }
  }

 private:
  Shadow::State& shadow;
  BlockShadow::State& block;
  const RecordLayout& layout;
  const WarpAccess& access;
  Place& place;
  Comparison<global> compare;

  static constexpr Record laneStep = Comparison<global>::laneStep;
  static constexpr unsigned lineBytes = ShadowCells::lineWords * 4;

  // Makes the cells of words usable.
  [[gnu::always_inline]] void visit(ShadowCells& cells, uint32_t word) {
    cells.open(word);
    if constexpr (!global) cells.newest(word >> ShadowCells::lineShift) = compare.first;
  }
  void visit(ShadowCells& cells, uint32_t word, uint32_t count) {
    const uint32_t end = (word + count - 1) >> ShadowCells::lineShift;
    for (uint32_t line = word >> ShadowCells::lineShift; line <= end; ++line)
      visit(cells, line << ShadowCells::lineShift);
  }

  // A line by its lanes in order. What holds for its first lane holds for all: their records differ by the
  // same steps.
  [[gnu::always_inline]] bool wholeLine(ShadowCells& cells, uint32_t line, unsigned lane, unsigned grain) {
    const Comparison<global> c = compare;
    const CellRow row = cells.lines();
    uint8_t& has = cells.grain(line);
    if (has != grain && has != ShadowCells::untouched) {
      if constexpr (!global) {
        const Record latest = has == ShadowCells::spread
                                  ? row.writer[line]
                                  : std::max(row.writer[line], std::max(row.reader[line], row.second[line]));
        if (latest < c.oldest && !cells.hasSplit(line << ShadowCells::lineShift, ShadowCells::lineWords)) {
          cells.forget(line);
          return wholeLine(cells, line, lane, grain);
        }
      }
      visit(cells, line << ShadowCells::lineShift);
      if (grain < 2 || cells.hasSplit(line << ShadowCells::lineShift, ShadowCells::lineWords)) return false;
      return neighbours(cells.words(), line << ShadowCells::lineShift, ShadowCells::lineWords, lane,
                        grain - 2);
    }
    const Record me = c.mine(lane);
    if (c.suspicious(row.writer[line], me)) return false;
    if constexpr (kind == AccessKind::Store) {
      if (c.suspicious(row.reader[line], me) | c.suspicious(row.second[line], me)) return false;
      row.writer[line] = me;
    } else {
      c.noteReader(row, line, me);
    }
    has = uint8_t(grain);
    return true;
  }

  // Loads of one word by neighbouring lanes.
  bool onePlace(ShadowCells& cells, uint32_t word, unsigned lane, unsigned count, bool third) {
    const Comparison<global> c = compare;
    visit(cells, word);
    const CellRow row = cells.words();
    // Any two lanes of a load agree on whether the writer is suspicious, unless it is one of them.
    const Record w = row.writer[word];
    if (c.suspicious(w, c.mine(lane)) | c.suspicious(w, c.mine(lane + count - 1))) return false;
    c.noteReader(row, word, c.mine(lane));
    if (third) c.noteReader(row, word, c.mine(lane + count - 2));
    c.noteReader(row, word, c.mine(lane + count - 1));
    return true;
  }

  // Words in a row, 1 << shift of them for each lane.
  bool neighbours(const CellRow& row, uint32_t word, uint32_t words, unsigned lane, unsigned shift) {
    const Comparison<global> c = compare;
    Record* __restrict__ w = row.writer + word;
    Record* __restrict__ r1 = row.reader + word;
    Record* __restrict__ r2 = row.second + word;
    const Record me = c.mine(lane);
    Record bad = 0;
    if constexpr (kind == AccessKind::Store) {
      for (unsigned i = 0; i < words; ++i) {
        const Record m = me + (i >> shift) * laneStep;
        bad |= c.suspicious(w[i], m) | c.suspicious(r1[i], m) | c.suspicious(r2[i], m);
      }
      if (bad) return false;
      for (unsigned i = 0; i < words; ++i) w[i] = me + (i >> shift) * laneStep;
    } else {
      Record notFresh = 0;
      for (unsigned i = 0; i < words; ++i) {
        const Record m = me + (i >> shift) * laneStep;
        bad |= c.suspicious(w[i], m);
        notFresh |= c.isOld(r1[i]) ? 0 : (r1[i] ^ m) & c.ident;
      }
      if (bad) return false;
      if (!notFresh)
        for (unsigned i = 0; i < words; ++i) r1[i] = me + (i >> shift) * laneStep;
      else
        for (unsigned i = 0; i < words; ++i) c.noteReader(row, word + i, me + (i >> shift) * laneStep);
    }
    return true;
  }

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
      ShadowCells& cells = place.cells();
      uint32_t word = place.word(at);
      visit(cells, word);
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

  // A lane that moves two or four words, aligned, of which none is used in parts.
  [[gnu::always_inline]] bool wholeWords(const Comparison<global>& c, unsigned lane) {
    const uint64_t at = access.address[lane];
    if ((access.bytes != 8 && access.bytes != 16) || (at & 7)) return false;
    place.select(lane, at);
    ShadowCells& cells = place.cells();
    if (cells.hasSplit() || !place.holds(at, access.bytes)) return false;
    const uint32_t word = place.word(at);
    visit(cells, word, access.bytes / 4);
    const CellRow row = cells.words();
    for (uint32_t k = 0; k < access.bytes / 4u; ++k) touch(c, row, word + k, lane, at + 4 * k, 4);
    return true;
  }

  void lanesOneByOne(unsigned lo, unsigned count) {
    const Comparison<global> c = compare;
    if (access.bytes != 4) {
      for (unsigned lane = lo; lane < lo + count; ++lane)
        if (access.mask >> lane & 1 && !wholeWords(c, lane)) oneLane(lane);
      return;
    }
    const uint64_t* addresses = access.address;
    uint32_t mask = access.mask;
    if constexpr (!global) {  // one set of cells for all lanes
      ShadowCells& cells = place.cells();
      uint64_t odd = 0;
      for (unsigned lane = lo; lane < lo + count; ++lane)
        if (mask >> lane & 1) {
          odd |= addresses[lane];
          visit(cells, place.word(addresses[lane]));
        }
      if (!(odd & 3) && !cells.hasSplit()) {
        const CellRow row = cells.words();
        for (unsigned lane = lo; lane < lo + count; ++lane)
          if (mask >> lane & 1) touch(c, row, place.word(addresses[lane]), lane, addresses[lane], 4);
        return;
      }
    }
    for (unsigned lane = lo; lane < lo + count; ++lane) {
      if (!(mask >> lane & 1)) continue;
      uint64_t at = addresses[lane];
      place.select(lane, at);
      if ((at & 3) != 0 || place.cells().hasSplit()) {
        oneLane(lane);
        continue;
      }
      uint32_t word = place.word(at);
      visit(place.cells(), word);
      const CellRow row = place.cells().words();
      touch(c, row, word, lane, at, 4);
    }
  }

  void sameWord(unsigned lo, unsigned count) {
    const Comparison<global> c = compare;
    uint64_t address = access.address[lo];
    uint32_t word = place.word(address);
    visit(place.cells(), word);
    const CellRow row = place.cells().words();
    touch(c, row, word, lo, address, 4);
    touch(c, row, word, lo + count - 1, address, 4);
  }

  // Neighbouring lanes at neighbouring words. False when a lane needs a closer look; nothing was changed
  // then.
  template <unsigned count> bool consecutive(unsigned lo) {
    const Comparison<global> c = compare;
    uint32_t word = place.word(access.address[lo]);
    visit(place.cells(), word, count);
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

  // Whether `span` would find anything to do in one go.
  bool hasRegularPart() const {
    if (access.bytes != 4) return false;
    bool any = false;
    for (unsigned lo = 0; lo < warpLanes; lo += 4) {
      const uint64_t stride = access.address[lo + 1] - access.address[lo];
      any |= ((access.mask >> lo) & 15) == 15 && (stride == 0 || stride == 4);
    }
    return any;
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
