#include "device/CapturedCase.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>

namespace hone::device {

using namespace ir;

namespace {

uint64_t bitsAt(const capture::CapturedLaunch& launch, uint64_t at, uint64_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, launch.bytes.data() + at, std::min<uint64_t>(bytes, 8));
  return bits;
}

double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                  : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -value : value;
}

Number numberOf(const Type& type, uint64_t bits) {
  if (type.is(TypeKind::Bool)) return wholeNumber(bits & 0xff ? 1 : 0);
  if (type.is(TypeKind::BFloat))
    return realNumber(std::bit_cast<float>(static_cast<uint32_t>((bits & 0xffff) << 16)));
  if (type.is(TypeKind::Float)) {
    if (type.bits == 64) return realNumber(std::bit_cast<double>(bits));
    if (type.bits == 16) return realNumber(halfValue(static_cast<uint16_t>(bits)));
    return realNumber(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  const unsigned shift = 64 - std::min(64u, unsigned{type.bits});
  return wholeNumber(type.isSigned ? static_cast<int64_t>(bits << shift) >> shift
                                   : static_cast<int64_t>(bits << shift >> shift));
}

std::string whyNotOf(const capture::CapturedLaunch& launch, const Kernel& kernel) {
  if (launch.parameters.size() != kernel.params.size())
    return fmt::format(
        "it was captured with {} parameters, and has {} here: a capture of another version of the source",
        launch.parameters.size(), kernel.params.size());
  for (size_t i = 0; i < kernel.params.size(); ++i)
    if (const uint64_t here = sizeOf(*kernel.params[i]->type, kernel.language == Language::OpenCL);
        here != launch.parameters[i].second)
      return fmt::format(
          "parameter '{}' had {} bytes when it was captured, and has {} here: a capture of another "
          "version of the source",
          kernel.params[i]->name, launch.parameters[i].second, here);
  return "";
}

struct Placed {
  std::string name;
  uint64_t elementBytes;
  const capture::RecordedPointer* pointer;
};

// Arrays that a program has cut from one allocation begin at addresses as allocators hand them out; those
// that overlap mostly do not.
constexpr uint64_t cutAt = 256;

void placeArrays(CapturedCase& out, std::vector<Placed>& arrays) {
  std::sort(arrays.begin(), arrays.end(), [](const Placed& a, const Placed& b) {
    if (a.pointer->allocation != b.pointer->allocation) return a.pointer->allocation < b.pointer->allocation;
    return a.pointer->offset != b.pointer->offset ? a.pointer->offset < b.pointer->offset
                                                  : a.pointer->at < b.pointer->at;
  });
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Placed& mine = arrays[i];
    uint64_t end = mine.pointer->bytes;
    for (size_t j = i + 1; j < arrays.size() && arrays[j].pointer->allocation == mine.pointer->allocation;
         ++j) {
      const uint64_t distance = arrays[j].pointer->offset - mine.pointer->offset;
      if (distance == 0) continue;
      if (distance % cutAt == 0) {
        end = arrays[j].pointer->offset;
        break;
      }
    }
    out.lengths[mine.name] = (end - mine.pointer->offset) / std::max<uint64_t>(1, mine.elementBytes);
    for (size_t j = 0; j < i; ++j) {
      const Placed& before = arrays[j];
      if (before.pointer->allocation != mine.pointer->allocation || out.aliases.contains(before.name))
        continue;
      const uint64_t distance = mine.pointer->offset - before.pointer->offset;
      if ((distance != 0 && distance % cutAt == 0) || distance % std::max<uint64_t>(1, before.elementBytes))
        continue;
      out.aliases[mine.name] = {before.name,
                                static_cast<int64_t>(distance / std::max<uint64_t>(1, before.elementBytes))};
      break;
    }
  }
}

// `contents`: of a launch like it (CaptureFile::withContents), or null.
CapturedCase caseOf(const capture::CapturedLaunch& launch, const capture::CapturedLaunch* contents,
                    const Kernel& kernel, const std::vector<ParameterLeaf>& leaves) {
  CapturedCase out;
  out.grid = launch.grid;
  out.block = launch.block;
  out.shared = launch.shared;
  out.isCooperative = launch.isCooperative;
  out.place = launch.place;
  out.launches = launch.launches;
  out.microseconds = launch.microseconds;
  const bool isOpenCL = kernel.language == Language::OpenCL;
  std::vector<Placed> arrays;
  for (const ParameterLeaf& leaf : leaves) {
    const uint64_t at = launch.parameters[leaf.param].first + leaf.offset,
                   bytes = sizeOf(*leaf.type, isOpenCL);
    if (at + bytes > launch.bytes.size()) continue;
    if (leaf.isNumber()) out.numbers[leaf.path] = numberOf(*leaf.type, bitsAt(launch, at, bytes));
    // Of memory of a work-group the argument is how much.
    if (leaf.isSharedArray() && isOpenCL)
      if (const uint64_t size = bitsAt(launch, at, bytes), each = sizeOf(*leaf.type->element, isOpenCL); each)
        out.lengths[leaf.path] = size / each;
    if (!leaf.isArray()) continue;
    for (const capture::RecordedPointer& p : launch.pointers)
      if (p.at == at) arrays.push_back({leaf.path, sizeOf(*leaf.type->element, isOpenCL), &p});
  }
  placeArrays(out, arrays);
  if (!contents) return out;
  for (const Placed& array : arrays)
    if (CapturedArray recorded = capturedArray(*contents, *array.pointer); !recorded.pieces.empty())
      out.contents.emplace(array.name, std::move(recorded));
  return out;
}

}  // namespace

