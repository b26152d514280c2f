#include "emit/Names.h"

#include <cctype>

#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

const std::set<std::string>& cWords() {
  static const std::set<std::string> words = {
      "auto",   "break",  "case",   "char",     "const",  "continue", "default", "do",
      "double", "else",   "enum",   "extern",   "float",  "for",      "goto",    "if",
      "inline", "int",    "long",   "register", "return", "short",    "signed",  "sizeof",
      "static", "struct", "switch", "typedef",  "union",  "unsigned", "void",    "volatile",
      "while",  "bool",   "true",   "false",    "size_t", "printf",   "assert",  "NULL"};
  return words;
}

const std::set<std::string>& cudaWords() {
  static const std::set<std::string> words = {"alignas",
                                              "alignof",
                                              "and",
                                              "and_eq",
                                              "asm",
                                              "bitand",
                                              "bitor",
                                              "catch",
                                              "char16_t",
                                              "char32_t",
                                              "char8_t",
                                              "class",
                                              "co_await",
                                              "co_return",
                                              "co_yield",
                                              "compl",
                                              "concept",
                                              "consteval",
                                              "constexpr",
                                              "constinit",
                                              "const_cast",
                                              "decltype",
                                              "delete",
                                              "dynamic_cast",
                                              "explicit",
                                              "export",
                                              "friend",
                                              "mutable",
                                              "namespace",
                                              "new",
                                              "noexcept",
                                              "not",
                                              "not_eq",
                                              "nullptr",
                                              "operator",
                                              "or",
                                              "or_eq",
                                              "private",
                                              "protected",
                                              "public",
                                              "reinterpret_cast",
                                              "requires",
                                              "static_assert",
                                              "static_cast",
                                              "template",
                                              "this",
                                              "thread_local",
                                              "throw",
                                              "try",
                                              "typeid",
                                              "typename",
                                              "using",
                                              "virtual",
                                              "wchar_t",
                                              "xor",
                                              "xor_eq",
                                              "threadIdx",
                                              "blockIdx",
                                              "blockDim",
                                              "gridDim",
                                              "warpSize",
                                              "dim3",
                                              "__global__",
                                              "__device__",
                                              "__shared__",
                                              "__constant__",
                                              "__restrict__",
                                              "cooperative_groups"};
  return words;
}

const std::set<std::string>& openclWords() {
  static const std::set<std::string> words = {
      "kernel",   "global",    "local",      "constant",  "private",   "generic",    "__kernel",
      "__global", "__local",   "__constant", "__private", "read_only", "write_only", "read_write",
      "restrict", "pipe",      "half",       "uchar",     "ushort",    "uint",       "ulong",
      "complex",  "imaginary", "event_t",    "sampler_t", "typeof"};
  return words;
}

bool isVectorName(const std::string& name) {
  for (const char* base : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
                           "ulonglong", "float", "double", "half"}) {
    std::string b = base;
    if (name.size() <= b.size() || name.compare(0, b.size(), b) != 0) continue;
    std::string rest = name.substr(b.size());
    for (const char* n : {"1", "2", "3", "4", "8", "16"})
      if (rest == n) return true;
  }
  return false;
}

// Calls `take` with every identifier of a text, those in quotes and members left out.
template <typename Take>
void forEachWord(const std::string& text, const Take& take) {
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      ++i;
    } else if (startsName(text[i])) {
      size_t b = i;
      while (i < text.size() && continuesName(text[i])) ++i;
      if (b == 0 || text[b - 1] != '.') take(text.substr(b, i - b));  // members are no names of their own
    } else if (continuesName(text[i])) {                              // a number with its suffix
      while (i < text.size() && continuesName(text[i])) ++i;
    } else {
      ++i;
    }
  }
}

}  // namespace

bool isWordOf(Language language, const std::string& name) {
  if (cWords().contains(name) || isVectorName(name)) return true;
  return (language == Language::Cuda ? cudaWords() : openclWords()).contains(name);
}

std::string asIdentifier(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (continuesName(c))
      out += c;
    else if (c == '-')
      out += out.empty() || out.back() == '_' ? "m" : "_m";
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.empty() || !startsName(out[0])) out = "_" + out;
  return out;
}

// `names` are the printed names visible here, innermost last; `used` what the statements of the scope refer
// to, `declared` the names that variables in it, however deep, come with.
struct Names::Scope {
  Scope* parent = nullptr;
  std::map<std::string, const Variable*> names;
  std::set<const Variable*> used;
  std::set<std::string> declared;

