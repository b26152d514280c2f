// Reductions and scans over the lanes of a group.
#include <algorithm>

#include "sim/functions/ExchangeLane.h"
#include "sim/functions/MathExact.h"

namespace hone::sim::exchange {
namespace {

using math::BFloat;
using math::Half;

template <class T> T combine(ReduceOp op, T x, T y) {
  using X = math::Exact<T>;
  const X a = x, b = y;
  if (op == ReduceOp::Min) return b < a ? y : x;
  if (op == ReduceOp::Max) return a < b ? y : x;
  if constexpr (math::isFloat<T>) {
    if (op == ReduceOp::Mul) return T(a * b);
    if constexpr (math::isHalfLike<T>)
      return T(math::addToOdd(a, b));
    else
      return a + b;
  } else {
    const auto p = static_cast<uint64_t>(a), q = static_cast<uint64_t>(b);
    switch (op) {
      case ReduceOp::Mul: return static_cast<T>(p * q);
      case ReduceOp::And: return static_cast<T>(p & q);
      case ReduceOp::Or: return static_cast<T>(p | q);
      case ReduceOp::Xor: return static_cast<T>(p ^ q);
      case ReduceOp::LogicalAnd: return static_cast<T>(a != 0 && b != 0);
      case ReduceOp::LogicalOr: return static_cast<T>(a != 0 || b != 0);
      case ReduceOp::LogicalXor: return static_cast<T>((a != 0) != (b != 0));
      default: return static_cast<T>(p + q);
    }
  }
}

template <class T> T identity(ReduceOp op) {
  if (op == ReduceOp::Mul || op == ReduceOp::LogicalAnd) return T(1);
  if constexpr (math::isFloat<T>) {
    if (op == ReduceOp::Min) return T(INFINITY);
    if (op == ReduceOp::Max) return T(-INFINITY);
  } else {
    if (op == ReduceOp::Min) return std::numeric_limits<T>::max();
    if (op == ReduceOp::Max) return std::numeric_limits<T>::min();
    if (op == ReduceOp::And) return static_cast<T>(~T{0});
  }
  return T(0);
}

bool isLogical(ReduceOp op) { return op >= ReduceOp::LogicalAnd; }

template <class T> struct Values {
  T at[warpLanes];
  Values(const void* arg, uint32_t active, ReduceOp op) {
    const auto* in = static_cast<const math::Storage<T>*>(arg);
    for (unsigned l = 0; l < warpLanes; ++l) {
      at[l] = active >> l & 1 ? math::load<T>(in[l]) : T(0);
      if (isLogical(op)) at[l] = T(static_cast<double>(at[l]) != 0);
    }
  }
};
template <class T> void put(void* result, unsigned lane, T value) {
  static_cast<math::Storage<T>*>(result)[lane] = math::store<T>(value);
}

enum class Shape : uint8_t { Reduce, Inclusive, Exclusive, Clustered };

// One after another in the order of lanes.
template <class T>
[[clang::noinline]] uint32_t inOrder(void* result, const void* const* args, const ExchangeLanes& lanes,
                                     ReduceOp op, Shape shape) {
  const Values<T> values(args[0], lanes.active, op);
  eachActive(lanes.active, [&](unsigned lane) {
    uint32_t among = membersOf(lanes, lane) & lanes.active;
    if (shape == Shape::Inclusive) among &= (uint32_t{2} << lane) - 1;
    if (shape == Shape::Exclusive) among &= (uint32_t{1} << lane) - 1;
    if (shape == Shape::Clustered) {
      const uint32_t members = membersOf(lanes, lane),
                     size = std::max(static_cast<const uint32_t*>(args[1])[lane], 1u);
      const unsigned cluster = rankOf(members, lane) / size;
      eachActive(among, [&](unsigned l) {
        if (rankOf(members, l) / size != cluster) among &= ~(uint32_t{1} << l);
      });
    }
    T out = identity<T>(op);
    bool isFirst = true;
    eachActive(among, [&](unsigned l) {
      out = isFirst ? values.at[l] : combine(op, out, values.at[l]);
      isFirst = false;
    });
    put<T>(result, lane, out);
  });
  return 0;
}

// As the header of cooperative groups does it, which decides how floats are rounded: each step combines with
// the lane half as far away in tiles, and with the ranks 1, 2, 4 … below elsewhere and in scans.
template <class T>
[[clang::noinline]] uint32_t inSteps(void* result, const void* const* args, const ExchangeLanes& lanes,
                                     Shape shape) {
  const auto op = static_cast<ReduceOp>(lanes.extra);
  const Values<T> values(args[0], lanes.active, op);
  uint32_t left = lanes.active;
  while (left != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(left));
    const uint32_t group = (membersOf(lanes, first) & lanes.active) | uint32_t{1} << first;
    const unsigned size = sizeOf(group);
    left &= ~group;
    unsigned lane[warpLanes];
    T out[warpLanes], before[warpLanes];
    unsigned rank = 0;
    eachActive(group, [&](unsigned l) {
      lane[rank] = l;
      out[rank++] = values.at[l];
    });
    const bool isTile =
        std::has_single_bit(size) && lane[0] % size == 0 && lane[size - 1] - lane[0] == size - 1;
    if (shape == Shape::Reduce && isTile) {
      for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        std::copy_n(out, size, before);
        for (unsigned r = 0; r < size; ++r) out[r] = combine(op, before[r], before[r ^ distance]);
      }
    } else {
      for (unsigned distance = 1; distance < size; distance *= 2) {
        std::copy_n(out, size, before);
        for (unsigned r = distance; r < size; ++r) out[r] = combine(op, before[r], before[r - distance]);
      }
    }
    for (unsigned r = 0; r < size; ++r) {
      T value = out[r];
      if (shape == Shape::Reduce && !isTile) value = out[size - 1];
      if (shape == Shape::Exclusive) value = r == 0 ? T(0) : out[r - 1];
      put<T>(result, lane[r], value);
    }
  }
  return 0;
}

