#include "emit/Conversions.h"
#include "emit/Emitter.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

// "ns::f<a::b>" without its template arguments: "ns::f". Operators keep their < and >.
std::string withoutTemplateArgs(const std::string& name) {
  size_t op = name.find("operator");
  size_t at = name.find('<');
  if (op != std::string::npos && (at == std::string::npos || at > op)) return name;
  return at == std::string::npos ? name : name.substr(0, at);
}

std::string templateArgsOf(const std::string& name) {
  std::string base = withoutTemplateArgs(name);
  return name.substr(base.size());
}

// The part after the last :: . or -> that is not inside template arguments.
std::string lastComponent(const std::string& name) {
  int depth = 0;
  size_t begin = 0;
  size_t op = name.find("operator");
  for (size_t i = 0; i < name.size(); ++i) {
    if (op != std::string::npos && i >= op) break;
    if (name[i] == '<')
      ++depth;
    else if (name[i] == '>' && (i == 0 || name[i - 1] != '-'))
      --depth;
    else if (depth == 0 && name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':')
      begin = i + 2;
    else if (depth == 0 && name[i] == '.')
      begin = i + 1;
    else if (depth == 0 && name[i] == '>')
      begin = i + 1;
  }
  if (op != std::string::npos && op > begin) begin = op;
  return name.substr(begin);
}

// "operator+" → "+"; empty when the function is no operator with a symbol.
std::string operatorSymbol(const std::string& name) {
  std::string last = lastComponent(name);
  if (last.compare(0, 8, "operator") != 0) return "";
  std::string rest = last.substr(8);
  while (!rest.empty() && rest[0] == ' ') rest.erase(0, 1);
  for (const char* op : {"<<=", ">>=", "->*", "()", "[]", "<=>", "<<", ">>", "<=", ">=", "==", "!=", "&&",
                         "||",  "+=",  "-=",  "*=", "/=", "%=",  "&=", "|=", "^=", "++", "--", "->", "+",
                         "-",   "*",   "/",   "%",  "&",  "|",   "^",  "<",  ">",  "!",  "~",  "=",  ","}) {
    if (rest.compare(0, std::string(op).size(), op) == 0) return op;
  }
  return "";
}

int binaryPrecedence(const std::string& op) {
  static const std::map<std::string, int> table = {
      {"*", kMultiply},  {"/", kMultiply}, {"%", kMultiply}, {"+", kAdd},      {"-", kAdd},
      {"<<", kShift},    {">>", kShift},   {"<", kRelation}, {">", kRelation}, {"<=", kRelation},
      {">=", kRelation}, {"==", kEqual},   {"!=", kEqual},   {"&", kBitAnd},   {"^", kBitXor},
      {"|", kBitOr},     {"&&", kAnd},     {"||", kOr},      {",", kComma}};
  auto it = table.find(op);
  return it != table.end() ? it->second : kAssign;  // the rest are assignments
}

bool isMember(const Function& f) { return !f.params.empty() && f.params[0]->name == "this"; }

}  // namespace

// Hints are trusted where the callee was written by hand: the conversions of its arguments resolved this way
// in the source.
std::string Emitter::argument(const ExprPtr& e, const Variable* param, bool trustHints) {
  if (param && param->isReference && cuda()) return parens(pointedAt(e), kAssign);
  if (const auto* a = e->as<AddressOf>()) return parens(addressOf(*e, *a, true), kAssign);
  return parens(trustHints ? converted(e) : exact(e), kAssign);
}

Printed Emitter::call(const Expr& e, const Call& c) {
  return c.function ? userCall(e, c) : intrinsicCall(e, c);
}

