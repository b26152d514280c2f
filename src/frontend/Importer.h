// Internals of the importer: state of one translation unit, and the walk over one function body. Only
// src/frontend includes this.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/Type.h"
#include "frontend/Import.h"
#include "ir/Kernel.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::frontend {

class DispatchTargets;  // DispatchTargets.h
class FunctionEffects;  // FunctionEffects.h

/// Thrown inside the importer when a construct has no place in the IR; the kernel is then left alone.
struct Refusal {
  std::string reason;
  ir::SourceLoc loc;
};

class BodyImporter;

/// Imports what the bodies of a unit hold beyond their language: directives, and names from around a body
/// that is a part of a host's function.
class BodyExtension {
 public:
  virtual ~BodyExtension() = default;
  /// Imports a statement in its own way; false: it is an ordinary one.
  virtual bool statement(BodyImporter& body, const clang::Stmt& s) = 0;
  /// What the body sees of a variable declared outside of it; null: the ordinary rules hold.
  virtual ir::ExprPtr outside(BodyImporter& body, const clang::Expr& e, const clang::VarDecl& var) = 0;
  /// A function was imported.
  virtual void imported(const clang::FunctionDecl& decl, const ir::FunctionPtr& made) = 0;
  /// The function that code for the device calls in place of one.
  virtual const clang::FunctionDecl& calleeOf(const clang::FunctionDecl& decl) = 0;
  /// A call of a library's function that means something of its own here; null: it does not.
  virtual ir::ExprPtr libraryCall(BodyImporter& body, const clang::CallExpr& e, const std::string& name) = 0;
  /// Whether other files may call or define the function for the device.
  virtual bool isLinked(const clang::FunctionDecl& decl) = 0;
  /// A variable at file scope got its place on the device.
  virtual void placed(const clang::VarDecl& var, const ir::VarPtr& made) = 0;
  /// Whether the device has a copy of a variable at file scope.
  virtual bool isOnDevice(const clang::VarDecl& var) = 0;
  /// What stands for an element or a member as a whole; null: it is what it says.
  virtual ir::ExprPtr part(BodyImporter& body, const clang::Expr& e) = 0;
  /// `this` of the function around the body; null: the body has one of its own.
  virtual ir::ExprPtr self(BodyImporter& body, ir::SourceLoc at) = 0;
};

/// A comment of the user, to be put back before the statement it belongs to.
struct SourceComment {
  unsigned begin = 0, end = 0;  ///< offsets in the file of the body
  unsigned line = 0;
  std::string text;       ///< without comment marks, lines joined by \n
  bool trailing = false;  ///< code stands before it on its line
};

/// What is known about one translation unit while its kernels are imported.
class UnitImporter {
 public:
  UnitImporter(const ParsedSource& source, ir::Module& target);

  // ImportUnit.cpp
  ir::SourceLoc loc(clang::SourceLocation l) const;
  bool isUserCode(clang::SourceLocation l) const;
  /// Part of the stand-ins for thrust and cub, which are run like the user's code.
  bool isLibraryInSource(clang::FileID file) const;
  [[noreturn]] void refuse(const std::string& reason, clang::SourceLocation l) const;
  /// The embedded device keeps a list of the numbers in an element.
  void refuseHugeElements(const ir::Variable& var, const ir::Type& type, clang::SourceLocation at) const;
  /// For what no source can lead to as far as we know: the kernel is left alone and the user asked to report
  /// it.
  [[noreturn]] void unexpected(const std::string& what, clang::SourceLocation l) const;
  FileRange fileRange(clang::SourceLocation begin, clang::SourceLocation endToken) const;
  std::string text(
      clang::SourceRange range) const;  ///< source text as written, "" when it comes out of a macro
  std::vector<SourceComment> comments(const FileRange& range) const;
  std::string qualifiedName(const clang::NamedDecl& decl) const;
  const Diagnostic* errorIn(const clang::FunctionDecl& decl) const;  ///< Clang's first error inside it

  // ImportTypes.cpp
  ir::TypePtr type(clang::QualType t, clang::SourceLocation at);
  ir::TypePtr declaredType(const clang::DeclaratorDecl& decl);  ///< with names of extents
  std::string typeName(clang::QualType t) const;                ///< as it must be written at file scope
  ir::Space space(clang::LangAS as) const;
  bool isVectorRecord(const clang::RecordDecl& record) const;
  bool runsDestructor(clang::QualType t) const;  ///< the end of such an object runs code of the user

