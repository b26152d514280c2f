// What a value or condition of a kernel is for one thread of the block: its coordinates put in as numbers.
#pragma once

#include <unordered_map>

#include "affine/KernelModel.h"

namespace hone::analysis {

class ThreadCond;

// Two threads that get equal values here have equal ones whenever both are in the same iteration of all
// loops: what may differ between threads for reasons not known gets a name of its own for each. Questions
// about one model share an object of this class, which keeps what it worked out; the model must stay as it is
// while the object lives.
class PerThread {
 public:
  explicit PerThread(const affine::KernelModel& model);
  ~PerThread();
  PerThread(const PerThread&) = delete;

  // One for all conditions that are written alike.
  ThreadCond& condition(const affine::CondPtr& cond);

  // A polynomial without a constant, by its number among those met, and the constant.
  struct Value {
    unsigned symbolic = 0;
    int64_t number = 0;
    friend bool operator==(const Value&, const Value&) = default;
  };
  const affine::Poly& symbolic(unsigned id) const { return symbols[id].poly; }

  std::array<unsigned, 3> coordinates(unsigned thread) const;

  // The first value below that may differ between any two threads, null when there is none.
  const affine::Atom* unrelated(const affine::Poly& value) const;

  const affine::KernelModel& model;

 private:
  friend class ThreadValue;
  friend class ThreadCond;
  struct Symbolic {
    affine::Poly poly;
    affine::Range range;
    int64_t content = 0;
  };
  Value intern(const affine::Poly& value);
  affine::Poly substitute(const affine::Poly& value, unsigned thread);
  // Equal for threads that a variation does not tell apart.
  unsigned tagOf(const affine::Variation& varies, unsigned thread) const;

  affine::Atoms& atoms;
  std::array<affine::AtomId, 3> axis;
  std::vector<Symbolic> symbols;  // 0: the polynomial 0
  std::map<affine::Poly, unsigned> ids;
  std::map<std::pair<affine::AtomId, unsigned>, affine::Poly> named;  // by atom and tag
  std::map<std::string, std::unique_ptr<ThreadCond>> conditions;
};

// A polynomial, asked about for one thread after the other.
class ThreadValue {
 public:
  ThreadValue(PerThread& perThread, const affine::Poly& value);
  PerThread::Value at(unsigned thread);
  // Holds something that is named by thread: beyond its name nothing can be told of it.
  bool isNamed() const { return named; }
  // Equal for threads that have equal values.
  unsigned tagOf(unsigned thread) const { return perThread.tagOf(all, thread); }

 private:
  PerThread& perThread;
  affine::Variation all;  // of the whole value
  bool named = false;
  std::array<int64_t, 3> factor{};                       // of threadIdx, as numbers
  affine::Poly uniform, rest;                            // the rest must be worked out
  affine::Variation varies;                              // of the rest
  std::unordered_map<unsigned, PerThread::Value> known;  // by tag
};

// A condition, asked about for one thread after the other.
class ThreadCond {
 public:
  ThreadCond(PerThread& perThread, const affine::CondPtr& cond);

  // What is left of it: decided, or comparisons that may hold or not. Equal states hold together.
  struct State {
    std::optional<bool> decided;
    std::vector<PerThread::Value> open;
    friend bool operator==(const State& a, const State& b) {
      return a.decided || b.decided ? a.decided == b.decided : a.open == b.open;
    }
  };
  const State& at(unsigned thread);

 private:
  struct Part {
    affine::CondPtr cond;
    std::vector<Part> parts;
    std::vector<ThreadValue> value;  // one, of comparisons
  };
  Part partOf(const affine::CondPtr& cond);
  std::optional<bool> evaluate(Part& part, unsigned thread, State& state);

  PerThread& perThread;
  affine::Variation varies;
  Part root;
  std::unordered_map<unsigned, State> known;  // by tag
};

// Whether a condition names a value, or holds an unknown part, that differs between threads.
bool mayDiffer(const affine::Atoms& atoms, const affine::CondPtr& cond);

}  // namespace hone::analysis