Printed Emitter::userCall(const Expr& e, const Call& c) {
  const Function& f = *c.function;
  if (!sameLanguage() && !standalone) error("a call of " + f.name + " outside a whole module", e.loc);
  if (standalone) {
    auto it = functionNames.find(&f);
    std::string text = (it != functionNames.end() ? it->second : asIdentifier(f.name)) + "(";
    for (size_t i = 0; i < c.args.size(); ++i) {
      const Variable* param = i < f.params.size() ? f.params[i].get() : nullptr;
      const bool asReference = param && param->isReference && cuda();
      // One function of the name: arguments convert to its parameters.
      text += (i ? ", " : "") + argument(c.args[i], asReference ? param : nullptr, true);
    }
    return {text + ")", kPostfix, e.type};
  }
  const bool member = isMember(f);
  if (f.kind == FunctionKind::Operator) {
    std::string op = operatorSymbol(f.name);
    if (!op.empty()) return operatorCall(e, c, op);
  }
  const bool spelled = !c.spelling.empty() && withoutTemplateArgs(lastComponent(c.spelling)) ==
                                                  withoutTemplateArgs(lastComponent(f.name));
  // A template called without its arguments deduces them from the arguments: those must be exact.
  const bool deduced =
      spelled && f.name.find('<') != std::string::npos && c.spelling.find('<') == std::string::npos;
  if (f.kind == FunctionKind::Conversion && !c.args.empty())
    return castTo(pointedAt(c.args[0]), e.type, e.loc);
  std::string text;
  size_t first = 0;
  if (member && f.kind != FunctionKind::Constructor && !c.args.empty()) {
    const ExprPtr& object = c.args[0];
    std::string name = lastComponent(spelled ? c.spelling : f.name);
    const bool isPlace = object->is<AddressOf>() || (isReference(*object) && cuda());
    if (isPlace)
      text = parens(pointedAt(object), kPostfix) + "." + name;
    else
      text = parens(print(object), kPostfix) + "->" + name;
    first = 1;
  } else if (f.kind == FunctionKind::Constructor) {
    text = typeText(e.type, e.loc);
  } else {
    text = spelled ? c.spelling : f.name;
  }
  std::string args;
  for (size_t i = first; i < c.args.size(); ++i) {
    // A constructor's parameters include the object, its arguments do not.
    const size_t p = f.kind == FunctionKind::Constructor && member ? i + 1 : i;
    const Variable* param = p < f.params.size() ? f.params[p].get() : nullptr;
    args += (args.empty() ? "" : ", ") + argument(c.args[i], param, !deduced);
  }
  return {text + "(" + args + ")", kPostfix, e.type};
}

Printed Emitter::operatorCall(const Expr& e, const Call& c, const std::string& op) {
  const Function& f = *c.function;
  const bool member = isMember(f);
  auto operand = [&](size_t i) -> Printed {
    const Variable* param = i < f.params.size() ? f.params[i].get() : nullptr;
    if ((member && i == 0) || (param && param->isReference)) return pointedAt(c.args[i]);
    return converted(c.args[i]);
  };
  if (op == "()" || op == "[]") {
    std::string args;
    for (size_t i = 1; i < c.args.size(); ++i) args += (i > 1 ? ", " : "") + parens(operand(i), kAssign);
    return {parens(operand(0), kPostfix) + op[0] + args + op[1], kPostfix, e.type};
  }
  if (op == "->") return {parens(operand(0), kPostfix) + ".operator->()", kPostfix, e.type};
  if (c.args.size() == 1) {
    std::string text = parens(operand(0), kUnary);
    if (text[0] == op[0]) text = "(" + text + ")";
    return {op + text, kUnary, e.type};
  }
  if ((op == "++" || op == "--") && c.args.size() == 2)
    return {parens(operand(0), kPostfix) + op, kPostfix, e.type};
  const int precedence = binaryPrecedence(op);
  const bool assigns = precedence == kAssign;
  Printed l = operand(0), r = operand(1);
  return {parens(l, assigns ? kUnary : precedence) + " " + op + " " +
              parens(r, assigns ? kAssign : precedence + 1),
          precedence, e.type};
}

std::string Emitter::variadicArgument(const ExprPtr& arg) {
  std::vector<Printed> list = forms(arg, true);
  size_t pick = list.size() - 1;
  for (size_t k = 0; k < list.size(); ++k)
    if (sameType(variadicType(list[k].operandType()), arg->type)) {
      pick = k;
      break;
    }
  return parens(list[pick], kAssign);
}