  // ImportFunctions.cpp
  ir::FunctionPtr function(const clang::FunctionDecl& decl, clang::SourceLocation at);
  bool isLinked(const clang::FunctionDecl& decl) const;  ///< other files may call or define it
  const ir::Function* imported(const clang::FunctionDecl& definition) const;  ///< null: it is not imported
  ir::KernelPtr kernel(const clang::FunctionDecl& decl);
  ir::VarPtr global(const clang::VarDecl& decl, clang::SourceLocation at);
  ir::VarPtr literalArray(const clang::StringLiteral& text);

  // ImportDispatch.cpp, ImportHeap.cpp
  const DispatchTargets& dispatchTargets();
  FunctionEffects& effects();
  ir::FunctionPtr constructorInPlace(const clang::CXXConstructorDecl& decl, clang::SourceLocation at);
  ir::FunctionPtr destructor(const clang::CXXRecordDecl& record, clang::SourceLocation at);
  ir::ExprPtr classIdOf(ir::ExprPtr object, const clang::CXXRecordDecl& record, ir::SourceLoc at);
  ir::StmtPtr giveClass(const ir::ExprPtr& object, const clang::CXXRecordDecl& record,
                        const clang::CXXRecordDecl& as, ir::SourceLoc at);

  // NamedConstants.cpp
  /// The object-like macro whose whole expansion is this expression, or "".
  std::string macroName(const clang::Expr& e) const;
  std::string macroName(clang::SourceRange range) const;
  // The type with the macro that stands for its floating-point numbers, as in `#define real float`, for a
  // name.
  ir::TypePtr withMacroName(const ir::TypePtr& type, clang::TypeLoc written) const;

  const ParsedSource& source;
  clang::ASTContext& ast;
  clang::SourceManager& sources;
  ir::Module& module;
  bool openCL = false;
  bool isC = false;  ///< comparisons are of type int; OpenCL C too
  /// The kernels are run and never printed back, so that what has no spelling of its own may be imported too:
  /// closures, types of functions, members that are references, #if in a body.
  bool toRun = false;
  bool linksDevice = false;            ///< as the request has it
  BodyExtension* extension = nullptr;  ///< of all bodies
  /// All kernels of the unit are, not only the function at hand: functions may call themselves too.
  bool kernelsToRun = false;
  /// Variables of function scope that live on: shared memory, constant tables. Closures name them without
  /// holding them.
  std::unordered_map<const clang::VarDecl*, ir::VarPtr> staticLocals;

 private:
  ir::FunctionPtr functionOf(const clang::FunctionDecl& decl, const std::string& name);
  ir::FunctionPtr declaredFunction(const clang::FunctionDecl& decl, const std::string& name);
  ir::FunctionPtr definedElsewhere(const clang::FunctionDecl& decl);
  ir::FunctionPtr unfinished(const clang::FunctionDecl& decl);
  void forgetFunctions(size_t from);
  ir::TypePtr recordType(const clang::RecordDecl& record, clang::SourceLocation at);
  ir::TypePtr builtinType(const clang::BuiltinType& t, clang::QualType whole, clang::SourceLocation at);
  ir::TypePtr typeUncached(clang::QualType t, clang::SourceLocation at);
  std::string spellingOf(clang::QualType t) const;
  std::string extentText(const clang::Expr& size) const;

  std::unordered_map<const clang::RecordDecl*, ir::RecordPtr> records;
  std::unordered_map<const clang::FunctionDecl*, ir::FunctionPtr> functions;
  std::map<const clang::FunctionDecl*, Refusal> refusedFunctions;
  /// A function whose body is being imported.
  struct Started {
    const clang::FunctionDecl* decl = nullptr;
    ir::FunctionPtr made;      ///< null before its parameters are known
    bool callsItself = false;  ///< a call below it names it
  };
  std::vector<Started> inProgress;                         ///< call chain, to find recursion
  std::shared_ptr<DispatchTargets> targets;                ///< made when first asked for
  std::shared_ptr<FunctionEffects> functionEffects;        ///< made when first asked for
  std::map<const ir::Function*, ir::FunctionPtr> inPlace;  ///< by the constructor that makes a value
  std::map<const clang::CXXRecordDecl*, ir::FunctionPtr> destructors;
  std::unordered_map<const clang::VarDecl*, ir::VarPtr> globals;
  std::unordered_map<const clang::StringLiteral*, ir::VarPtr> literals;
  std::map<std::string, const Diagnostic*> errorsByFunction;
  mutable std::unordered_map<unsigned, bool> librariesInSource;  ///< by file
};