  void lookAt(const StmtPtr& statements) {
    walkExprs(statements, [&](const Expr& e) {
      if (const auto* v = e.as<VarRef>()) used.insert(v->var.get());
    });
    walkStmts(statements, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) declared.insert(d->var->name);
    });
  }
};

void Names::reserve(const std::string& text) {
  forEachWord(text, [this](std::string word) { reserved.insert(std::move(word)); });
}

bool Names::isReserved(const std::string& name) const {
  return reserved.contains(name) || isWordOf(language, name);
}

bool Names::allReservedIn(const std::set<std::string>& names) const {
  for (const auto& word : reserved)
    if (!names.contains(word)) return false;
  return true;
}

std::string Names::of(const Variable& var) const {
  auto it = chosen.find(&var);
  return it != chosen.end() ? it->second : var.name;
}

std::string Names::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; isReserved(name) || taken.contains(name); ++n) name = wanted + "_" + std::to_string(n);
  taken.insert(name);
  return name;
}

void Names::choose(const std::vector<VarPtr>& params, bool paramsFixed, const StmtPtr& body) {
  // All wanted names are taken, so that a renamed variable never gets the name of another.
  for (const auto& p : params) taken.insert(p->name);
  walkStmts(body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) taken.insert(d->var->name);
    if (const auto* c = s.as<Comment>())
      forEachWord(c->text, [this](std::string word) { mentioned.insert(std::move(word)); });
  });
  Scope scope;
  scope.lookAt(body);
  for (const auto& p : params) declare(p, scope, paramsFixed);
  if (const auto* b = as<Block>(body))
    chooseIn(b->stmts, scope);
  else if (body)
    visit(body, scope);
}

void Names::chooseIn(const StmtList& stmts, Scope& scope) {
  for (const auto& s : stmts) visit(s, scope);
}

// Nothing in sight, before or further in, has it, and no comment knows the variable by its other name.
bool Names::mayHaveWanted(const Variable& var, const Scope& scope) const {
  if (var.wanted.empty() || isReserved(var.wanted) || scope.declared.contains(var.wanted) ||
      mentioned.contains(var.name))
    return false;
  for (const Scope* s = &scope; s; s = s->parent)
    if (s->names.contains(var.wanted)) return false;
  return true;
}

void Names::declare(const VarPtr& var, Scope& scope, bool fixed) {
  std::string name = var->name.empty() ? "tmp" : var->name;
  if (!fixed && mayHaveWanted(*var, scope)) name = var->wanted;
  bool clash = !fixed && (isReserved(name) || var->name.empty());
  if (!fixed && !startsName(name[0])) clash = true, name = asIdentifier(name);
  if (!fixed && scope.names.contains(name)) clash = true;
  for (Scope* s = scope.parent; s && !clash && !fixed; s = s->parent) {
    auto it = s->names.find(name);
    if (it == s->names.end()) continue;
    clash = it->second != var.get() && scope.used.contains(it->second);
    break;  // what lies further out is hidden by this one already
  }
  if (clash) name = fresh(name);
  chosen[var.get()] = name;
  scope.names[name] = var.get();
}

void Names::visit(const StmtPtr& stmt, Scope& scope) {
  // Statements of a body share the scope of the header in C++: a loop body may not redeclare the loop's
  // variable.
  auto inner = [&](const StmtPtr& body, Scope& from) {
    if (!body) return;
    Scope child;
    child.parent = &from;
    child.lookAt(body);
    if (const auto* b = as<Block>(body))
      chooseIn(b->stmts, child);
    else
      visit(body, child);
  };
  if (const auto* d = as<Declare>(stmt)) {
    declare(d->var, scope, false);
  } else if (as<Block>(stmt)) {
    inner(stmt, scope);
  } else if (const auto* i = as<If>(stmt)) {
    inner(i->then, scope);
    inner(i->otherwise, scope);
  } else if (const auto* f = as<For>(stmt)) {
    Scope loop;
    loop.parent = &scope;
    loop.lookAt(stmt);
    chooseIn(f->init, loop);
    if (const auto* b = as<Block>(f->body))
      chooseIn(b->stmts, loop);
    else if (f->body)
      visit(f->body, loop);
    chooseIn(f->step, loop);
  } else if (const auto* w = as<While>(stmt)) {
    inner(w->body, scope);
  } else if (const auto* dw = as<DoWhile>(stmt)) {
    inner(dw->body, scope);
  } else if (const auto* sw = as<Switch>(stmt)) {
    Scope cases;
    cases.parent = &scope;
    cases.lookAt(stmt);
    for (const auto& c : sw->cases) chooseIn(c.body, cases);
  }
}

}  // namespace hone::emit
