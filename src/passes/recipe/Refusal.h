// The one way in which a pass says no.
//
//   return Refusal{"the loop does not count", loop.loc};           from what returns a Result or an Obstacle
//   if (auto made = make(…); !made) return made.refusal();         passes one on
//   if (Obstacle no = obstacle(…)) return *no;                     the same where nothing is made
//   refuse("the loop does not count", loop.loc);                   inside refusing(…): out of a deep
//   recursion
//
// The reason is a literal or fmt::format of one, so that test/refusals.py finds a test for each.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "ir/Kernel.h"
#include "ir/SourceLoc.h"

namespace hone::passes {

struct Refusal {
  std::string reason;        // as it is printed behind "left alone: "
  ir::SourceLoc place = {};  // not valid: the kernel's own
};

// What stands in the way; nothing: nothing does.
using Obstacle = std::optional<Refusal>;

// What no input should lead to: a fault of hone's own, which needs no test.
inline Refusal unexpected(const std::string& what, ir::SourceLoc place = {}) {
  return {"internal: unexpected " + what + "; please report", place};
}

// A value, or why there is none. A null pointer is a value: what may be absent without a refusal is a
// Result<std::optional<…>>, or a Result of a pointer.
template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<std::remove_cv_t<T>, Refusal> && !std::is_void_v<T>, "that is an Obstacle");

 public:
  template <class U = T>
    requires(std::is_convertible_v<U, T> && !std::same_as<std::remove_cvref_t<U>, Result> &&
             !std::same_as<std::remove_cvref_t<U>, Refusal>)
  Result(U&& value) : held(std::in_place_index<0>, std::forward<U>(value)) {}
  Result(Refusal refusal) : held(std::in_place_index<1>, std::move(refusal)) {}

  explicit operator bool() const { return held.index() == 0; }

  T& operator*() & { return std::get<0>(held); }
  const T& operator*() const& { return std::get<0>(held); }
  T&& operator*() && { return std::get<0>(std::move(held)); }
  T* operator->() { return &std::get<0>(held); }
  const T* operator->() const { return &std::get<0>(held); }

  const Refusal& refusal() const& { return std::get<1>(held); }
  Refusal&& refusal() && { return std::get<1>(std::move(held)); }

 private:
  std::variant<T, Refusal> held;
};

// How a pointer says that nothing else points to what it does.
inline const char* restrictWord(ir::Language language) {
  return language == ir::Language::OpenCL ? "restrict" : "__restrict__";
}

// Thrown by refuse and orRefuse, caught by refusing and by nothing else.
struct ThrownRefusal {
  Refusal refusal;
};

[[noreturn]] inline void refuse(Refusal refusal) { throw ThrownRefusal{std::move(refusal)}; }
[[noreturn]] inline void refuse(std::string reason, ir::SourceLoc place = {}) {
  refuse(Refusal{std::move(reason), place});
}

// The value; inside refusing.
template <class T>
T orRefuse(Result<T> result) {
  if (!result) refuse(std::move(result).refusal());
  return *std::move(result);
}
inline void orRefuse(Obstacle obstacle) {
  if (obstacle) refuse(*std::move(obstacle));
}

namespace detail {
template <class T>
struct Refusing {
  using Type = Result<T>;
};
template <class T>
struct Refusing<Result<T>> {
  using Type = Result<T>;
};
template <>
struct Refusing<void> {
  using Type = Obstacle;
};
template <>
struct Refusing<Obstacle> {
  using Type = Obstacle;
};
}  // namespace detail

// For engines that rewrite recursively, where each level would only pass a refusal on: runs `engine`, which
// may call refuse at any depth, and returns what it returns (nothing, a T, or a Result<T>) or the refusal.
template <class Engine>
auto refusing(Engine&& engine) -> typename detail::Refusing<std::invoke_result_t<Engine>>::Type {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Engine>>) {
      std::forward<Engine>(engine)();
      return std::nullopt;
    } else {
      return std::forward<Engine>(engine)();
    }
  } catch (ThrownRefusal& thrown) {
    return std::move(thrown.refusal);
  }
}

}  // namespace hone::passes
