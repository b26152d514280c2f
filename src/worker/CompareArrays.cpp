#include "worker/CompareArrays.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <thread>

namespace hone::worker {

namespace {

std::string shown(const uint8_t* at, Scalar type) {
  char text[64];
  const double value = load(at, type);
  std::to_chars_result end{};
  if (type == Scalar::I64 || type == Scalar::U64) {
    uint64_t whole = 0;
    std::memcpy(&whole, at, sizeof whole);
    end = type == Scalar::U64 ? std::to_chars(text, text + sizeof text, whole)
                              : std::to_chars(text, text + sizeof text, static_cast<int64_t>(whole));
  } else if (!isFloating(type))
    end = std::to_chars(text, text + sizeof text, static_cast<int64_t>(value));
  else if (type == Scalar::F64)
    end = std::to_chars(text, text + sizeof text, value);
  else
    end = std::to_chars(text, text + sizeof text, static_cast<float>(value));
  return {text, end.ptr};
}

// Compares elements first … last - 1 in order.
class Part {
 public:
  ArrayComparison result;

  Part(const ArrayShape& of, std::span<const uint8_t> before, std::span<const uint8_t> left,
       std::span<const uint8_t> right, const Tolerance& allowed, std::span<const double> largestValues)
      : shape(of), initial(before), a(left), b(right), tolerance(allowed), largest(largestValues) {}

  void compare(uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; ++i) {
      const uint64_t at = i * shape.elementBytes;
      for (size_t l = 0; l < shape.leaves.size(); ++l) number(i, at + shape.leaves[l].offset, l);
      if (shape.leaves.empty() && std::memcmp(&a[at], &b[at], shape.elementBytes) != 0)
        note(i, [] { return std::string("other bytes"); });
    }
  }

 private:
  template <class Words> void note(uint64_t index, Words words) {
    if (result.difference)
      ++result.difference->count;
    else
      result.difference = ArrayDifference{index, 1, words()};
  }

  void number(uint64_t i, uint64_t at, size_t l) {
    const Scalar type = shape.leaves[l].type;
    const unsigned bytes = sizeOf(type);
    const bool same = std::memcmp(&a[at], &b[at], bytes) == 0;
    auto both = [&] { return shown(&a[at], type) + " and " + shown(&b[at], type); };
    if (same && initial.size() == a.size() && std::memcmp(&a[at], &initial[at], bytes) == 0) return;
    if (!isFloating(type)) {
      ++result.compared;
      if (!same) note(i, both);
      return;
    }
    const double x = load(&a[at], type), y = load(&b[at], type);
    if (std::isnan(x) && std::isnan(y)) {
      if (result.notNumbers++ == 0) result.firstNotNumber = i;
      return;
    }
    ++result.compared;
    if (std::isnan(x) || std::isnan(y)) {
      result.maxError = std::numeric_limits<double>::infinity();
      return note(i, both);
    }
    if (same) return;
    // No order of operations makes infinity of a number, or of its opposite.
    if (std::isinf(x) || std::isinf(y)) {
      result.maxError = std::numeric_limits<double>::infinity();
      return note(i, both);
    }
    const double error = std::fabs(x - y);
    result.maxError = std::max(result.maxError, error);
    if (tolerance.permitted &&
        error <= 4 * tolerance.operations * unitRoundoff(type) * std::max(std::fabs(x), largest[l]))
      return;
    note(i, both);
  }

