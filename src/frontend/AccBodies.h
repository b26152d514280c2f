// Bodies of OpenACC's compute constructs and of the functions that they call: what directives in them say,
// and what they see of the host's variables. Internal to src/frontend.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/AccReader.h"
#include "frontend/AccUnit.h"
#include "frontend/Importer.h"

namespace hone::frontend {

/// Where a construct stands.
struct AccSite {
  const clang::FunctionDecl* function = nullptr;
  std::vector<const clang::OpenACCConstructStmt*>
      around;                                  ///< data constructs of the function, outermost first
  std::set<const clang::ValueDecl*> declared;  ///< by declare directives in the blocks around it
  const std::map<const clang::VarDecl*, AccDataKind>* declaredAtFile = nullptr;
};

class AccBodies : public BodyExtension {
 public:
  AccBodies(UnitImporter& importer, AccReader& clauses, AccUnit& into)
      : unit(importer), reader(clauses), result(into) {}

  /// Imports a compute or combined construct; one that cannot be imported gets a reason.
  AccRegion region(const clang::OpenACCConstructStmt& construct, const AccSite& site);

  bool statement(BodyImporter& body, const clang::Stmt& s) override;
  ir::ExprPtr outside(BodyImporter& body, const clang::Expr& e, const clang::VarDecl& var) override;
  ir::ExprPtr part(BodyImporter& body, const clang::Expr& e) override;
  ir::ExprPtr self(BodyImporter& body, ir::SourceLoc at) override;
  void imported(const clang::FunctionDecl& decl, const ir::FunctionPtr& made) override;
  const clang::FunctionDecl& calleeOf(const clang::FunctionDecl& decl) override;
  ir::ExprPtr libraryCall(BodyImporter& body, const clang::CallExpr& e, const std::string& name) override;
  bool isLinked(const clang::FunctionDecl& decl) override;
  bool isOnDevice(const clang::VarDecl& var) override;
  void placed(const clang::VarDecl& var, const ir::VarPtr& made) override;

  /// A function that is there for code of other files, called in this one or not.
  void routine(const clang::FunctionDecl& function);
  /// Copies on the device of variables that declare directives name, called in this file or not.
  void globals();

 private:
  /// The region at hand.
  struct Scope {
    AccRegion made;
    AccSite site;
    AccComputeClauses clauses;
    const clang::Stmt* statement = nullptr;  ///< that the construct applies to
    std::unique_ptr<BodyImporter> body;
    std::map<const clang::ValueDecl*, ir::VarPtr> objects;   ///< captured as Object, by the host's variable
    std::map<const clang::ValueDecl*, ir::VarPtr> held;      ///< arrays captured by value, in a record
    std::map<const clang::ValueDecl*, ir::VarPtr> sections;  ///< arrays that pointers are reduced over
    std::vector<std::pair<llvm::FoldingSetNodeID, ir::VarPtr>> parts;  ///< expressions that are reduced
    std::map<const clang::ValueDecl*, AccOwnSection> ownSections;  ///< of private and firstprivate pointers
    /// Variables that template parameters stand for in the body, by what the template calls them.
    std::map<const clang::ValueDecl*, std::string> givenPointers, givenReferences;
    ir::VarPtr self;
    bool areClausesRead = false;  ///< what is reduced, private and visible is known
    bool hasOwnNames = false;     ///< the body declares more than variables: names may mean others around it
    std::vector<AccData> firstData, lastData;  ///< implied; before and behind those of clauses
    std::set<const clang::ValueDecl*> privates, firstPrivates, reduced, visible, changed, undeclared,
        hidden,  ///< among `changed`: under other names alone
        inside,  ///< declared in the region
        kept;    ///< variables in AccRegion::kept
    /// Where `data` of a captured variable will be: in firstData, the clauses or lastData.
    enum class From : uint8_t { None, First, Clauses, Last };
    std::vector<std::pair<From, size_t>> dataOf;
  };

  // AccRegions.cpp
  void importBody(const clang::OpenACCConstructStmt& construct);
  void captureAll(const clang::Stmt* s);
  void findNames(const clang::Stmt* s);
  void placeData();

