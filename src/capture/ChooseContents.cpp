#include "capture/ChooseContents.h"

#include <algorithm>
#include <tuple>

namespace hone::capture {

namespace {

constexpr unsigned mostShapes = 16;
constexpr uint64_t pieces = 15, pieceAlignment = 64;

struct Part {
  uint64_t allocation, from, bytes;
};

// Each from where a pointer points to the next one into the same allocation, or to its end.
std::vector<Part> partsOf(const RecordedLaunch& launch) {
  std::map<uint64_t, std::map<uint64_t, uint64_t>>
      offsets;  // by allocation: place and bytes of the allocation
  for (const RecordedPointer& p : launch.pointers) offsets[p.allocation][p.offset] = p.bytes;
  std::vector<Part> out;
  for (const auto& [allocation, places] : offsets)
    for (auto place = places.begin(); place != places.end(); ++place) {
      const uint64_t end = std::next(place) == places.end() ? place->second : std::next(place)->first;
      if (end > place->first) out.push_back({allocation, place->first, end - place->first});
    }
  std::sort(out.begin(), out.end(), [](const Part& a, const Part& b) {
    return std::tie(a.bytes, a.allocation, a.from) < std::tie(b.bytes, b.allocation, b.from);
  });
  return out;
}

std::string shapeOf(const RecordedLaunch& launch) {
  std::string key = launch.kernel + '\n';
  const auto add = [&](uint64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (uint32_t e : launch.grid) add(e);
  for (uint32_t e : launch.block) add(e);
  add(launch.shared);
  for (const RecordedPointer& p : launch.pointers) add(p.at), add(p.bytes), add(p.offset);
  return key;
}

}  // namespace

std::vector<ContentsPiece> ContentsChooser::choose(const RecordedLaunch& launch) {
  std::vector<ContentsPiece> out;
  if (!isOn() || launch.pointers.empty() || !seen.insert(shapeOf(launch)).second) return out;
  if (shapes[launch.kernel] >= mostShapes) return out;
  ++shapes[launch.kernel];
  const uint64_t longest = total / 16;
  uint64_t mine = left / 2;
  for (const Part& part : partsOf(launch)) {
    if (part.bytes <= std::min(longest, mine)) {
      out.push_back({part.allocation, part.from, part.bytes});
      mine -= part.bytes;
      left -= part.bytes;
      continue;
    }
    const uint64_t room = std::min(longest, mine), first = room / 2,
                   each = (room - first) / pieces / pieceAlignment * pieceAlignment;
    if (each == 0) {
      isShort = true;
      continue;
    }
    out.push_back({part.allocation, part.from, first});
    const uint64_t step = (part.bytes - first) / pieces;
    for (uint64_t i = 0; i < pieces; ++i) {
      // The last one is the end.
      const uint64_t at = i + 1 == pieces
                              ? part.bytes - each
                              : std::max(first, (first + i * step) / pieceAlignment * pieceAlignment);
      out.push_back({part.allocation, part.from + at, each});
    }
    const uint64_t used = first + pieces * each;
    mine -= used;
    left -= used;
  }
  return out;
}

}  // namespace hone::capture
