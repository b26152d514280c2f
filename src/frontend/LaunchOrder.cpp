#include "frontend/LaunchOrder.h"

#include <algorithm>
#include <map>
#include <set>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace hone::frontend {

using namespace clang;

namespace {

/// What the evaluation of an expression does and depends on.
struct Effects {
  bool acts = false;                       // does something that others may see
  bool readsShared = false;                // reads what a function may change that is called meanwhile
  std::set<const VarDecl*> reads, writes;  // of the function's own variables
};

/// Whether evaluating `other` meanwhile could change what `one` does or gives.
bool disturbs(const Effects& other, const Effects& one) {
  if (other.acts && (one.acts || one.readsShared)) return true;
  return std::any_of(other.writes.begin(), other.writes.end(),
                     [&](const VarDecl* v) { return one.reads.contains(v) || one.writes.contains(v); });
}

bool isConstantVariable(const VarDecl& v) {
  const QualType type = v.getType();
  return v.isConstexpr() || (type.isConstQualified() && !type.isVolatileQualified());
}

llvm::StringRef plainName(const FunctionDecl& fn) {
  return fn.getDeclName().isIdentifier() ? fn.getName() : llvm::StringRef();
}

bool isInSystem(const Decl& d) {
  return d.getASTContext().getSourceManager().isInSystemHeader(d.getLocation());
}

/// Functions of libraries that compute a number from numbers.
bool computesOnly(llvm::StringRef name) {
  return name.starts_with("make_") ||
         llvm::StringSwitch<bool>(name)
             .Cases({"ceil", "ceilf", "floor", "floorf", "sqrt", "sqrtf", "round", "roundf"}, true)
             .Cases({"log2", "log2f", "log", "logf", "log10", "pow", "powf", "exp", "expf", "exp2"}, true)
             .Cases({"min", "max", "abs", "fabs", "fabsf", "fmin", "fmax", "fminf", "fmaxf", "labs"}, true)
             .Cases({"sin", "sinf", "cos", "cosf", "tan", "tanf", "atan", "atan2", "fmod", "fmodf"}, true)
             .Default(false);
}

/// Members of containers and pointers of libraries that only say what they hold.
bool onlyTells(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"data", "get", "begin", "end", "front", "back", "at"}, true)
      .Cases({"raw_pointer_cast", "addressof", "forward", "move"}, true)
      .Default(false);
}

/// Variables of a function that other functions may come to know the place of.
class Escapes {
 public:
  explicit Escapes(const FunctionDecl* inside) {
    if (inside && inside->hasBody()) look(inside->getBody());
  }
  bool contains(const VarDecl* v) const { return found.contains(v); }

 private:
  void look(const Stmt* s) {
    if (!s) return;
    if (const auto* ref = dyn_cast<DeclRefExpr>(s))
      if (const auto* v = dyn_cast<VarDecl>(ref->getDecl());
          v && (ref->refersToEnclosingVariableOrCapture() || !isUsedInPlace(*ref)))
        found.insert(v);
    if (isa<UnaryExprOrTypeTraitExpr>(s)) return;
    above.push_back(s);
    for (const Stmt* child : s->children()) look(child);
    above.pop_back();
  }

  // Read, assigned, or handed to a function that cannot write to it or forgets it.
  bool isUsedInPlace(const DeclRefExpr& ref) const {
    size_t at = above.size();
    const Stmt* inner = &ref;
    auto up = [&]() -> const Stmt* { return at > 0 ? above[at - 1] : nullptr; };
    auto climb = [&] { inner = above[--at]; };
    while (up()) {
      if (isa<ParenExpr>(up())) {
        climb();
      } else if (const auto* member = dyn_cast<MemberExpr>(up());
                 member && !member->isArrow() && isa<FieldDecl>(member->getMemberDecl())) {
        climb();
      } else if (const auto* decay = dyn_cast<CastExpr>(up());
                 decay && decay->getCastKind() == CK_ArrayToPointerDecay && at > 1 &&
                 isa<ArraySubscriptExpr>(above[at - 2]) &&
                 cast<ArraySubscriptExpr>(above[at - 2])->getBase()->IgnoreParens() == decay) {
        climb(), climb();
      } else {
        break;
      }
    }
    const Stmt* parent = up();
    if (const auto* conversion = dyn_cast_or_null<CastExpr>(parent)) {
      if (conversion->getCastKind() == CK_LValueToRValue) return true;
      if (conversion->getCastKind() != CK_NoOp || !conversion->getType().isConstQualified()) return false;
      // As a reference to what may not be changed, which may still be kept.
      while (isa_and_nonnull<ParenExpr, CastExpr>(up())) climb();
      if (isa_and_nonnull<MemberExpr>(up())) return true;
      if (const auto* copied = dyn_cast_or_null<CXXConstructExpr>(up()))
        return copied->getConstructor()->isTrivial();
      const auto* call = dyn_cast_or_null<CallExpr>(up());
      if (!call || !call->getDirectCallee() || !isInSystem(*call->getDirectCallee())) return false;
      climb();
      const auto* read = dyn_cast_or_null<CastExpr>(up());
      return !call->isGLValue() || (read && read->getCastKind() == CK_LValueToRValue);
    }
    if (const auto* binary = dyn_cast_or_null<BinaryOperator>(parent))
      return binary->isAssignmentOp() && binary->getLHS() == inner;
    if (const auto* unary = dyn_cast_or_null<UnaryOperator>(parent)) {
      if (unary->isIncrementDecrementOp()) return true;
      if (unary->getOpcode() != UO_AddrOf) return false;
      climb();
      while (isa_and_nonnull<ParenExpr, CastExpr>(up())) climb();
      const auto* call = dyn_cast_or_null<CallExpr>(up());
      const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
      const llvm::StringRef name = callee ? plainName(*callee) : "";
      return name.starts_with("cudaMalloc") || name.starts_with("cudaStreamCreate") ||
             name.starts_with("cudaEventCreate") || name.starts_with("cudaGetDevice") ||
             name.starts_with("cudaOccupancy");
    }
    if (const auto* assigned = dyn_cast_or_null<CXXOperatorCallExpr>(parent)) {
      const FunctionDecl* callee = assigned->getDirectCallee();
      return assigned->getOperator() == OO_Equal && assigned->getArg(0) == inner && callee &&
             callee->isTrivial();
    }
    if (const auto* copied = dyn_cast_or_null<CXXConstructExpr>(parent))
      return copied->getConstructor()->isTrivial();
    return false;
  }

