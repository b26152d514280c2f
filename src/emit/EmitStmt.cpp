#include <algorithm>

#include "emit/Conversions.h"
#include "emit/Emitter.h"
#include "ir/Compare.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

const StmtList& listOf(const StmtPtr& s) {
  static const StmtList none;
  const auto* b = as<Block>(s);
  return b ? b->stmts : none;
}

bool isOne(const ExprPtr& e) {
  if (const auto* c = as<Cast>(e); c && !c->isExplicit) return isOne(c->operand);
  if (const auto* f = as<FloatLiteral>(e)) return f->value == 1 && f->name.empty();
  const auto* l = as<IntLiteral>(e);
  return l && l->value == 1 && !l->hasName();
}

// place = place + index for pointers: the index, null when the value is something else.
ExprPtr pointerStep(const Assign& a) {
  if (a.op || !a.place->type->isPointer()) return nullptr;
  const auto* address = as<AddressOf>(a.value);
  const auto* s = address ? as<Subscript>(address->place) : nullptr;
  if (!s || s->indices.size() != 1 || !s->base->type->isPointer()) return nullptr;
  return equal(s->base, a.place) ? s->indices[0] : nullptr;
}

}  // namespace

Emitter::Emitter(const EmitOptions& emitOptions, Language sourceLanguage, bool standaloneText)
    : options(emitOptions),
      language(emitOptions.language),
      source(sourceLanguage),
      standalone(standaloneText),
      names(emitOptions.language) {
  types.language = language;
  types.useSpelling = !standalone && sameLanguage() && options.keepNamedConstants;
  types.extentName = [this](const std::string& text) {
    if (!standalone) return options.keepNamedConstants && sameLanguage();
    Names words(language);
    words.reserve(text);
    return words.allReservedIn(definedConstants);
  };
  types.formText = [this](const Type& t) {
    bool isKnown = (standalone || (options.keepNamedConstants && sameLanguage())) &&
                   constantValue(t.extentForm) == std::optional(t.extent);
    walkExprs(t.extentForm, [&](const Expr& e) {
      const auto* literal = e.as<IntLiteral>();
      if (literal && literal->role) isKnown = isKnown && chosenConstant(e, *literal);
    });
    return isKnown ? print(t.extentForm).text : std::string();
  };
}

void Emitter::error(std::string reason, SourceLoc loc) {
  for (const auto& e : errors)
    if (e.reason == reason && e.loc.line == loc.line && e.loc.file == loc.file) return;
  errors.push_back({std::move(reason), loc});
}

void Emitter::statements(const StmtList& list) {
  for (const auto& s : list) statement(s);
}

void Emitter::block(const StmtPtr& s) {
  line("{");
  if (as<Block>(s))
    statements(listOf(s));
  else if (s)
    statement(s);
  line("}");
}

std::string Emitter::declarationOf(const Variable& var) {
  std::string lead;
  if (var.isDynamicShared && var.type->is(TypeKind::Array)) lead += "extern ";
  if (var.space == Space::Shared)
    lead += cuda() ? "__shared__ " : "__local ";
  else if (var.space == Space::Constant && !cuda())
    lead += "__constant ";
  else if (var.space == Space::Constant && var.storage == Storage::Global)
    lead += "__constant__ ";
  else if (var.space == Space::Constant)
    lead += "static ";
  else if (var.space == Space::Global && var.storage == Storage::Local)
    lead += "static ";
  if (var.alignment) {
    if (cuda())
      lead += "__align__(" + std::to_string(var.alignment) + ") ";
    else
      lead += "__attribute__((aligned(" + std::to_string(var.alignment) + "))) ";
  }
  const bool isConstexpr = var.isConstexpr && cuda() && !var.isReference;
  if (isConstexpr) lead += "constexpr ";
  types.problem.clear();
  std::string text;
  if (var.isReference && cuda()) {
    const Type& t = *var.type;
    std::string name = "&" + names.of(var);
    if (t.element->is(TypeKind::Array)) name = "(" + name + ")";
    text = types.declaration(t.element, name, t.isConst, t.isVolatile);
  } else {
    bool isConst = var.isConst && !isConstexpr;
    if (var.isConst && !cuda() && var.space == Space::Constant) isConst = false;  // __constant says it
    text = types.declaration(var.type, names.of(var), isConst, var.isVolatile);
  }
  if (!types.problem.empty()) error(types.problem, var.loc);
  return lead + text;
}