template <class T, ReduceOp op, Shape shape>
uint32_t reduction(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  return inOrder<T>(results[0], args, lanes, op, shape);
}
template <class T, Shape shape>
uint32_t groupReduction(void* const* results, const void* const* args, const ExchangeLanes& lanes) {
  return inSteps<T>(results[0], args, lanes, shape);
}

template <class T, Shape shape> ExchangeFunction withOp(std::string_view op) {
  if (op == "add") return &reduction<T, ReduceOp::Add, shape>;
  if (op == "mul") return &reduction<T, ReduceOp::Mul, shape>;
  if (op == "min") return &reduction<T, ReduceOp::Min, shape>;
  if (op == "max") return &reduction<T, ReduceOp::Max, shape>;
  if constexpr (!math::isFloat<T>) {
    if (op == "and") return &reduction<T, ReduceOp::And, shape>;
    if (op == "or") return &reduction<T, ReduceOp::Or, shape>;
    if (op == "xor") return &reduction<T, ReduceOp::Xor, shape>;
    if (op == "logical_and") return &reduction<T, ReduceOp::LogicalAnd, shape>;
    if (op == "logical_or") return &reduction<T, ReduceOp::LogicalOr, shape>;
    if (op == "logical_xor") return &reduction<T, ReduceOp::LogicalXor, shape>;
  }
  return nullptr;
}

bool take(std::string_view& id, std::string_view prefix) {
  if (!id.starts_with(prefix)) return false;
  id.remove_prefix(prefix.size());
  return true;
}

template <class T> ExchangeFunction reductionOf(std::string_view id, size_t args) {
  if (id == "group_reduce") return &groupReduction<T, Shape::Reduce>;
  if (id == "group_inclusive_scan") return &groupReduction<T, Shape::Inclusive>;
  if (id == "group_exclusive_scan") return &groupReduction<T, Shape::Exclusive>;
  if (id.starts_with("reduce_") && id.ends_with("_sync")) {
    id.remove_suffix(5);
    return args == 1 ? withOp<T, Shape::Reduce>(id.substr(7)) : nullptr;
  }
  if (!take(id, "sub_group_")) return nullptr;
  if (take(id, "clustered_reduce_")) return args == 2 ? withOp<T, Shape::Clustered>(id) : nullptr;
  take(id, "non_uniform_");
  if (args != 1) return nullptr;
  if (take(id, "reduce_")) return withOp<T, Shape::Reduce>(id);
  if (take(id, "scan_inclusive_")) return withOp<T, Shape::Inclusive>(id);
  if (take(id, "scan_exclusive_")) return withOp<T, Shape::Exclusive>(id);
  return nullptr;
}

}  // namespace

ExchangeFunction findReduction(std::string_view id, std::span<const Scalar> args,
                               std::span<const Scalar> results) {
  if (args.empty() || results.size() != 1 || args[0] != results[0]) return nullptr;
  if (args.size() == 2 && isWide(args[1])) return nullptr;
  switch (args[0]) {
    case Scalar::I8: return reductionOf<int8_t>(id, args.size());
    case Scalar::U8: return reductionOf<uint8_t>(id, args.size());
    case Scalar::I16: return reductionOf<int16_t>(id, args.size());
    case Scalar::U16: return reductionOf<uint16_t>(id, args.size());
    case Scalar::I32: return reductionOf<int32_t>(id, args.size());
    case Scalar::U32: return reductionOf<uint32_t>(id, args.size());
    case Scalar::I64: return reductionOf<int64_t>(id, args.size());
    case Scalar::U64: return reductionOf<uint64_t>(id, args.size());
    case Scalar::F16: return reductionOf<Half>(id, args.size());
    case Scalar::BF16: return reductionOf<BFloat>(id, args.size());
    case Scalar::F32: return reductionOf<float>(id, args.size());
    case Scalar::F64: return reductionOf<double>(id, args.size());
    case Scalar::Bool: return nullptr;
  }
  return nullptr;
}

}  // namespace hone::sim::exchange