/// Imports one function body. Statements go to `out`; expressions are pure, and their effects are put before
/// them.
class BodyImporter {
 public:
  BodyImporter(UnitImporter& importer, const clang::FunctionDecl& decl) : unit(importer), fn(decl) {}

  std::vector<ir::VarPtr> parameters(bool isKernel);
  ir::StmtPtr body();  ///< also puts member initializers of a constructor first

  // What the body turned out to do.
  bool writesMemory = false, readsMemory = false, usesCoords = false, synchronizes = false;

 private:
  // ImportStmts.cpp
  void statement(const clang::Stmt* s);
  void statements(const clang::CompoundStmt& compound);
  ir::StmtPtr blockOf(const clang::Stmt* s);
  void declaration(const clang::VarDecl& decl);
  void ifStatement(const clang::IfStmt& s);
  void forStatement(const clang::ForStmt& s, int unroll);
  void whileStatement(const clang::WhileStmt& s, int unroll);
  void doStatement(const clang::DoStmt& s, int unroll);
  void switchStatement(const clang::SwitchStmt& s);
  void switchCases(const clang::SwitchStmt& s);
  void loop(const clang::Stmt* s, int unroll);
  int unrollHint(const clang::AttributedStmt& s);
  void fullExpression(const clang::Expr* e);  ///< an expression whose value is not used
  void constructorInitializers(const clang::CXXConstructorDecl& ctor);

  /// Counts how deeply what is imported is nested, and refuses what later steps could not walk over in
  /// sensible time and memory.
  class Nesting {
   public:
    Nesting(const BodyImporter& importer, unsigned& of, unsigned most, const char* what, const clang::Stmt* s)
        : depth(of) {
      if (depth >= most)
        importer.refuse(std::string(what) + " nested more than " + std::to_string(most) + " deep", s);
      ++depth;
    }
    ~Nesting() { --depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    unsigned& depth;
  };
  static constexpr unsigned deepestValue = 4000;
  unsigned valueDepth = 0, choiceDepth = 0, statementDepth = 0, loopDepth = 0;
  Nesting nested(const char* what, const clang::Stmt* s) {
    return {*this, valueDepth, deepestValue, what, s};
  }

  // ImportExprs.cpp
  ir::ExprPtr value(const clang::Expr* e);      ///< prvalue
  ir::ExprPtr place(const clang::Expr* e);      ///< glvalue
  ir::ExprPtr condition(const clang::Expr* e);  ///< bool
  ir::ExprPtr rootValue(const clang::Expr* e);  ///< value where a call with effects may stand as the root
  ir::ExprPtr valueUnnamed(const clang::Expr* e);
  ir::ExprPtr castValue(const clang::CastExpr& e);
  ir::ExprPtr declRef(const clang::DeclRefExpr& e);
  ir::ExprPtr fieldPlace(ir::ExprPtr object, const clang::FieldDecl& field, ir::SourceLoc at);
  ir::ExprPtr memberPlace(const clang::MemberExpr& e);
  ir::ExprPtr logical(const clang::BinaryOperator& e);
  ir::ExprPtr select(const clang::AbstractConditionalOperator& e);
  ir::ExprPtr baseObject(ir::ExprPtr object, const clang::CastExpr& e);
  ir::ExprPtr derivedPointer(const ir::ExprPtr& base, const ir::TypePtr& derived, const clang::CastExpr& e);
  ir::ExprPtr laneTest(const clang::Expr* e, ir::BinaryOp op, const ir::TypePtr& mask);
  ir::ExprPtr binaryValue(const clang::BinaryOperator& e);
  ir::ExprPtr unaryValue(const clang::UnaryOperator& e);
  ir::ExprPtr initList(const clang::InitListExpr& e);
  ir::ExprPtr construct(const clang::CXXConstructExpr& e);
  ir::ExprPtr characters(const clang::StringLiteral& text, const ir::TypePtr& type);
  ir::ExprPtr zero(const ir::TypePtr& type, clang::SourceLocation at);
  /// `bound` names the parts whose place is wanted, not their value.
  std::vector<ir::ExprPtr> sequenced(llvm::ArrayRef<const clang::Expr*> parts,
                                     const std::set<size_t>& bound = {});
  ir::ExprPtr addressOf(const ir::ExprPtr& place);
  ir::ExprPtr coordinate(const clang::Expr* e);  ///< null when e is not threadIdx.x and the like
  ir::ExprPtr pointerOffset(const clang::BinaryOperator& e);

