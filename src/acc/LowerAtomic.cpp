#include "acc/LowerAtomic.h"

#include <optional>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::acc {

using namespace ir;
using frontend::AccAtomicKind;

namespace {

// With a place read as a value, and temporaries as what they stand for.
class PlaceAsValue : public Rewriter {
 public:
  PlaceAsValue(const ExprPtr& thePlace, const ExprPtr& theValue,
               const std::map<const Variable*, ExprPtr>& theNames)
      : place(thePlace), value(theValue), names(theNames) {}
  using Rewriter::rewrite;
  ExprPtr rewrite(const ExprPtr& e) override {
    if (e && isPlace(*e) && equal(e, place)) return value;
    if (const auto* var = as<VarRef>(e))
      if (auto found = names.find(var->var.get()); found != names.end()) return found->second;
    return Rewriter::rewrite(e);
  }

 private:
  const ExprPtr &place, &value;
  const std::map<const Variable*, ExprPtr>& names;
};

bool holdsPlace(const ExprPtr& e, const ExprPtr& place) {
  bool found = false;
  walkExprs(e, [&](const Expr& node) {
    if (!found && node.type && isPlace(node) && sameType(*node.type, *place->type))
      found = equal(makeExpr(node.type, node.node, node.loc), place);
  });
  return found;
}

// What the construct does: reads the place, gives it a value made of the old one (null: only reads), and
// assigns other places values made of the old one.
struct Change {
  ExprPtr place;
  ExprPtr result;              // over `old`
  std::optional<BinaryOp> op;  // result is old op operand
  ExprPtr operand;
  std::vector<std::pair<StmtPtr, ExprPtr>> captured;  // assignments with their values over `old`
  VarPtr old;
};

class AtomicLowerer {
 public:
  AtomicLowerer(WorkRegion& theWork, const StmtPtr& theBlock, AccAtomicKind theKind)
      : work(theWork), held(theBlock), kind(theKind), loc(theBlock->loc) {}

  ExprPtr findPlace() {
    std::vector<const Assign*> assignments;
    collect(held, assignments);
    if (assignments.empty()) throw Refused{"internal: an atomic construct holds no assignment", loc};
    if (kind == AccAtomicKind::Read) {
      ExprPtr read = withoutCasts(assignments.back()->value);
      if (!isPlace(*read)) throw Refused{"internal: an atomic read reads no place of memory", loc};
      return read;
    }
    if (kind != AccAtomicKind::Capture) return assignments.back()->place;
    // Captured is the place that another assignment reads.
    for (const Assign* other : assignments)
      for (const Assign* one : assignments)
        if (one != other && equal(withoutCasts(other->value), one->place)) return one->place;
    for (const Assign* one : assignments)
      for (const Assign* other : assignments)
        if (one != other && !equal(one->place, other->place) && holdsPlace(other->value, one->place))
          return one->place;
    for (const StmtPtr& s : stmtsOf(held))
      if (const auto* d = as<Declare>(s); d && d->init)
        for (const Assign* one : assignments)
          if (holdsPlace(d->init, one->place)) return one->place;
    throw Refused{"internal: an atomic capture captures nothing that it changes", loc};
  }

  StmtList lower(const ExprPtr& place) {
    const TypePtr& type = place->type;
    if (bitField(*place)) throw Refused{"an atomic construct changes a bit-field", loc};
    if (!type->isArithmetic() && !type->isPointer())
      throw Refused{"internal: an atomic construct changes what is no number", loc};
    Change change = changeOf(place);
    StmtList out;
    if (!change.result)
      read(out, change);
    else if (!direct(out, change))
      loop(out, change);
    for (const auto& [s, value] : change.captured) {
      const auto& assignment = *as<Assign>(s);
      out.push_back(makeStmt(Assign{assignment.place, assignment.op, value}, s->loc));
    }
    return {block(std::move(out), loc)};
  }

 private:
  static StmtList stmtsOf(const StmtPtr& s) {
    StmtList result;
    for (const StmtPtr& one : meantOf(s)) {
      if (!one->is<Block>())
        result.push_back(one);
      else
        for (const StmtPtr& inner : stmtsOf(one)) result.push_back(inner);
    }
    return result;
  }
  void collect(const StmtPtr& s, std::vector<const Assign*>& out) {
    for (const StmtPtr& one : stmtsOf(s)) {
      if (const auto* a = as<Assign>(one))
        out.push_back(a);
      else if (!one->is<Declare>())
        throw Refused{"internal: an atomic construct holds more than assignments", one->loc};
    }
  }

