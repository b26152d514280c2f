// Reads what launches in host code say, and whether a call of a function can take the place of each.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "frontend/Importer.h"

namespace hone::frontend {

/// Where an expression stands.
struct HostPlace {
  const clang::FunctionDecl* function = nullptr;  ///< null: outside of functions
  const clang::LambdaExpr* lambda = nullptr;      ///< the innermost around it, in the function
  bool isDevice = false;
  bool isInstantiation = false;  ///< of a template
};

bool isKernel(const clang::FunctionDecl& fn);

class LaunchReader {
 public:
  explicit LaunchReader(UnitImporter& importer) : unit(importer) {}

  std::vector<ImportedLaunch> launches;

  void chevrons(const clang::CUDAKernelCallExpr& e, const HostPlace& place);
  /// A call of any function; those of the runtime that launch a kernel are taken.
  void call(const clang::CallExpr& e, const HostPlace& place);
  /// Any use of a variable or function.
  void use(const clang::DeclRefExpr& e);
  /// Whether a use of a kernel's name is that in a launch.
  bool isLaunched(const clang::DeclRefExpr* e) const { return launched.contains(e); }
  /// After the walk: an array of arguments that is used for anything but launches may hold something else by
  /// then.
  void checkArgumentArrays();

 private:
  /// Offsets in the file of the call: of a launch with chevrons, where they stand, and the parts that a patch
  /// keeps as they are.
  struct Layout {
    bool hasChevrons = false;
    unsigned calleeEnd = 0, open = 0, close = 0, parenthesis = 0;
    std::vector<std::pair<unsigned, unsigned>> kept;
  };

  void configured(const clang::CallExpr& e, const HostPlace& place);
  void keep(Layout& layout, const clang::Expr& part) const;
  void readArguments(ImportedLaunch& found, Layout& layout, const clang::CallExpr& config,
                     const clang::CUDAKernelCallExpr& e);
  std::string leftOut(const clang::CXXDefaultArgExpr& argument) const;
  bool isSameArgument(clang::QualType given, clang::QualType wanted) const;
  std::vector<const clang::Expr*> readPointers(ImportedLaunch& found, const clang::CallExpr& e,
                                               const HostPlace& place);
  bool isHidden(const clang::DeclRefExpr& named, const clang::CallExpr& launch, const HostPlace& place) const;
  void order(ImportedLaunch& found, const std::array<const clang::Expr*, 4>& configuration,
             const std::vector<const clang::Expr*>& arguments, const clang::CallExpr& e,
             const HostPlace& place) const;
  void nameKernel(const clang::Expr* callee, ImportedLaunch& found, const clang::CallExpr& at);
  void seesDefinition(ImportedLaunch& found, const clang::FunctionDecl& fn, const clang::CallExpr& at) const;
  void writtenArguments(ImportedLaunch& found, clang::SourceLocation name, clang::SourceLocation angle);
  std::string macroObstacle(const clang::CallExpr& e, const FileRange& call) const;
  void readComments(ImportedLaunch& found, const Layout& layout) const;
  void add(ImportedLaunch found, const Layout& layout, const clang::CallExpr& e, const HostPlace& place);

  UnitImporter& unit;
  clang::SourceLocation kernelName, kernelAngle;  // of the launch at hand: the name, and `<` behind it
  std::set<const clang::DeclRefExpr*> launched;
  std::map<const clang::DeclRefExpr*, const clang::VarDecl*>
      argumentArrays;                                   // uses of an array as the arguments of a launch
  std::map<const clang::VarDecl*, unsigned> otherUses;  // of local variables
  std::vector<std::pair<size_t, const clang::VarDecl*>> pointerLaunches;
};

}  // namespace hone::frontend
