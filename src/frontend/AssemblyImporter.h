// Inline assembly in kernels that are run: the instructions of PTX that programs write by hand, one by one,
// as expressions of the IR. What is not known here leaves the kernel alone.
//
//   ImportAssembly.cpp    operands, registers, memory, fences and barriers
//   AssemblyCompute.cpp   instructions that compute
//   AssemblyWarp.cpp      exchanges between lanes, atomics, copies to shared memory
#pragma once

#include <map>
#include <optional>

#include "clang/AST/Stmt.h"
#include "frontend/Importer.h"
#include "frontend/PtxText.h"

namespace hone::frontend {

class AssemblyImporter {
 public:
  AssemblyImporter(BodyImporter& importer, const clang::GCCAsmStmt& statement)
      : body(importer), s(statement), at(importer.loc(&statement)) {}
  void run();

 private:
  using Words = ptx::Words;

  [[noreturn]] void unknown(const std::string& what) { body.refuse("inline assembly '" + what + "'", &s); }
  // The text with `$3` for the operand of that number and single percent signs.
  std::string operandsNamed();
  ir::VarPtr variable(const std::string& name, const ir::TypePtr& type, ir::ExprPtr init);
  void readOperands();
  // The same bits as another type; integers are cut or extended by their own sign.
  ir::ExprPtr bits(const ir::ExprPtr& e, const ir::TypePtr& to);
  ir::ExprPtr reinterpret(const ir::ExprPtr& e, const ir::TypePtr& to);
  void assign(const ir::ExprPtr& target, const ir::ExprPtr& v);
  const ir::VarPtr* registerNamed(const std::string& name);
  ir::ExprPtr op(ir::BinaryOp o, const ir::ExprPtr& a, const ir::ExprPtr& b) {
    return ir::makeExpr(ir::isComparison(o) ? ir::boolType() : a->type, ir::Binary{o, a, b}, at);
  }
  ir::ExprPtr number(uint64_t v, const ir::TypePtr& type) { return ir::intLit(int64_t(v), type, at); }
  ir::ExprPtr either(const ir::ExprPtr& c, const ir::ExprPtr& yes, const ir::ExprPtr& no) {
    return ir::makeExpr(yes->type, ir::Select{c, yes, no}, at);
  }
  ir::ExprPtr inverted(const ir::ExprPtr& e) {
    return ir::makeExpr(e->type, ir::Unary{ir::UnaryOp::BitNot, e}, at);
  }
  ir::ExprPtr call(const std::string& name, std::vector<ir::ExprPtr> args, const ir::TypePtr& result);
  ir::ExprPtr coordinate(ir::CoordKind kind, char axis);
  ir::ExprPtr special(const std::string& name);
  ir::ExprPtr read(const std::string& word, const ir::TypePtr& type);
  std::optional<uint64_t> literal(const std::string& word);
  void write(const std::string& word, const ir::ExprPtr& v);
  // Shifts by the width or more give zeros, or the sign.
  ir::ExprPtr shifted(bool left, const ir::ExprPtr& v, const std::string& by);
  ir::ExprPtr wide(const ir::ExprPtr& e);
  ir::ExprPtr product(const Words& parts, const ir::TypePtr& type, const std::string& a,
                      const std::string& b);
  ir::ExprPtr carry();
  // a + b or a - b with the carry of the one before, and the new carry where asked for.
  void addWithCarry(const Words& parts, bool subtract, bool takes, const std::string& to, ir::ExprPtr a,
                    ir::ExprPtr b);
  ir::ExprPtr lookup(const ir::ExprPtr& a, const ir::ExprPtr& b, const ir::ExprPtr& c, unsigned table);
  // [address + offset] as a pointer to the type.
  ir::ExprPtr pointer(const std::string& word, const ir::TypePtr& type, bool isVolatile,
                      bool isShared = false);
  void access(bool load, const Words& parts, const ir::TypePtr& type, const Words& args);
  bool statement(const Words& parts, const Words& args);
  void instruction(const std::string& line);
  bool compute(const Words& parts, const Words& args, const ir::TypePtr& type);
  // Sums, products, quotients and roots rounded as `mode` says (rd, ru, rz).
  bool rounded(const std::string& mode, const Words& parts, const Words& args, const ir::TypePtr& type);
  bool logic(const std::string& name, const Words& args);
  bool compare(const std::string& how, const Words& args, ir::TypePtr type);
  bool pack(const Words& args, const ir::TypePtr& type);
  bool count(const Words& parts, const Words& args, const ir::TypePtr& type);
  bool conversion(const Words& parts, const Words& args, const ir::TypePtr& from);
  bool shuffle(const Words& parts, const Words& args, const ir::TypePtr& type);
  bool warpWide(const Words& parts, const Words& args, const ir::TypePtr& type);
  bool update(const Words& parts, const Words& args, const ir::TypePtr& type);
  bool copyAside(const Words& parts, const Words& args);
  bool field(bool insert, const Words& args, const ir::TypePtr& type);

  BodyImporter& body;
  const clang::GCCAsmStmt& s;
  ir::SourceLoc at;
  std::vector<ir::VarPtr> operands;  // outputs, then inputs
  std::map<std::string, ir::VarPtr> registers;
  ir::ExprPtr guard;  // of the instruction at hand: @p
  ir::VarPtr carryFlag;
};

}  // namespace hone::frontend