std::string Emitter::declareText(const Declare& d) {
  const Variable& v = *d.var;
  std::string text = declarationOf(v);
  if (!d.init) return text;
  if (v.isReference && cuda()) {
    if (d.init->is<Construct>()) error("a reference to a temporary", v.loc);
    return text + " = " + pointedAt(d.init).text;
  }
  const auto* c = d.init->as<Call>();
  if (c && c->function && c->function->kind == FunctionKind::Constructor && !standalone && !c->args.empty()) {
    std::string value = print(d.init).text;
    return text + value.substr(value.find('('));
  }
  return text + " = " + initializer(d.init);
}

std::string Emitter::assignText(const Assign& a, SourceLoc loc) {
  Printed place = print(a.place);
  std::string target = parens(place, kUnary);
  if (ExprPtr step = pointerStep(a)) {
    const auto* minus = as<Unary>(step);
    const bool negated = minus && minus->op == UnaryOp::Neg;
    if (isOne(step)) return "++" + target;
    if (negated && isOne(minus->operand)) return "--" + target;
    if (const auto* l = as<IntLiteral>(step); l && !l->hasName() && constantValue(step) == -1)
      return "--" + target;
    // As the sum would be printed, with the pointer on the left of the operator left out.
    std::string sum = print(a.value).text, base = parens(print(a.place), kAdd);
    if (sum.compare(0, base.size() + 3, base + " + ") == 0)
      return target + " += " + sum.substr(base.size() + 3);
    if (sum.compare(0, base.size() + 3, base + " - ") == 0)
      return target + " -= " + sum.substr(base.size() + 3);
  }
  if (!a.op) {
    if (const auto* c = a.value->as<Construct>(); c && a.value->type->is(TypeKind::Array))
      error("an array cannot be assigned", loc);
    return target + " = " + converted(a.value).text;
  }
  const TypePtr& placeType = a.place->type;
  const bool isVector = placeType->is(TypeKind::Vector);
  if (!hasOperators(*placeType, language)) error("CUDA has no arithmetic on vector types", loc);
  if (a.incrementStyle && isOne(a.value) && (*a.op == BinaryOp::Add || *a.op == BinaryOp::Sub) && !isVector &&
      !placeType->is(TypeKind::Bool)) {
    TypePtr computed = usualArithmetic(place.operandType(), int32());
    if (sameType(computed, a.value->type) || sameType(placeType, a.value->type))
      return (*a.op == BinaryOp::Add ? "++" : "--") + target;
  }
  for (const Printed& p : forms(a.value, true)) {
    if (isShift(*a.op) && !isVector) {
      if (sameType(promoted(p.operandType()), a.value->type))
        return target + " " + spelling(*a.op) + "= " + p.text;
      continue;
    }
    TypePtr type = operationType(*a.op, place.operandType(), p.operandType(), language);
    if (type && sameType(type, a.value->type)) return target + " " + spelling(*a.op) + "= " + p.text;
  }
  if (isShift(*a.op)) return target + " " + spelling(*a.op) + "= " + exact(a.value).text;
  // C would compute in another type: written out.
  ExprPtr left = convert(a.place, a.value->type);
  ExprPtr sum = makeExpr(a.value->type, Binary{*a.op, left, a.value}, loc);
  return target + " = " + converted(convert(sum, placeType)).text;
}

std::string Emitter::stepText(const StmtPtr& s) {
  if (const auto* a = as<Assign>(s)) return assignText(*a, s->loc);
  if (const auto* e = as<Eval>(s)) return print(e->call).text;
  error("a loop step that is neither an assignment nor a call", s->loc);
  return "";
}

void Emitter::pragmaUnroll(int unroll) {
  if (unroll == 0) return;
  line(unroll < 0 ? "#pragma unroll" : "#pragma unroll " + std::to_string(unroll));
}