  Change changeOf(const ExprPtr& place) {
    Change change;
    change.place = place;
    change.old = work.names.local("old", place->type);
    std::map<const Variable*, ExprPtr> names;
    ExprPtr now = ref(change.old);
    for (const StmtPtr& s : stmtsOf(held)) {
      auto over = [&](const ExprPtr& e) { return PlaceAsValue(place, now, names).rewrite(e); };
      if (const auto* d = as<Declare>(s)) {
        if (d->init) names[d->var.get()] = over(d->init);
        continue;
      }
      const auto& a = *as<Assign>(s);
      if (const auto* temporary = as<VarRef>(a.place); temporary && names.contains(temporary->var.get())) {
        names[temporary->var.get()] = over(a.value);
      } else if (kind != AccAtomicKind::Read && equal(a.place, place)) {
        noteOperator(change, a, place);
        const ExprPtr value = over(a.value);
        now = convert(a.op ? binary(*a.op, now, value) : value, place->type);
        if (change.op) change.operand = over(change.operand);
        change.result = now;
      } else {
        change.captured.emplace_back(s, over(a.value));
      }
    }
    return change;
  }

  // x = x op e, x = e op x where that is the same; only where the type computed in is that of the place.
  void noteOperator(Change& change, const Assign& a, const ExprPtr& place) {
    if (change.result) throw Refused{"internal: an atomic construct changes its place twice", loc};
    if (a.op) {
      if (sameType(a.value->type, place->type)) change.op = a.op, change.operand = a.value;
      return;
    }
    const auto* node = as<Binary>(a.value);
    if (!node || !sameType(a.value->type, place->type)) return;
    const bool commutes = node->op == BinaryOp::Add || node->op == BinaryOp::BitAnd ||
                          node->op == BinaryOp::BitOr || node->op == BinaryOp::BitXor;
    if (isPlace(*node->lhs) && equal(node->lhs, place) && !holdsPlace(node->rhs, place))
      change.op = node->op, change.operand = node->rhs;
    else if (commutes && isPlace(*node->rhs) && equal(node->rhs, place) && !holdsPlace(node->lhs, place))
      change.op = node->op, change.operand = node->lhs;
  }

  ExprPtr address(const ExprPtr& place, const TypePtr& as) const {
    ExprPtr at = addressOf(place, Space::Generic, loc);
    if (sameType(place->type, as)) return at;
    return makeExpr(pointerType(as, at->type->space), Cast{at, true}, loc);
  }
  ExprPtr call(const char* id, const TypePtr& type, std::vector<ExprPtr> args) const {
    return makeExpr(type, Call{&intrinsic(id), nullptr, std::move(args), "", {}}, loc);
  }
  bool usesOld(const Change& change) const {
    for (const auto& [s, value] : change.captured)
      if (mentions(value, change.old.get())) return true;
    return false;
  }

  // One of the platform's atomic functions.
  bool direct(StmtList& out, const Change& change) {
    const TypePtr& type = change.place->type;
    const bool isInt = type->is(TypeKind::Int), isWord = type->bits == 32 || type->bits == 64;
    if (!isWord || (!isInt && !type->is(TypeKind::Float))) return false;
    if (change.op && mentions(change.operand, change.old.get())) return false;
    const TypePtr whole = isInt && type->bits == 64 ? uint64() : type;
    const char* id = nullptr;
    ExprPtr operand = change.operand;
    if (change.op) {
      switch (*change.op) {
        case BinaryOp::Add: id = "atomic_add"; break;
        case BinaryOp::Sub:
          id = "atomic_add";
          operand = unary(UnaryOp::Neg, operand);
          break;
        case BinaryOp::BitAnd: id = "atomic_and"; break;
        case BinaryOp::BitOr: id = "atomic_or"; break;
        case BinaryOp::BitXor: id = "atomic_xor"; break;
        default: return false;
      }
    } else if (!mentions(change.result, change.old.get()) && (isInt || type->bits == 32)) {
      id = "atomic_xchg";
      operand = change.result;
    } else {
      return false;
    }
    ExprPtr value = call(id, whole, {address(change.place, whole), convert(operand, whole)});
    if (!usesOld(change)) {
      out.push_back(makeStmt(Eval{value}, loc));
      return true;
    }
    if (sameType(whole, type)) {
      out.push_back(makeStmt(Declare{change.old, value}, loc));
    } else {
      VarPtr bits = work.names.local("was", whole);
      out.push_back(makeStmt(Declare{bits, value}, loc));
      out.push_back(makeStmt(Declare{change.old, convert(ref(bits), type)}, loc));
    }
    return true;
  }