std::string capturedName(const capture::CaptureFile& capture, const std::string& linkageName,
                         const std::string& title) {
  const auto plain = [](std::string text) {
    for (const std::string_view part : {"(anonymous namespace)::", " "})
      for (size_t at = 0; (at = text.find(part, at)) != std::string::npos;) text.erase(at, part.size());
    return text;
  };
  std::string found;
  for (const capture::CapturedLaunch& launch : capture.launches) {
    if (!linkageName.empty() && launch.kernel == linkageName) return linkageName;
    if (launch.kernel == found || title.empty()) continue;
    std::string text = demangled(launch.kernel);
    if (text.starts_with("void ")) text.erase(0, 5);  // of instantiations
    text = plain(text);
    if (const size_t open = text.find('('); open != std::string::npos) text.erase(open);
    if (text != plain(title)) continue;
    if (!found.empty()) return "";  // overloads: which one is not known
    found = launch.kernel;
  }
  return found;
}

bool isRewrittenIn(const capture::CaptureFile& capture, const std::string& kernelName) {
  return std::any_of(
      capture.launches.begin(), capture.launches.end(), [&](const capture::CapturedLaunch& launch) {
        const std::string text = demangled(launch.kernel);
        const size_t space = text.find("_hone::kernel");
        if (space == std::string::npos) return false;
        size_t begin = space;
        while (begin > 0 &&
               (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_'))
          --begin;
        return text.compare(begin, kernelName.size(), kernelName) == 0;
      });
}

namespace {

// Programs that try several block shapes for the same work and keep the best are to gain over that one: it
// comes first of those with the costliest launch's numbers.
void putBestBlockFirst(std::vector<CapturedCase>& cases) {
  const auto cost = [](const CapturedCase& one) {
    return one.microseconds / static_cast<double>(std::max<uint64_t>(1, one.launches));
  };
  const auto isSame = [](const CapturedCase& a, const CapturedCase& b) {
    return std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                      [](const auto& x, const auto& y) {
                        return x.first == y.first && x.second.isReal == y.second.isReal &&
                               x.second.asReal() == y.second.asReal() &&
                               x.second.asWhole() == y.second.asWhole();
                      });
  };
  auto best = cases.begin();
  for (auto one = cases.begin(); one != cases.end(); ++one)
    if (one->microseconds > 0 && isSame(*one, cases.front()) && cost(*one) < cost(*best)) best = one;
  if (best != cases.end()) std::rotate(cases.begin(), best, best + 1);
}

}  // namespace

std::shared_ptr<const CapturedKernel> capturedCases(const capture::CaptureFile& capture, const Kernel& kernel,
                                                    const std::string& name) {
  const std::vector<const capture::CapturedLaunch*> found = capture.of(name);
  if (found.empty()) return nullptr;
  auto out = std::make_shared<CapturedKernel>();
  out->file = capture.path;
  out->share = capture.share(name);
  out->sharedOf = capture.whatIsShared();
  out->hasTimes = capture.microseconds() > 0;
  out->isCoarse = capture.isCoarse();
  out->device = capture.device;
  const std::vector<ParameterLeaf> leaves = parameterLeaves(kernel);
  for (const capture::CapturedLaunch* launch : found) {
    if (std::string problem = whyNotOf(*launch, kernel); !problem.empty()) {
      out->problem = std::move(problem);
      continue;
    }
    out->cases.push_back(caseOf(*launch, capture.withContents(*launch), kernel, leaves));
  }
  if (out->hasTimes && !out->isCoarse) putBestBlockFirst(out->cases);
  return out;
}

}  // namespace hone::device