void Emitter::forLoop(const For& f, SourceLoc) {
  // One declaration holds all variables when they share what stands before the declarator; a mix goes before
  // the loop.
  bool allDeclare = true, anyDeclare = false;
  for (const auto& s : f.init) {
    const auto* d = as<Declare>(s);
    anyDeclare |= d != nullptr;
    allDeclare &= d != nullptr && d->var->space == Space::Private;
  }
  std::string init;
  bool hoist = anyDeclare && !allDeclare;
  for (const auto& s : f.init)
    if (!as<Declare>(s) && !as<Assign>(s) && !as<Eval>(s)) hoist = true;
  if (!hoist && anyDeclare) {
    std::string lead;
    for (const auto& s : f.init) {
      const Declare& d = *as<Declare>(s);
      std::string text = declareText(d);
      if (init.empty()) {
        init = text;
        lead = d.var->isReference
                   ? ""
                   : types.split(d.var->type, names.of(*d.var), d.var->isConst, d.var->isVolatile).first;
        if (!lead.empty() && text.compare(0, lead.size(), lead) != 0) lead.clear();
        if (text.find('{') != std::string::npos && f.init.size() > 1) lead.clear();
      } else {
        auto [nextLead, declarator] =
            types.split(d.var->type, names.of(*d.var), d.var->isConst, d.var->isVolatile);
        std::string whole = declarationOf(*d.var);
        if (lead.empty() || nextLead != lead || d.var->isReference ||
            whole.compare(0, lead.size(), lead) != 0) {
          hoist = true;
          break;
        }
        init += ", " + declarator + text.substr(whole.size());
      }
    }
  } else if (!hoist) {
    for (const auto& s : f.init) init += (init.empty() ? "" : ", ") + stepText(s);
  }
  if (hoist) {
    line("{");
    statements(f.init);
    init.clear();
  }
  std::string steps;
  for (const auto& s : f.step) steps += (steps.empty() ? "" : ", ") + stepText(s);
  pragmaUnroll(f.unroll);
  out += "for (" + init + "; " + (f.cond ? condition(f.cond).text : "") + "; " + steps + ") ";
  block(f.body);
  if (hoist) line("}");
}

void Emitter::ifChain(const If& i) {
  out += "if (" + condition(i.cond).text + ") ";
  block(i.then);
  if (!i.otherwise) return;
  const StmtList& other = listOf(i.otherwise);
  if (as<Block>(i.otherwise) && other.empty()) {
    line("else {}");
    return;
  }
  out += "else ";
  const If* chained = as<If>(i.otherwise);
  if (!chained && other.size() == 1) chained = as<If>(other[0]);
  if (chained)
    ifChain(*chained);
  else
    block(i.otherwise);
}

void Emitter::switchOver(const Switch& s) {
  // The value is promoted by the switch itself.
  std::vector<Printed> values = forms(s.value, true);
  size_t pick = values.size() - 1;
  for (size_t i = 0; i < values.size(); ++i)
    if (sameType(promoted(values[i].operandType()), s.value->type)) {
      pick = i;
      break;
    }
  line("switch (" + values[pick].text + ") {");
  for (const auto& c : s.cases) {
    for (const auto& v : c.values) line("case " + converted(v).text + ":");
    if (c.isDefault) line("default:");
    const bool declares =
        std::any_of(c.body.begin(), c.body.end(), [](const StmtPtr& b) { return as<Declare>(b); });
    if (declares) line("{");
    statements(c.body);
    if (declares) line("}");
    if (c.body.empty() && &c == &s.cases.back()) line(";");
  }
  line("}");
}

void Emitter::barrier(const Barrier& b, SourceLoc loc) {
  if (cuda()) {
    switch (b.scope) {
      case SyncScope::Warp: line("__syncwarp(" + (b.mask ? exact(b.mask).text : "") + ");"); return;
      case SyncScope::Block: line("__syncthreads();"); return;
      case SyncScope::Grid: line("cooperative_groups::this_grid().sync();"); return;
      default: error("a barrier among more than a grid", loc); return;
    }
  }
  std::string flags = b.orderLocal && b.orderGlobal ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                      : b.orderGlobal               ? "CLK_GLOBAL_MEM_FENCE"
                      : b.orderLocal                ? "CLK_LOCAL_MEM_FENCE"
                                                    : "0";
  switch (b.scope) {
    case SyncScope::Block: line("barrier(" + flags + ");"); return;
    case SyncScope::Warp:
      if (b.mask) error("OpenCL has no barrier of a part of a sub-group (__syncwarp with a mask)", loc);
      line("sub_group_barrier(" + flags + ");");
      return;
    case SyncScope::Grid: line("hone_grid_sync();"); return;  // hone.clh
    default: error("a barrier among more than a grid", loc); return;
  }
}

