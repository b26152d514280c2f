#include "sim/execute/Warp.h"

#include <algorithm>

namespace hone::sim {

namespace {

// The path of `lanes`, which wait in frame `depth` of `from` and go on at `pc`.
std::unique_ptr<Path> branchOff(const Path& from, size_t depth, uint32_t lanes, int32_t pc, bool atBarrier) {
  auto path = std::make_unique<Path>();
  path->pc = pc;
  path->active = 0;  // the instruction at pc takes them from the frame
  path->partedAtBarrier = atBarrier;
  path->frames.assign(from.frames.begin(), from.frames.begin() + long(depth) + 1);
  for (Frame& f : path->frames) f.keepOnly(lanes);
  return path;
}

bool sameShape(const Path& a, const Path& b) {
  if (a.state != b.state || a.pc != b.pc || a.frames.size() != b.frames.size()) return false;
  for (size_t i = 0; i < a.frames.size(); ++i) {
    const Frame &f = a.frames[i], &g = b.frames[i];
    if (f.kind != g.kind || f.pcA != g.pcA || f.pcB != g.pcB || f.inElse != g.inElse) return false;
  }
  return true;
}

}  // namespace

bool splitWaiting(Warp& warp, size_t index, bool atBarrier) {
  Path& path = *warp.paths[index];
  std::vector<std::unique_ptr<Path>> parted;
  uint32_t inside = path.active;
  for (size_t depth = path.frames.size(); depth-- > 0;) {
    const Frame f = path.frames[depth];
    const auto part = [&](uint32_t lanes, int32_t pc) {
      lanes &= ~inside;
      if (lanes) parted.push_back(branchOff(path, depth, lanes, pc, atBarrier));
    };
    switch (f.kind) {
      case Frame::If:
        part(f.pending, f.pcA);
        part(f.saved & ~f.pending, f.pcB);
        break;
      case Frame::Loop:
        part(f.cont, f.pcB);
        part(f.saved & ~f.cont, f.pcA);
        break;
      case Frame::Switch:
        part(f.pending, f.pcB);
        part(f.saved & ~f.pending, f.pcA);
        break;
      case Frame::Call: part(f.saved, f.pcA); break;
    }
    inside |= f.saved;
  }
  if (parted.empty()) return false;
  for (Frame& f : path.frames) f.keepOnly(path.active);
  for (auto& p : parted) warp.paths.push_back(std::move(p));
  return true;
}

void joinPaths(Warp& warp) {
  auto& paths = warp.paths;
  for (size_t i = 0; i < paths.size(); ++i)
    for (size_t j = i + 1; j < paths.size();) {
      Path &a = *paths[i], &b = *paths[j];
      if (a.state == Path::Done || !sameShape(a, b)) {
        ++j;
        continue;
      }
      a.active |= b.active;
      a.waitMask |= b.waitMask;
      a.partedAtBarrier &= b.partedAtBarrier;
      for (size_t f = 0; f < a.frames.size(); ++f) {
        a.frames[f].saved |= b.frames[f].saved;
        a.frames[f].pending |= b.frames[f].pending;
        a.frames[f].cont |= b.frames[f].cont;
      }
      paths.erase(paths.begin() + long(j));
    }
}

}  // namespace hone::sim
