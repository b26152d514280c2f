// What a thread holds while threads put their values together: a number that is known, or of which threads
// the values are in it.
#pragma once

#include <bitset>

#include "passes/reduce/ReductionLoop.h"

namespace hone::passes {

constexpr unsigned mostTreeThreads = 1024;
using ThreadSet = std::bitset<mostTreeThreads>;

// Whether a value that is put in several times counts once.
bool isIdempotent(Combine how);

enum class TreeKind : uint8_t {
  Garbage,  // what nobody may use: never written, or values of a thread twice
  Number,   // an integer that is known
  Real,     // a floating-point number that is known
  Pointer,  // into shared memory
  Values    // one value of each thread of a set, put together
};

struct TreeValue {
  TreeKind kind = TreeKind::Garbage;
  int64_t number = 0;  // Number; Pointer: the element
  double real = 0;
  const ir::Variable* array = nullptr;  // Pointer
  // Values: which expression it is that each thread has worked out, and how several became one.
  unsigned input = 0;
  bool isJoined = false;
  Combine how = Combine::Add;
  const ir::Intrinsic* call = nullptr;  // Min, Max: by this function; null: by comparison
  bool isBounded = false;               // an infinity is in it too, which stays where all others are NaN
  ThreadSet threads;

  bool is(TreeKind k) const { return kind == k; }
  bool isKnown() const { return is(TreeKind::Number) || is(TreeKind::Real); }

  static TreeValue ofNumber(int64_t value) {
    TreeValue out;
    out.kind = TreeKind::Number;
    out.number = value;
    return out;
  }
  static TreeValue ofReal(double value) {
    TreeValue out;
    out.kind = TreeKind::Real;
    out.real = value;
    return out;
  }
  static TreeValue ofThread(unsigned input, unsigned thread) {
    TreeValue out;
    out.kind = TreeKind::Values;
    out.input = input;
    out.threads.set(thread);
    return out;
  }
};

// Two values put together in this type; nothing: that is no step of a tree. Known numbers go together with
// values where they leave them as they are.
std::optional<TreeValue> joined(const TreeValue& a, const TreeValue& b, Combine how, const ir::Type& type,
                                const ir::Intrinsic* call = nullptr);

// What `left test right ? whenTrue : otherwise` is: one of the two, by comparison; nothing: something else.
struct TreeExtreme {
  Combine how = Combine::Max;
};
std::optional<TreeExtreme> extremeBetween(const ir::Binary& test, const TreeValue& left,
                                          const TreeValue& right, const TreeValue& whenTrue,
                                          const TreeValue& otherwise);

// What an operator, or a function of two arguments, puts together.
std::optional<Combine> combineBy(ir::BinaryOp op);
std::optional<Combine> combineBy(const ir::Intrinsic& function);

}  // namespace hone::passes
