#include "device/CapturedData.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hone::device {

CapturedArray capturedArray(const capture::CapturedLaunch& launch, const capture::RecordedPointer& pointer) {
  CapturedArray out;
  // The one at the same place among the arguments is in an allocation of its own name there.
  const auto own = std::find_if(launch.pointers.begin(), launch.pointers.end(),
                                [&](const capture::RecordedPointer& p) { return p.at == pointer.at; });
  if (own == launch.pointers.end()) return out;
  out.begin = own->offset;
  for (const auto& piece : launch.contents)
    if (piece->allocation == own->allocation && piece->from + piece->bytes.size() > own->offset)
      out.pieces.push_back(piece);
  std::sort(out.pieces.begin(), out.pieces.end(),
            [](const auto& a, const auto& b) { return a->from < b->from; });
  return out;
}

std::vector<uint8_t> capturedBytes(const CapturedArray& array, uint64_t elements, uint64_t elementBytes,
                                   bool mustBeWhole) {
  std::vector<uint8_t> out(elements * elementBytes);
  std::vector<bool> isKnown(elements);
  uint64_t reached = 0;  // bytes of the array that are known without a gap
  std::vector<uint64_t> known;
  for (size_t i = 0; i < array.pieces.size(); ++i) {
    // Neighbouring pieces together, since an element may lie in both.
    uint64_t first = array.pieces[i]->from, end = first + array.pieces[i]->bytes.size();
    const size_t begin = i;
    while (i + 1 < array.pieces.size() && array.pieces[i + 1]->from <= end)
      end = std::max<uint64_t>(end, array.pieces[i + 1]->from + array.pieces[i + 1]->bytes.size()), ++i;
    first = std::max(first, array.begin) - array.begin;
    end = std::min<uint64_t>(end - array.begin, out.size());
    if (first >= end) continue;
    for (size_t j = begin; j <= i; ++j) {
      const capture::CapturedPiece& piece = *array.pieces[j];
      const uint64_t skipped = piece.from < array.begin ? array.begin - piece.from : 0;
      const uint64_t at = piece.from + skipped - array.begin;
      if (at >= out.size() || skipped >= piece.bytes.size()) continue;
      std::memcpy(out.data() + at, piece.bytes.data() + skipped,
                  std::min<uint64_t>(piece.bytes.size() - skipped, out.size() - at));
    }
    if (first <= reached) reached = std::max(reached, end);
    for (uint64_t e = (first + elementBytes - 1) / elementBytes; (e + 1) * elementBytes <= end; ++e)
      if (!isKnown[e]) isKnown[e] = true, known.push_back(e);
  }
  if (reached >= out.size()) return out;
  if (mustBeWhole || known.empty()) return {};
  for (uint64_t e = 0, next = 0; e < elements; ++e)
    if (!isKnown[e])
      std::memcpy(out.data() + e * elementBytes, out.data() + known[next++ % known.size()] * elementBytes,
                  elementBytes);
  return out;
}

std::vector<uint8_t> capturedVariable(const capture::CaptureFile& capture, size_t launch,
                                      const std::string& name, uint64_t bytes) {
  std::vector<uint8_t> out(bytes);
  std::vector<bool> isKnown(bytes);
  for (const capture::CapturedVariable& copy : capture.variables) {
    if (copy.launch > launch) break;
    // Compilers do not agree on whether a variable is one of its file alone.
    if (copy.name != name && demangled(copy.name) != demangled(name)) continue;
    if (copy.offset > bytes || copy.of > bytes - copy.offset) return {};
    for (uint64_t i = 0; i < copy.of; ++i) {
      isKnown[copy.offset + i] = i < copy.bytes.size();
      if (i < copy.bytes.size()) out[copy.offset + i] = copy.bytes[i];
    }
  }
  return std::find(isKnown.begin(), isKnown.end(), false) == isKnown.end() ? out : std::vector<uint8_t>();
}

std::string demangled(const std::string& linkageName) {
  if (!linkageName.starts_with("_Z")) return linkageName;  // "f" would be a type's
  int status = 0;
  char* text = abi::__cxa_demangle(linkageName.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : linkageName;
  std::free(text);
  return out;
}

}  // namespace hone::device
