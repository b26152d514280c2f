// The printer behind Emit.h. Expressions come back with the type and precedence a compiler would give to the
// text, so that each context can decide which casts and parentheses it needs.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "emit/Emit.h"
#include "emit/Names.h"
#include "emit/TypeText.h"

namespace hone::emit {

enum Precedence : int {
  kComma = 1,
  kAssign,
  kSelect,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kRelation,
  kShift,
  kAdd,
  kMultiply,
  kUnary,
  kPostfix,
  kPrimary
};
int precedenceOf(ir::BinaryOp op);

// The text has the value of the IR expression; its C type may be another (a literal `3` for an i16,
// get_local_id(0) for a u32).
struct Printed {
  std::string text;
  int precedence = kPrimary;
  ir::TypePtr type;
  // Type that operators take it for, where that is not what they make of `type`: a bit-field. Null: none.
  ir::TypePtr asOperand = nullptr;

  const ir::TypePtr& operandType() const { return asOperand ? asOperand : type; }
};

class Emitter {
 public:
  // `standalone`: the text must not lean on the source file: no typedef names, functions under the names
  // given to them.
  Emitter(const EmitOptions& emitOptions, ir::Language sourceLanguage, bool standaloneText);

  std::string body(const ir::Kernel& kernel);
  // In braces, with names chosen for the parameters too; `kernel` brings the constants of its template, if
  // any.
  std::string bodyOf(const std::vector<ir::VarPtr>& params, const ir::StmtPtr& body,
                     const ir::Kernel* kernel);
  void statement(const ir::StmtPtr& s);
  void statements(const ir::StmtList& list);
  void block(const ir::StmtPtr& s);  // in braces

  // The text of e, of whatever type is natural.
  Printed print(const ir::ExprPtr& e);
  // With exactly the type of e.
  Printed exact(const ir::ExprPtr& e);
  // As a value that C converts to the type of e by itself: initializer, assigned value, argument, returned
  // value.
  Printed converted(const ir::ExprPtr& e);
  // Where C wants a truth value.
  Printed condition(const ir::ExprPtr& e);
  // The place that a pointer expression points to, for reference parameters and object expressions.
  Printed pointedAt(const ir::ExprPtr& pointer);
  std::string initializer(const ir::ExprPtr& e);  // may be a braced list

  void error(std::string reason, ir::SourceLoc loc = {});

  EmitOptions options;
  ir::Language language, source;
  bool standalone;
  bool comparesAlike = false;  // text of the host, whose compilers warn of signed against unsigned numbers
  TypeText types;
  Names names;
  std::vector<EmitError> errors;
  std::string out;
  // Standalone text only: the name under which a function is printed, and named constants that the text
  // defines itself.
  std::map<const ir::Function*, std::string> functionNames;
  std::set<std::string> definedConstants;
  const ir::Function* currentFunction = nullptr;
  // Numbers that passes chose and the text around defines: by their role, the name in the text and the value.
  // A literal of that role with another value is printed as a number.
  struct ChosenConstant {
    std::string name;
    int64_t value = 0;
  };
  std::map<ir::ConstantRole, ChosenConstant> chosenConstants;
  std::string constantLines;  // their definitions, where they stand at the top of the body
  bool plainNumbers =
      false;  // no suffixes where C's conversions do without; such text does not read back literally
  bool onlyChosenConstants = false;  // no other named constant is in scope
  bool freeParameters = false;       // parameters may be renamed: the text brings its own head
  // How coordinates are written where the text is no kernel; null: as in kernels.
  std::function<Printed(const ir::Expr&, const ir::Coord&)> coordinateText;

  std::string declarationOf(const ir::Variable& var);  // with storage words, without initializer
  void collectWords(const ir::StmtPtr& body);
  // Globals go by their scope and template arguments where the kernel's scope does not lie in theirs.
  void nameGlobals(const ir::StmtPtr& body, const ir::Kernel& kernel);
  bool sameLanguage() const { return language == source; }
  bool cuda() const { return language == ir::Language::Cuda; }

 private:
  Printed literal(const ir::Expr& e, const ir::IntLiteral& l);
  Printed literal(const ir::Expr& e, const ir::FloatLiteral& l);
  Printed coordinate(const ir::Expr& e, const ir::Coord& c);
  Printed unary(const ir::Expr& e, const ir::Unary& u);
  Printed binary(const ir::Expr& e, const ir::Binary& b);
  Printed logical(const ir::Expr& e, const ir::Binary& b);
  Printed select(const ir::Expr& e, const ir::Select& s);
  Printed cast(const ir::Expr& e, const ir::Cast& c);
  Printed call(const ir::Expr& e, const ir::Call& c);
  Printed userCall(const ir::Expr& e, const ir::Call& c);
  Printed operatorCall(const ir::Expr& e, const ir::Call& c, const std::string& op);
  Printed printfCall(const ir::Expr& e, const ir::Call& c);
  std::string variadicArgument(const ir::ExprPtr& arg);
  Printed intrinsicCall(const ir::Expr& e, const ir::Call& c);
  Printed subscript(const ir::Expr& e, const ir::Subscript& s);
  Printed member(const ir::Expr& e, const ir::Member& m);
  Printed swizzle(const ir::Expr& e, const ir::Swizzle& s);
  Printed addressOf(const ir::Expr& e, const ir::AddressOf& a, bool asArgument = false);
  Printed construct(const ir::Expr& e, const ir::Construct& c);
  std::string bracedParts(const ir::Type& type, const ir::Construct& c);

  // Texts of an operand from the loosest (implicit casts left out) to the exact one.
  std::vector<Printed> forms(const ir::ExprPtr& e, bool promotes);
  Printed castTo(const Printed& p, const ir::TypePtr& type, ir::SourceLoc loc);
  Printed toType(const Printed& p, const ir::TypePtr& type,
                 ir::SourceLoc loc);  // castTo where the type differs
  std::string indexText(const ir::ExprPtr& e);
  std::string argument(const ir::ExprPtr& e, const ir::Variable* param, bool trustHints);
  std::string typeText(const ir::TypePtr& t, ir::SourceLoc loc = {});
  bool namedConstant(const std::string& name) const;
  const ChosenConstant* chosenConstant(const ir::Expr& e, const ir::IntLiteral& l) const;

  void assignment(const ir::Assign& a, ir::SourceLoc loc);
  std::string assignText(const ir::Assign& a, ir::SourceLoc loc);
  std::string stepText(const ir::StmtPtr& s);
  std::string declareText(const ir::Declare& d);
  void forLoop(const ir::For& f, ir::SourceLoc loc);
  void ifChain(const ir::If& i);
  void switchOver(const ir::Switch& s);
  void barrier(const ir::Barrier& b, ir::SourceLoc loc);
  void fence(const ir::Fence& f, ir::SourceLoc loc);
  void pragmaUnroll(int unroll);
  void templateConstants(const ir::Kernel& kernel);
  void line(const std::string& text) { out += text + "\n"; }

  std::map<std::string, const ir::TemplateArg*> templateParams;
};

std::string parens(const Printed& p, int atLeast);
// A C string literal with these bytes.
std::string quoted(const std::string& bytes);
// Is the pointer printed by a name that C++ takes for the place itself: a reference variable or a call that
// returns one?
bool isReference(const ir::Expr& pointer);

// Literals (EmitLiteral.cpp): the value and C type that a spelling has, none when it is no literal.
struct LiteralMeaning {
  ir::TypePtr type;
  uint64_t bits = 0;
  double number = 0;
};
std::optional<LiteralMeaning> literalMeaning(const std::string& spelling, ir::Language language);

}  // namespace hone::emit