Printed Emitter::printfCall(const Expr& e, const Call& c) {
  std::string text = "printf(" + quoted(c.format);
  size_t next = 0;
  for (const ExprPtr& arg : c.args)
    text += ", " + (arg->is<NullPointer>() ? quoted(c.texts.at(next++)) : variadicArgument(arg));
  return {text + ")", kPostfix, e.type};
}

Printed Emitter::intrinsicCall(const Expr& e, const Call& c) {
  const Intrinsic& fn = *c.intrinsic;
  if (fn.id == "printf") return printfCall(e, c);
  std::vector<TypePtr> argTypes;
  argTypes.reserve(c.args.size());
  for (const auto& a : c.args) argTypes.push_back(a->type);

  const std::string written = withoutTemplateArgs(c.spelling), component = lastComponent(written);
  constexpr std::string_view builtin = "__builtin_";  // may stand before any name
  const std::string last = component.starts_with(builtin) ? component.substr(builtin.size()) : component;
  bool spelled = false;
  if (sameLanguage() && !c.spelling.empty()) {
    for (const IntrinsicName& n : fn.names(language)) {
      const std::string name = lastComponent(std::string(n.name));
      spelled |= name == last || name == component;
      spelled |= n.name.find('$') != std::string_view::npos && findIntrinsic(language, last) == &fn;
    }
  }
  IntrinsicSignature signature =
      signatureFor(fn, language, argTypes, e.type->is(TypeKind::Void) ? nullptr : e.type);
  std::string name = nameFor(fn, language, argTypes, e.type);
  if (name.empty() && !spelled) {
    std::string_view other = cuda() ? fn.opencl : fn.cuda;
    error(std::string(cuda() ? "CUDA" : "OpenCL") + " has no " + std::string(other.empty() ? fn.id : other),
          e.loc);
    return {"0", kPrimary, e.type};
  }
  const bool method =
      spelled ? (c.spelling.find('.') != std::string::npos || c.spelling.find("->") != std::string::npos ||
                 (!name.empty() && name[0] == '.' && c.spelling.find("::") == std::string::npos))
              : name[0] == '.';
  if (spelled)
    name = method                                               ? lastComponent(c.spelling)
           : standalone && name.find("::") != std::string::npos ? name + templateArgsOf(c.spelling)
                                                                : c.spelling;
  else if (method)
    name.erase(0, 1);
  if (!c.typeArgs.empty() && name.find('<') == std::string::npos) {
    std::string list;
    for (const auto& t : c.typeArgs) list += (list.empty() ? "" : ", ") + typeText(t, e.loc);
    name += "<" + list + ">";
  }
  // A name with one signature converts its arguments; so did the call as written.
  const bool fixed = signature.name && signature.name->isFixed() && !spelled;
  std::string args;
  for (size_t i = method ? 1 : 0; i < c.args.size(); ++i) {
    const bool known = !spelled && i < signature.params.size() && signature.params[i] &&
                       c.args[i]->type->isArithmetic() && signature.params[i]->isArithmetic();
    std::string text;
    if (known && !fixed && !sameType(c.args[i]->type, signature.params[i]))
      text = castTo(print(c.args[i]), signature.params[i], e.loc).text;
    else
      text = argument(c.args[i], nullptr, spelled || fixed);
    args += (args.empty() ? "" : ", ") + text;
  }
  std::string object;
  if (method) object = parens(print(c.args.at(0)), kPostfix) + ".";
  Printed p{object + name + "(" + args + ")", kPostfix, e.type};
  if (!spelled && signature.result && !e.type->is(TypeKind::Void) && e.type->isArithmetic() &&
      signature.result->isArithmetic() && !sameType(signature.result, e.type)) {
    p.type = signature.result;
    return castTo(p, e.type, e.loc);
  }
  return p;
}

}  // namespace hone::emit