void Emitter::fence(const Fence& f, SourceLoc loc) {
  if (cuda()) {
    switch (f.scope) {
      case SyncScope::Warp:
      case SyncScope::Block: line("__threadfence_block();"); return;
      case SyncScope::System: line("__threadfence_system();"); return;
      default: line("__threadfence();"); return;
    }
  }
  std::string flags = f.orderLocal && f.orderGlobal ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                      : f.orderGlobal               ? "CLK_GLOBAL_MEM_FENCE"
                                                    : "CLK_LOCAL_MEM_FENCE";
  // mem_fence commits to memory what came before, as __threadfence and its block form do.
  if (f.scope == SyncScope::System) error("OpenCL has no fence that includes the host", loc);
  line("mem_fence(" + flags + ");");
}

void Emitter::statement(const StmtPtr& s) {
  if (!options.lineNotesOf.empty() && s->loc.valid() && *s->loc.file == options.lineNotesOf &&
      !as<Block>(s) && !as<Comment>(s))
    line(lineNote + std::to_string(s->loc.line));
  if (const auto* d = as<Declare>(s)) {
    line(declareText(*d) + ";");
  } else if (const auto* a = as<Assign>(s)) {
    line(assignText(*a, s->loc) + ";");
  } else if (const auto* e = as<Eval>(s)) {
    const auto* c = as<Call>(e->call);
    const bool byReference = c && c->function && c->function->returnsReference;
    line((byReference ? call(*e->call, *c) : print(e->call)).text + ";");
  } else if (const auto* i = as<If>(s)) {
    ifChain(*i);
  } else if (const auto* f = as<For>(s)) {
    forLoop(*f, s->loc);
  } else if (const auto* w = as<While>(s)) {
    pragmaUnroll(w->unroll);
    out += "while (" + condition(w->cond).text + ") ";
    block(w->body);
  } else if (const auto* dw = as<DoWhile>(s)) {
    pragmaUnroll(dw->unroll);
    out += "do ";
    block(dw->body);
    line("while (" + condition(dw->cond).text + ");");
  } else if (const auto* sw = as<Switch>(s)) {
    switchOver(*sw);
  } else if (as<Break>(s)) {
    line("break;");
  } else if (as<Continue>(s)) {
    line("continue;");
  } else if (const auto* r = as<Return>(s)) {
    const bool byReference = currentFunction && currentFunction->returnsReference && cuda();
    line(r->value ? "return " + (byReference ? pointedAt(r->value) : converted(r->value)).text + ";"
                  : "return;");
  } else if (as<Block>(s)) {
    block(s);
  } else if (const auto* b = as<Barrier>(s)) {
    barrier(*b, s->loc);
  } else if (const auto* fe = as<Fence>(s)) {
    fence(*fe, s->loc);
  } else if (const auto* p = as<Printf>(s)) {
    std::string text = "printf(" + quoted(p->format);
    for (const auto& arg : p->args) text += ", " + variadicArgument(arg);
    line(text + ");");
  } else if (const auto* as_ = as<Assert>(s)) {
    if (!cuda()) error("OpenCL has no assert", s->loc);
    line("assert(" + condition(as_->cond).text + ");");
  } else if (const auto* c = as<Comment>(s)) {
    const std::string whole = textOf(*c, [this](const ConstantRole& role) {
      const auto chosen = chosenConstants.find(role);
      return chosen == chosenConstants.end() ? nameOf(role) : chosen->second.name;
    });
    if (whole.empty()) line("");
    size_t at = 0;
    while (!whole.empty() && at <= whole.size()) {
      size_t end = std::min(whole.find('\n', at), whole.size());
      std::string text = whole.substr(at, end - at);
      while (!text.empty() && (text.back() == '\\' || text.back() == ' '))
        text.pop_back();  // no line continuation
      line("// " + text);
      at = end + 1;
    }
  }
}