  void constructElements(const ir::ExprPtr& array, const clang::CXXConstructExpr& e);
  void initializeArray(const ir::ExprPtr& array, const clang::Expr* init);
  void forElements(const ir::ExprPtr& array, ir::SourceLoc at,
                   const std::function<void(const ir::ExprPtr&)>& fill);

  // ImportLambdas.cpp
  void noteCaptures(const clang::CXXMethodDecl& call);
  ir::ExprPtr closure(const clang::LambdaExpr& e);
  ir::ExprPtr captured(const clang::ValueDecl& decl, ir::SourceLoc at);  ///< null when it is no capture
  ir::ExprPtr thisPointer(ir::SourceLoc at);

  friend class AccBodies;  // AccBodies.h

  // ImportAssembly.cpp
  friend class AssemblyImporter;
  void assembly(const clang::AsmStmt& s);

  // ImportEffects.cpp
  ir::ExprPtr assignment(const clang::BinaryOperator& e, bool valueUsed);
  ir::ExprPtr placeAfter(const clang::Expr* target, ir::ExprPtr& value);
  ir::ExprPtr increment(const clang::UnaryOperator& e, bool valueUsed);
  ir::ExprPtr temporary(const std::string& name, ir::ExprPtr init);  ///< declares a const and refers to it
  ir::ExprPtr reusable(ir::ExprPtr value,
                       const std::string& name);  ///< value itself when repeating it is harmless
  bool mayDefer(const clang::Expr* target) const;
  // ImportOrder.cpp
  /// Saves those of the values found before the statements from number `begin` on that these would change.
  void keepBefore(size_t begin, llvm::ArrayRef<ir::ExprPtr*> earlier);
  // ImportEffects.cpp
  void flushDeferred();

  // ImportCalls.cpp
  ir::ExprPtr callResult(const clang::CallExpr& e);
  ir::ExprPtr call(const clang::CallExpr& e);  ///< null when the call became statements without a value
  ir::ExprPtr intrinsicCall(const clang::CallExpr& e, const clang::FunctionDecl& callee,
                            const std::string& name);
  ir::ExprPtr userCall(const clang::Expr& e, const clang::FunctionDecl& callee,
                       llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* object);
  ir::ExprPtr argument(const clang::Expr* arg, const clang::ParmVarDecl* param);
  ir::ExprPtr objectPointer(const clang::Expr* object, const clang::FunctionDecl& callee);
  void callArguments(const clang::Expr& e, const clang::FunctionDecl& callee, const ir::Function& function,
                     size_t skip, llvm::ArrayRef<const clang::Expr*> args, std::vector<ir::ExprPtr>& to);

  // ImportDispatch.cpp
  struct DispatchTarget {
    std::vector<uint64_t> ids;
    ir::FunctionPtr function;
  };
  std::vector<DispatchTarget> targetsOf(
      const clang::CXXRecordDecl& base,
      const std::function<ir::FunctionPtr(const clang::CXXRecordDecl&)>& of);
  ir::ExprPtr choose(const clang::Expr& e, const ir::ExprPtr& id, const std::vector<DispatchTarget>& among,
                     const std::vector<ir::ExprPtr>& args, bool isObject);
  ir::ExprPtr virtualCall(const clang::Expr& e, const clang::CXXMethodDecl& method,
                          llvm::ArrayRef<const clang::Expr*> args, const clang::Expr* object);
  ir::ExprPtr pointerCall(const clang::CallExpr& e);
  ir::ExprPtr functionValue(const clang::FunctionDecl& callee, const clang::Expr* e);

  // ImportHeap.cpp
  ir::ExprPtr newObject(const clang::CXXNewExpr& e);
  void deleteObject(const clang::CXXDeleteExpr& e);
  void constructAt(const ir::ExprPtr& pointer, const clang::Expr* init, const clang::Expr& e);