  // AccCaptured.cpp; `host`: what names the variable in the host's text
  ir::ExprPtr captureVariable(const clang::VarDecl& var, const std::string& host, clang::SourceLocation at);
  /// An operand of the construct's data clauses.
  struct Named {
    std::optional<size_t> operand;
    bool isPointerItself = false;  ///< names the pointer, not what it points to
    /// Operands name members alone, and the region uses others too: the whole object is wanted.
    bool isPart = false;
    bool isDeeper = false;  ///< some operand lies behind a pointer in the variable, or in what it points to
  };
  Named namedIn(const clang::VarDecl& key, bool isPointer) const;
  ir::ExprPtr capturePrivate(const clang::VarDecl& decl, const std::string& host, clang::SourceLocation at);
  ir::ExprPtr capturePointer(const clang::VarDecl& decl, const std::string& host, clang::SourceLocation at,
                             const Named& named);
  ir::ExprPtr captureObject(const clang::VarDecl& decl, const std::string& host, clang::SourceLocation at,
                            const Named& named);
  std::string hostName(const clang::VarDecl& var, const clang::Expr* written) const;
  ir::ExprPtr captureGiven(const clang::VarDecl& decl, const std::string& pointer, clang::SourceLocation at,
                           std::optional<size_t> operand);
  std::shared_ptr<ir::Variable> parameterFor(const clang::VarDecl& decl) const;
  void refuseUnreachable(const clang::VarDecl& decl, clang::SourceLocation at);
  ir::ExprPtr captureSelf(ir::SourceLoc at);
  ir::ExprPtr byValue(const clang::VarDecl& var, const std::string& host, clang::SourceLocation at);
  ir::VarPtr add(AccCaptured captured, Scope::From from, size_t data);
  void extents(const clang::VarDecl& var, const std::string& host);

  // AccHiddenChanges.cpp
  void noteHiddenChanges();

  // AccMembers.cpp
  bool usesOtherParts(const clang::ValueDecl* root) const;

  // AccOwnSections.cpp
  std::optional<AccOwnSection> ownSection(const AccListed& listed, bool isFirst, bool isOfLoop);
  ir::VarPtr hostNumber(const clang::VarDecl& decl, const std::string& what, const std::string& text);

  ir::VarPtr hostCopy(const clang::VarDecl& decl, const std::string& address, int count);
  AccOwnSection ownArray(const clang::VarDecl& decl, const std::string& host, bool isFirst);
  ir::VarPtr ownPointer(const clang::VarDecl& decl, clang::SourceLocation at);
  ir::ExprPtr captureOwnArray(const clang::VarDecl& decl, const std::string& host, clang::SourceLocation at,
                              bool isFirst);
  void keep(const clang::VarDecl& decl, const std::string& host);

  // AccReductions.cpp
  bool isWholeArray(const clang::VarDecl& decl, const clang::Expr* written) const;
  ir::VarPtr reducedPart(const clang::VarDecl& decl, const clang::Expr& written);
  bool isFixedPlace(const clang::Expr& e) const;
  void noteReductions(const clang::Stmt* s, bool isInLoop);
  void noteUnread(const clang::Stmt* s, const AccLoopClauses& clauses);
  static void refuseUnread(const AccLoopClauses& clauses);
  ir::VarPtr reductionVariable(BodyImporter& body, const AccListed& listed);
  std::vector<AccReduction> reductions(BodyImporter& body, const std::vector<AccListedReduction>& listed);

  // AccLoops.cpp
  void loop(BodyImporter& body, const clang::Stmt* s, const AccLoopClauses& clauses);
  void plainLoop(BodyImporter& body, const clang::ForStmt& s, int unroll);
  void note(BodyImporter& body, const clang::Stmt& s, AccLoop made);
  int unrollOf(BodyImporter& body, const clang::Stmt* s);
  void refuseConstructor(const clang::VarDecl& decl, clang::SourceLocation at);

  // AccRoutines.cpp
  ir::ExprPtr onDeviceCall(BodyImporter& body, const clang::CallExpr& e);  // AccLibrary.cpp
  const std::optional<AccRoutine>& routineOf(const clang::FunctionDecl& function);
  ir::ExprPtr linked(const clang::VarDecl& decl, ir::SourceLoc at);
  AccLevel levelOf(const clang::FunctionDecl& function);

  // AccTrips.cpp
  std::string trips(const clang::ForStmt& s);
  std::string dependentType(const clang::VarDecl& counter) const;
  void nestTrips(const std::vector<const clang::ForStmt*>& nest, AccLoop& made);
  /// Whether the host has the value before the region begins, and the device the same one.
  bool isKnownBefore(const clang::Expr* e) const;

  // AccAtomics.cpp
  void atomic(BodyImporter& body, const clang::OpenACCAtomicConstruct& construct);

  UnitImporter& unit;
  AccReader& reader;
  AccUnit& result;
  Scope* scope = nullptr;                   ///< null outside of regions
  std::set<const clang::Stmt*> associated;  ///< loops that directives of loops around them speak for
  std::map<const clang::FunctionDecl*, std::optional<AccRoutine>> routines;
  std::map<const clang::VarDecl*, ir::VarPtr> onDevice;  ///< copies of variables at file scope
  std::map<std::string, unsigned> ordinals;              ///< of regions, by function
};

/// Variables are told apart by their first declaration.
inline void noteKey(std::set<const clang::ValueDecl*>& to, const clang::ValueDecl* var) {
  if (var) to.insert(clang::cast<clang::ValueDecl>(var->getCanonicalDecl()));
}

}  // namespace hone::frontend
