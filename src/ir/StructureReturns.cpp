#include "ir/StructureReturns.h"

#include "ir/StmtsOf.h"
#include "ir/Walk.h"

namespace hone::ir {

namespace {

// Deeper nests of else branches than this read worse than a loop that is left.
constexpr int maxTailDepth = 6;

bool alwaysReturns(const StmtList& list);

bool alwaysReturns(const StmtPtr& s) {
  if (!s) return false;
  if (s->is<Return>()) return true;
  if (const auto* list = as<Block>(s)) return alwaysReturns(list->stmts);
  const auto* choice = as<If>(s);
  return choice && choice->otherwise && alwaysReturns(choice->then) && alwaysReturns(choice->otherwise);
}

bool alwaysReturns(const StmtList& list) {
  for (const StmtPtr& s : list)
    if (alwaysReturns(s)) return true;
  return false;
}

StmtList joined(StmtList first, StmtList::const_iterator from, StmtList::const_iterator to) {
  first.insert(first.end(), from, to);
  return first;
}

bool tail(const StmtList& list, int depth) {
  if (depth > maxTailDepth) return false;
  for (auto it = list.begin(); it != list.end(); ++it) {
    const StmtPtr& s = *it;
    if (!containsReturn(s)) continue;
    if (s->is<Return>()) return true;
    const bool isLast = it + 1 == list.end();
    if (const auto* inner = as<Block>(s))
      return (isLast || alwaysReturns(inner->stmts)) && tail(inner->stmts, depth);
    const auto* choice = as<If>(s);
    if (!choice) return false;
    StmtList then = stmtsOf(choice->then), otherwise = stmtsOf(choice->otherwise);
    if (isLast) return tail(then, depth + 1) && tail(otherwise, depth + 1);
    if (alwaysReturns(then))
      return tail(then, depth + 1) && tail(joined(otherwise, it + 1, list.end()), depth + 1);
    if (alwaysReturns(otherwise))
      return tail(otherwise, depth + 1) && tail(joined(then, it + 1, list.end()), depth + 1);
    return false;
  }
  return true;
}

void assignResult(StmtList& out, const StmtPtr& s, const ExprPtr& result) {
  const auto* ret = as<Return>(s);
  if (ret->value && result) out.push_back(assign(result, ret->value, s->loc));
}

StmtPtr branches(const If& choice, StmtList then, StmtList otherwise, SourceLoc loc) {
  if (then.empty() && !otherwise.empty())
    return makeStmt(
        If{unary(UnaryOp::Not, choice.cond, choice.cond->loc), block(std::move(otherwise), loc), nullptr},
        loc);
  StmtPtr second = otherwise.empty() ? nullptr : block(std::move(otherwise), loc);
  return makeStmt(If{choice.cond, block(std::move(then), choice.then->loc), std::move(second)}, loc);
}

// Replaces returns below a wrapping loop. `nested`: a loop or switch of the body is between.
class ReturnBreaker {
 public:
  ReturnBreaker(ExprPtr resultPlace, ExprPtr flagPlace)
      : result(std::move(resultPlace)), flag(std::move(flagPlace)) {}

  StmtList list(const StmtList& stmts, bool nested) {
    StmtList out;
    for (const StmtPtr& s : stmts) {
      if (!containsReturn(s)) {
        out.push_back(s);
        continue;
      }
      one(s, nested, out);
      if (s->is<Return>()) break;  // what follows is never reached
    }
    return out;
  }

 private:
  StmtPtr body(const StmtPtr& s, bool nested) {
    return s ? block(list(stmtsOf(s), nested), s->loc) : nullptr;
  }

  void one(const StmtPtr& s, bool nested, StmtList& out) {
    if (s->is<Return>()) {
      assignResult(out, s, result);
      if (nested) out.push_back(assign(flag, boolLit(true), s->loc));
      out.push_back(makeStmt(Break{}, s->loc));
      return;
    }
    if (s->is<Block>()) return out.push_back(body(s, nested));
    if (const auto* choice = as<If>(s)) {
      return out.push_back(
          makeStmt(If{choice->cond, body(choice->then, nested), body(choice->otherwise, nested)}, s->loc));
    }
    if (const auto* loop = as<For>(s)) {
      For copy = *loop;
      copy.body = body(loop->body, true);
      out.push_back(makeStmt(std::move(copy), s->loc));
    } else if (const auto* loopWhile = as<While>(s)) {
      out.push_back(makeStmt(While{loopWhile->cond, body(loopWhile->body, true), loopWhile->unroll}, s->loc));
    } else if (const auto* loopDo = as<DoWhile>(s)) {
      out.push_back(makeStmt(DoWhile{body(loopDo->body, true), loopDo->cond, loopDo->unroll}, s->loc));
    } else if (const auto* choiceOfMany = as<Switch>(s)) {
      Switch copy = *choiceOfMany;
      for (SwitchCase& c : copy.cases) c.body = list(c.body, true);
      out.push_back(makeStmt(std::move(copy), s->loc));
    }
    // The break left that loop only; leave the next one too.
    out.push_back(makeStmt(If{flag, block({makeStmt(Break{}, s->loc)}, s->loc), nullptr}, s->loc));
  }

  ExprPtr result, flag;
};

}  // namespace

bool containsReturn(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& stmt) { found |= stmt.is<Return>(); });
  return found;
}

LastReturn lastReturn(const StmtList& body) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (!containsReturn(body[i])) continue;
    const auto* ret = as<Return>(body[i]);
    if (!ret || i + 1 != body.size()) return {false, nullptr};
    return {true, ret->value};
  }
  return {true, nullptr};
}

bool hasTailReturns(const StmtList& body) { return tail(body, 0); }

StmtList assignTailReturns(const StmtList& body, const ExprPtr& result) {
  StmtList out;
  for (auto it = body.begin(); it != body.end(); ++it) {
    const StmtPtr& s = *it;
    if (!containsReturn(s)) {
      out.push_back(s);
      continue;
    }
    if (s->is<Return>()) {
      assignResult(out, s, result);
      return out;
    }
    if (const auto* inner = as<Block>(s)) {
      out.push_back(block(assignTailReturns(inner->stmts, result), s->loc));
      return out;
    }
    const auto& choice = *as<If>(s);
    StmtList then = stmtsOf(choice.then), otherwise = stmtsOf(choice.otherwise);
    if (it + 1 != body.end()) {
      StmtList& open = alwaysReturns(then) ? otherwise : then;
      open = joined(std::move(open), it + 1, body.end());
    }
    out.push_back(
        branches(choice, assignTailReturns(then, result), assignTailReturns(otherwise, result), s->loc));
    return out;
  }
  return out;
}

bool needsFlag(const StmtList& body) {
  for (const StmtPtr& s : body) {
    if (!containsReturn(s) || s->is<Return>()) continue;
    if (const auto* inner = as<Block>(s)) {
      if (needsFlag(inner->stmts)) return true;
    } else if (const auto* choice = as<If>(s)) {
      if (needsFlag(stmtsOf(choice->then)) || needsFlag(stmtsOf(choice->otherwise))) return true;
    } else {
      return true;
    }
  }
  return false;
}

StmtPtr breakOnReturns(const StmtList& body, const ExprPtr& result, const ExprPtr& returned) {
  StmtList stmts = ReturnBreaker(result, returned).list(body, false);
  if (!stmts.empty() && stmts.back()->is<Break>()) stmts.pop_back();
  return makeStmt(DoWhile{block(std::move(stmts)), boolLit(false), 0});
}

}  // namespace hone::ir