  ir::ExprPtr groupCall(const clang::CXXMemberCallExpr& e);
  ir::ExprPtr groupSync(const ir::TypePtr& group, ir::ExprPtr handle, clang::SourceLocation at);
  bool specialCall(const clang::CallExpr& e, const clang::FunctionDecl& callee, const std::string& name,
                   ir::ExprPtr& result);
  bool syncOrPrint(const clang::CallExpr& e, const std::string& name);
  bool workItemFunction(const clang::CallExpr& e, const std::string& name, ir::ExprPtr& result);
  ir::ExprPtr operatorCall(const clang::CXXOperatorCallExpr& e);
  ir::ExprPtr finishCall(ir::ExprPtr callExpr, const clang::Expr& e, bool pure, const std::string& tempName);
  void noteIntrinsic(const ir::Intrinsic& fn);
  bool assertion(const clang::Expr* e);
  ir::Call printfCall(const clang::CallExpr& e);
  void printfStatement(const clang::CallExpr& e);

  ir::SourceLoc loc(const clang::Stmt* s) const { return unit.loc(s->getBeginLoc()); }
  [[noreturn]] void refuse(const std::string& reason, const clang::Stmt* s) const {
    unit.refuse(reason, s->getBeginLoc());
  }
  [[noreturn]] void unexpected(const std::string& what, const clang::Stmt* s) const {
    unit.unexpected(what, s->getBeginLoc());
  }
  void emit(ir::Stmt::Node node, ir::SourceLoc at) { out->push_back(ir::makeStmt(std::move(node), at)); }
  ir::VarPtr declareLocal(const clang::VarDecl& decl);
  void noteAccess(const ir::ExprPtr& place, bool write);
  void blankLineBefore(const clang::Stmt* s);
  void commentsBefore(unsigned offset);
  void commentsWithin(const clang::Stmt* s);

  UnitImporter& unit;
  const clang::FunctionDecl& fn;
  ir::StmtList* out = nullptr;
  std::unordered_map<const clang::ValueDecl*, ir::VarPtr> locals;
  ir::VarPtr thisVar;
  std::map<const clang::ValueDecl*, const clang::FieldDecl*> captures;  ///< of the closure whose call this is
  const clang::FieldDecl* capturedThis = nullptr;
  const clang::Expr* rootCall = nullptr;  ///< the call that may stay un-hoisted
  const clang::Expr* fullExpr =
      nullptr;  ///< statement-level expression in which updates may be deferred; null: not now
  void checkTemporaries(const clang::Stmt* s) const;

  // ImportLengths.cpp
  void noteLengths();
  void noteLengths(clang::QualType t, const std::string& name);
  ir::ExprPtr elementsOf(clang::QualType flat, clang::SourceLocation at);
  ir::ExprPtr scaled(clang::QualType pointer, ir::ExprPtr index, clang::SourceLocation at);
  ir::ExprPtr elementOfRow(const ir::ExprPtr& row, const ir::ExprPtr& index, ir::SourceLoc at);
  /// Extents of arrays of variable length, by the expressions that give them.
  std::map<const clang::Expr*, ir::VarPtr> lengths;

  /// Counters that a loop's head sets and nothing outside of the loop uses: the head declares them.
  std::set<const ir::Variable*> ownCounters;
  ir::StmtPtr lastFor;    ///< the `for` that was made last: of a nest the outermost
  ir::StmtList deferred;  ///< updates of post-increments, due after the statement
  std::vector<SourceComment> pendingComments;
  size_t nextComment = 0;
  bool keepLayout = false;  ///< comments and blank lines are wanted
  bool localUsing = false;  ///< a using in the body, which is not printed back: names must be whole
};

/// A declaration that can be named from anywhere after it: not inside a function, not inside a template.
bool isNameableEverywhere(const clang::NamedDecl& decl);

/// Whether a pointer or reference to the variable may exist: `&x`, `int& r = x`, or x passed by reference.
bool isExposed(const clang::Stmt* body, const clang::ValueDecl* decl);

/// The expression under parentheses, cleanups, temporaries and other wrappers that change nothing.
const clang::Expr* unwrap(const clang::Expr* e);

/// An array of variable length, or an array of such: in the IR it is its elements, one behind the other, and
/// pointers to it point to these.
bool isFlatArray(clang::QualType t, const clang::ASTContext& ast);

/// Whether a call of a constructor does nothing: the object keeps whatever its memory holds, and nothing is
/// read.
bool leavesUnset(const ir::ExprPtr& made);

}  // namespace hone::frontend