  const ArrayShape& shape;
  std::span<const uint8_t> initial, a, b;
  const Tolerance& tolerance;
  std::span<const double> largest;  // by leaf
};

// Parts of a range worth a thread each, in order.
template <class Work> void inParts(uint64_t elements, size_t parts, Work work) {
  std::vector<std::thread> threads;
  for (size_t p = 1; p < parts; ++p)
    threads.emplace_back([=, &work] { work(p, elements * p / parts, elements * (p + 1) / parts); });
  work(0, 0, elements / parts);
  for (std::thread& thread : threads) thread.join();
}

// The median of what is not 0, of some of the results; nothing where these are few.
std::optional<double> usualValue(const ArrayShape& shape, const Leaf& leaf, std::span<const uint8_t> initial,
                                 std::span<const uint8_t> a) {
  constexpr uint64_t most = 4096, fewest = 16;
  std::vector<double> values;
  for (uint64_t i = 0; i < shape.elements; i += std::max<uint64_t>(1, shape.elements / most)) {
    const uint64_t at = i * shape.elementBytes + leaf.offset;
    if (!initial.empty() && std::memcmp(&a[at], &initial[at], sizeOf(leaf.type)) == 0) continue;
    const double value = std::fabs(load(&a[at], leaf.type));
    if (std::isfinite(value) && value > 0) values.push_back(value);
  }
  if (values.size() < fewest) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How large results are, by leaf: what the run left as it was, above all what marks elements without a value,
// says nothing about the size of errors; nor does one huge result about all the others.
std::vector<double> largestValues(const ArrayShape& shape, std::span<const uint8_t> initial,
                                  std::span<const uint8_t> a, size_t parts) {
  constexpr double mostTimesUsual = 64;
  const bool hasInitial = initial.size() == a.size();
  std::vector<double> out;
  for (const Leaf& leaf : shape.leaves) {
    std::vector<double> most(parts, 0.0);
    if (isFloating(leaf.type))
      inParts(shape.elements, parts, [&](size_t p, uint64_t first, uint64_t last) {
        double mine = 0;
        for (uint64_t i = first; i < last; ++i) {
          const uint64_t at = i * shape.elementBytes + leaf.offset;
          if (hasInitial && std::memcmp(&a[at], &initial[at], sizeOf(leaf.type)) == 0) continue;
          const double value = std::fabs(load(&a[at], leaf.type));
          if (std::isfinite(value)) mine = std::max(mine, value);
        }
        most[p] = mine;
      });
    double largest = *std::max_element(most.begin(), most.end());
    if (isFloating(leaf.type))
      if (const auto usual = usualValue(shape, leaf, hasInitial ? initial : std::span<const uint8_t>(), a))
        largest = std::min(largest, mostTimesUsual * *usual);
    out.push_back(largest);
  }
  return out;
}

std::vector<std::string_view> sortedElements(const ArrayShape& shape, std::span<const uint8_t> bytes) {
  std::vector<std::string_view> out;
  for (uint64_t i = 0; i < shape.elements; ++i)
    out.emplace_back(reinterpret_cast<const char*>(&bytes[i * shape.elementBytes]), shape.elementBytes);
  std::sort(out.begin(), out.end());
  return out;
}

uint64_t changedElements(const ArrayShape& shape, std::span<const uint8_t> initial,
                         std::span<const uint8_t> now) {
  if (initial.size() != now.size()) return shape.elements;
  uint64_t count = 0;
  for (uint64_t at = 0; at + shape.elementBytes <= now.size(); at += shape.elementBytes)
    count += std::memcmp(&now[at], &initial[at], shape.elementBytes) != 0;
  return count;
}

}  // namespace

ArrayComparison compareArrays(const ArrayShape& shape, std::span<const uint8_t> initial,
                              std::span<const uint8_t> a, std::span<const uint8_t> b,
                              const Tolerance& tolerance) {
  ArrayComparison out;
  if (tolerance.isUnordered) {
    out.compared = changedElements(shape, initial, a);
    if (sortedElements(shape, a) != sortedElements(shape, b))
      out.difference = ArrayDifference{0, 1, "other elements, in whatever order"};
    return out;
  }
  const bool mayHoldNan = std::any_of(shape.leaves.begin(), shape.leaves.end(),
                                      [](const Leaf& leaf) { return isFloating(leaf.type); });
  const bool same = a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  if (same && !mayHoldNan) {
    out.compared = changedElements(shape, initial, a);
    return out;
  }
  const size_t most = std::max(1u, std::thread::hardware_concurrency());
  const size_t parts = std::clamp<size_t>(shape.elements >> 18, 1, most);
  std::vector<double> largest(shape.leaves.size(), 0.0);
  if (tolerance.permitted && !same) largest = largestValues(shape, initial, a, parts);
  std::vector<Part> results(parts, Part(shape, initial, a, b, tolerance, largest));
  inParts(shape.elements, parts,
          [&](size_t p, uint64_t first, uint64_t last) { results[p].compare(first, last); });
  for (const Part& part : results) {
    out.maxError = std::max(out.maxError, part.result.maxError);
    out.compared += part.result.compared;
    if (out.notNumbers == 0) out.firstNotNumber = part.result.firstNotNumber;
    out.notNumbers += part.result.notNumbers;
    if (!part.result.difference) continue;
    if (out.difference)
      out.difference->count += part.result.difference->count;
    else
      out.difference = part.result.difference;
  }
  return out;
}

}  // namespace hone::worker