// Names that variables must leave alone: whatever the text will contain besides them.
void Emitter::collectWords(const StmtPtr& root) {
  auto typeWords = [&](const TypePtr& t) {
    for (TypePtr x = t; x; x = x->element) {
      if (!x->spelling.empty() && (types.useSpelling || x->is(TypeKind::Handle))) names.reserve(x->spelling);
      if (types.extentName(x->extentName)) names.reserve(x->extentName);
      if (x->record) names.reserve(types.recordName ? types.recordName(*x->record) : x->record->name);
    }
  };
  for (const auto& [role, constant] : chosenConstants) names.reserve(constant.name);
  walkExprs(root, [&](const Expr& e) {
    if (const auto* l = e.as<IntLiteral>(); l && namedConstant(l->name)) names.reserve(l->name);
    if (const auto* l = e.as<FloatLiteral>(); l && namedConstant(l->name)) names.reserve(l->name);
    if (e.is<Cast>() || e.is<Construct>()) typeWords(e.type);
    if (const auto* v = e.as<VarRef>(); v && v->var->storage == Storage::Global)
      names.reserve(names.of(*v->var));
    if (const auto* c = e.as<Call>()) {
      for (const auto& t : c->typeArgs) typeWords(t);
      if (c->function) {
        auto it = functionNames.find(c->function.get());
        if (it != functionNames.end())
          names.reserve(it->second);
        else if (c->function->kind != FunctionKind::Method)
          names.reserve(c->function->name), names.reserve(c->spelling);
      } else {
        for (const IntrinsicName& n : c->intrinsic->names(language))
          if (n.name.empty() || n.name[0] != '.') names.reserve(std::string(n.name));
        if (sameLanguage() && c->spelling.find('.') == std::string::npos) names.reserve(c->spelling);
      }
    }
    if (e.is<Coord>() && !cuda()) names.reserve(print(std::make_shared<Expr>(e)).text);
  });
  walkStmts(root, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) typeWords(d->var->type);
  });
}

void Emitter::templateConstants(const Kernel& kernel) {
  // Parameters of the template that the text still names: they are not in scope of a specialization.
  std::set<std::string> used;
  Names words(language);
  auto note = [&](const std::string& text) { words.reserve(text); };
  walkExprs(kernel.body, [&](const Expr& e) {
    if (const auto* l = e.as<IntLiteral>(); l && namedConstant(l->name)) note(l->name);
    if (const auto* l = e.as<FloatLiteral>(); l && namedConstant(l->name)) note(l->name);
    for (TypePtr t = e.type; t; t = t->element) note(t->spelling), note(t->extentName);
    if (const auto* c = e.as<Call>()) {
      note(c->spelling);
      for (const auto& t : c->typeArgs) note(t->spelling);
    }
  });
  walkStmts(kernel.body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>())
      for (TypePtr t = d->var->type; t; t = t->element) note(t->spelling), note(t->extentName);
  });
  for (const auto& a : kernel.templateArgs) {
    if (a.param.empty() || isWordOf(language, a.param) || !words.isReserved(a.param)) continue;
    names.reserve(a.param);
    if (a.isType)
      line("using " + a.param + " = " + (a.type ? typeText(a.type) : a.text) + ";");
    else if (a.value)
      line("constexpr " + (a.type ? typeText(a.type) : std::string("int")) + " " + a.param + " = " + a.text +
           ";");
  }
}

std::string Emitter::body(const Kernel& kernel) { return bodyOf(kernel.params, kernel.body, &kernel); }

void Emitter::nameGlobals(const StmtPtr& root, const Kernel& kernel) {
  walkExprs(root, [&](const Expr& e) {
    const auto* v = e.as<VarRef>();
    if (!v || v->var->storage != Storage::Global || v->var->spelling.size() <= v->var->name.size()) return;
    const size_t scope = v->var->spelling.substr(0, v->var->spelling.find('<')).rfind("::");
    const std::string around = scope == std::string::npos ? "" : v->var->spelling.substr(0, scope + 2);
    const bool isAround = kernel.qualifiedName.starts_with(around);
    names.set(*v->var, isAround ? v->var->spelling.substr(around.size()) : v->var->spelling);
  });
}

std::string Emitter::bodyOf(const std::vector<VarPtr>& params, const StmtPtr& root, const Kernel* kernel) {
  out.clear();
  for (const std::string& macro : options.macros) names.reserve(macro);
  if (kernel && !standalone) nameGlobals(root, *kernel);
  collectWords(root);
  line("{");
  out += constantLines;
  if (kernel && !standalone) templateConstants(*kernel);
  names.choose(params, !standalone && !freeParameters, root);
  statements(listOf(root));
  line("}");
  return out;
}

}  // namespace hone::emit