  std::set<const VarDecl*> found;
  std::vector<const Stmt*> above;
};

/// Walks over expressions of a host function, and over the bodies of what they call.
class EffectFinder {
 public:
  explicit EffectFinder(const FunctionDecl* function)
      : inside(function), escapes(function), isConstructor(function && isa<CXXConstructorDecl>(function)) {}

  Effects of(const Expr& e) {
    Effects found;
    look(&e, found, nullptr);
    return found;
  }

 private:
  struct CallEffects {
    bool acts = false, readsShared = false;
  };

  /// `callee`: the called function whose body is walked; null: the expression itself.
  void look(const Stmt* s, Effects& out, const FunctionDecl* callee) {
    if (!s || (callee && out.acts)) return;
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(s)) return;
    if (isa<CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, LambdaExpr, StmtExpr, AtomicExpr, RecoveryExpr, AsmStmt>(
            s) ||
        isa<CoroutineSuspendExpr, CXXDependentScopeMemberExpr, CXXUnresolvedConstructExpr, OverloadExpr>(s))
      out.acts = true;
    if (const auto* e = dyn_cast<Expr>(s); e && e->isGLValue() && e->getType().isVolatileQualified())
      out.acts = true;
    if (const auto* call = dyn_cast<CallExpr>(s)) {
      add(call->getDirectCallee() ? effectsOf(*call->getDirectCallee()) : CallEffects{true, true}, out);
    } else if (const auto* built = dyn_cast<CXXConstructExpr>(s)) {
      add(effectsOf(*built->getConstructor()), out);
    } else if (const auto* temporary = dyn_cast<CXXBindTemporaryExpr>(s)) {
      const CXXDestructorDecl* end = temporary->getTemporary()->getDestructor();
      if (!end || !end->getParent()->isInStdNamespace()) out.acts = true;
    } else if (const auto* given = dyn_cast<CXXDefaultArgExpr>(s)) {
      look(given->getExpr(), out, callee);
    } else if (const auto* binary = dyn_cast<BinaryOperator>(s); binary && binary->isAssignmentOp()) {
      written(binary->getLHS(), out, callee);
    } else if (const auto* unary = dyn_cast<UnaryOperator>(s)) {
      if (unary->isIncrementDecrementOp()) written(unary->getSubExpr(), out, callee);
      if (unary->getOpcode() == UO_Deref) out.readsShared = true;
    } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(s)) {
      if (!element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) out.readsShared = true;
    } else if (const auto* member = dyn_cast<MemberExpr>(s)) {
      if (!isa<FunctionDecl>(member->getMemberDecl()) &&
          (member->isArrow() || isa<VarDecl>(member->getMemberDecl())))
        out.readsShared = true;
    } else if (const auto* ref = dyn_cast<DeclRefExpr>(s)) {
      read(*ref, out, callee);
    } else if (const auto* declared = dyn_cast<DeclStmt>(s)) {
      for (const Decl* d : declared->decls())
        if (const auto* v = dyn_cast<VarDecl>(d); v && v->isStaticLocal() && !isConstantVariable(*v))
          out.acts = true;
    }
    for (const Stmt* child : s->children()) look(child, out, callee);
  }

  static void add(CallEffects call, Effects& out) {
    out.acts = out.acts || call.acts;
    out.readsShared = out.readsShared || call.readsShared;
  }

  // Of the function that is looked at and of nobody else.
  bool isOwn(const VarDecl& v, const FunctionDecl* callee) const {
    if (!v.hasLocalStorage() || v.getType()->isReferenceType()) return false;
    if (callee) return true;
    return inside && !isConstructor && v.getDeclContext() == inside && !escapes.contains(&v);
  }

  void read(const DeclRefExpr& ref, Effects& out, const FunctionDecl* callee) const {
    if (isa<BindingDecl>(ref.getDecl())) out.readsShared = true;
    const auto* v = dyn_cast<VarDecl>(ref.getDecl());
    if (!v || isConstantVariable(*v)) return;
    if (!isOwn(*v, callee))
      out.readsShared = true;
    else if (!callee)
      out.reads.insert(v);
  }

  void written(const Expr* place, Effects& out, const FunctionDecl* callee) const {
    const Expr* e = place->IgnoreParens();
    for (bool goesOn = true; goesOn;) {
      goesOn = false;
      if (const auto* member = dyn_cast<MemberExpr>(e); member && !member->isArrow()) {
        e = member->getBase()->IgnoreParenImpCasts();
        goesOn = true;
      } else if (const auto* element = dyn_cast<ArraySubscriptExpr>(e)) {
        const Expr* base = element->getBase()->IgnoreParenImpCasts();
        if (!base->getType()->isArrayType()) break;
        e = base;
        goesOn = true;
      } else if (const auto* own = dyn_cast<MemberExpr>(e);
                 own && callee && isa<CXXConstructorDecl>(callee) &&
                 isa<CXXThisExpr>(own->getBase()->IgnoreParenImpCasts())) {
        return;  // of the object that is being made
      }
    }
    const auto* ref = dyn_cast<DeclRefExpr>(e);
    const auto* v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    if (!v || !isOwn(*v, callee))
      out.acts = true;
    else if (!callee)
      out.writes.insert(v);
  }

  CallEffects effectsOf(const FunctionDecl& fn) {
    auto [known, isNew] = calls.emplace(fn.getCanonicalDecl(), CallEffects{true, true});  // as of a recursion
    if (!isNew) return known->second;
    const CallEffects found = analyzed(fn);
    calls[fn.getCanonicalDecl()] = found;
    return found;
  }

  CallEffects analyzed(const FunctionDecl& fn) {
    const CallEffects nothing{}, tells{false, true}, unknown{true, true};
    if (fn.isTrivial() || fn.hasAttr<ConstAttr>() || fn.isNoReturn()) return nothing;
    if (fn.hasAttr<PureAttr>()) return tells;
    const auto* method = dyn_cast<CXXMethodDecl>(&fn);
    if (isa<CXXConstructorDecl>(fn) && method->getParent()->getName() == "dim3") return nothing;
    const llvm::StringRef name = plainName(fn);
    if (isInSystem(fn) || fn.getBuiltinID()) {
      if (!method && computesOnly(name)) return nothing;
      if (onlyTells(name) || (method && (method->isConst() || fn.getOverloadedOperator() == OO_Subscript)))
        return tells;
      if (isa<CXXConstructorDecl>(fn) && method->getParent()->isInStdNamespace()) return tells;
      return fn.isConstexpr() ? tells : unknown;
    }
    const FunctionDecl* definition = fn.getDefinition();
    if (!definition || !definition->hasBody()) return unknown;
    Effects found;
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* init : constructor->inits()) look(init->getInit(), found, definition);
    look(definition->getBody(), found, definition);
    return {found.acts, found.readsShared};
  }

  const FunctionDecl* inside;
  Escapes escapes;
  bool isConstructor;
  std::map<const FunctionDecl*, CallEffects> calls;
};

void join(const Effects& part, Effects& all) {
  all.acts = all.acts || part.acts;
  all.readsShared = all.readsShared || part.readsShared;
  all.reads.insert(part.reads.begin(), part.reads.end());
  all.writes.insert(part.writes.begin(), part.writes.end());
}

}  // namespace

LaunchOrder launchOrder(const std::vector<const Expr*>& configuration,
                        const std::vector<const Expr*>& arguments, const FunctionDecl* inside) {
  EffectFinder finder(inside);
  std::vector<Effects> parts;
  Effects before, after, all;
  for (const Expr* e : configuration) {
    parts.push_back(finder.of(*e));
    join(parts.back(), before);
  }
  for (const Expr* e : arguments) join(finder.of(*e), after);
  join(before, all), join(after, all);
  LaunchOrder order;
  order.matters = disturbs(before, after) || disturbs(after, before);
  for (const Effects& part : parts)
    order.fixed.push_back(!part.acts && !part.readsShared && part.writes.empty() && !disturbs(all, part));
  return order;
}

}  // namespace hone::frontend
