// Which memory threads touched since they last met at a barrier, and so where they have to meet again.
#pragma once

#include <functional>
#include <set>

#include "ir/Stmt.h"

namespace hone::acc {

/// Memory that statements touch, by the variable it is reached through: a shared variable, an object of the
/// device, a global; null: memory behind pointers.
struct Touches {
  std::set<const ir::Variable*> reads, writes;
  void add(const Touches& other);
  bool none() const { return reads.empty() && writes.empty(); }
};

/// Says of a variable whether its storage is memory that other threads see.
using IsMemory = std::function<bool(const ir::Variable&)>;
Touches touchesOf(const ir::StmtPtr& s, const IsMemory& isMemory);
Touches touchesOf(const ir::StmtList& stmts, const IsMemory& isMemory);
Touches touchesOf(const ir::ExprPtr& e, const IsMemory& isMemory);

/// The thread that does what is done once, or several threads.
enum class By : uint8_t { One, Many };

class Hazards {
 public:
  /// Shared variables whose address is taken, which pointers may lead to, and objects that may lie in others.
  explicit Hazards(const std::set<const ir::Variable*>* escapedVariables) : escaped(escapedVariables) {}
  bool needsBarrier(By by, const Touches& touches) const;
  void add(By by, const Touches& touches);
  void join(const Hazards& other);
  void clear();

 private:
  bool meet(const std::set<const ir::Variable*>& a, const std::set<const ir::Variable*>& b) const;

  const std::set<const ir::Variable*>* escaped;
  Touches byOne, byMany;
};

}  // namespace hone::acc