  // The bits of a value as an integer of a word, and back.
  ExprPtr bitsOf(const ExprPtr& value, const TypePtr& bits) const {
    const Type& type = *value->type;
    if (type.is(TypeKind::Float) && type.bits == 32) return call("as", bits, {value});
    if (type.is(TypeKind::Float) && type.bits == 64) return convert(call("as", int64(), {value}), bits);
    if (type.is(TypeKind::Float)) return call("as", intType(16, false), {value});
    return convert(value, bits, type.isPointer());
  }
  ExprPtr valueOf(const ExprPtr& bits, const TypePtr& type) const {
    if (type->is(TypeKind::Float) && type->bits == 32) return call("as", type, {bits});
    if (type->is(TypeKind::Float) && type->bits == 64) return call("as", type, {convert(bits, int64())});
    if (type->is(TypeKind::Float)) return call("as", type, {bits});
    return convert(bits, type, type->isPointer());
  }

  // Where the place's word lies, and how the place lies in it.
  struct Word {
    TypePtr bits;  // of the place
    TypePtr word;  // what is swapped
    ExprPtr at;    // its address
    VarPtr shift;  // null: the place is the word
  };
  Word wordOf(StmtList& out, const ExprPtr& place) {
    const uint64_t bytes = sizeOf(*place->type);
    Word word;
    word.bits = intType(static_cast<unsigned>(8 * bytes), false);
    word.word = bytes < 2 ? uint32() : word.bits;
    if (bytes >= 2) {
      word.at = address(place, word.word);
      return word;
    }
    VarPtr at = work.names.local("at", uint64(), true);
    out.push_back(makeStmt(
        Declare{at, makeExpr(uint64(), Cast{addressOf(place, Space::Generic, loc), true}, loc)}, loc));
    word.shift = work.names.local("shift", uint32(), true);
    const ExprPtr within = binary(BinaryOp::BitAnd, ref(at), intLit(3, uint64()));
    out.push_back(makeStmt(Declare{word.shift, convert(times(within, intLit(8, uint64())), uint32())}, loc));
    word.at = makeExpr(pointerType(word.word, Space::Generic),
                       Cast{binary(BinaryOp::BitAnd, ref(at), intLit(-4, uint64())), true}, loc);
    return word;
  }
  ExprPtr within(const Word& word, const ExprPtr& value) const {
    if (!word.shift) return value;
    return convert(binary(BinaryOp::Shr, value, ref(word.shift)), word.bits);
  }

  // Compare-and-swap with a word that is not there changes nothing and tells what is.
  void read(StmtList& out, const Change& change) {
    const Word word = wordOf(out, change.place);
    VarPtr seen = work.names.local("seen", word.word);
    const ExprPtr zero = intLit(0, word.word);
    out.push_back(makeStmt(Declare{seen, call("atomic_cmpxchg", word.word, {word.at, zero, zero})}, loc));
    out.push_back(makeStmt(Declare{change.old, valueOf(within(word, ref(seen)), change.place->type)}, loc));
  }

  void loop(StmtList& out, const Change& change) {
    const Word word = wordOf(out, change.place);
    VarPtr seen = work.names.local("seen", word.word), assumed = work.names.local("assumed", word.word);
    const ExprPtr zero = intLit(0, word.word);
    out.push_back(makeStmt(Declare{seen, call("atomic_cmpxchg", word.word, {word.at, zero, zero})}, loc));
    out.push_back(makeStmt(Declare{assumed, ref(seen)}, loc));
    const TypePtr& type = change.place->type;
    out.push_back(makeStmt(Declare{change.old, valueOf(within(word, ref(seen)), type)}, loc));
    StmtList body = {assign(ref(assumed), ref(seen), loc),
                     assign(ref(change.old), valueOf(within(word, ref(assumed)), type), loc)};
    ExprPtr next = bitsOf(change.result, word.bits);
    if (word.shift) {
      const ExprPtr mask =
          binary(BinaryOp::Shl, intLit((int64_t{1} << word.bits->bits) - 1, uint32()), ref(word.shift));
      const ExprPtr rest = binary(BinaryOp::BitAnd, ref(assumed), unary(UnaryOp::BitNot, mask));
      next = binary(BinaryOp::BitOr, rest, binary(BinaryOp::Shl, convert(next, uint32()), ref(word.shift)));
    }
    body.push_back(assign(ref(seen), call("atomic_cmpxchg", word.word, {word.at, ref(assumed), next}), loc));
    out.push_back(
        makeStmt(DoWhile{block(std::move(body), loc), binary(BinaryOp::Ne, ref(seen), ref(assumed))}, loc));
  }

  WorkRegion& work;
  const StmtPtr& held;
  const AccAtomicKind kind;
  const SourceLoc loc;
};

}  // namespace

StmtList lowerAtomic(WorkRegion& work, const StmtPtr& block, AccAtomicKind kind, const IsMemory& isMemory) {
  AtomicLowerer lowerer(work, block, kind);
  const ExprPtr place = lowerer.findPlace();
  const Variable* var = storageOf(*place);
  if (var && !isMemory(*var)) return {block};
  return lowerer.lower(place);
}

}  // namespace hone::acc
