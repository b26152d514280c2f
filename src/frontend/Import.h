// From source files to kernels in IR, with the byte ranges that a patch needs. No Clang type crosses this
// header.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frontend/ParseSource.h"
#include "ir/HostIteration.h"

namespace hone::frontend {

/// Half-open byte range of a file named by its path.
struct FileRange {
  std::string file;
  unsigned begin = 0;
  unsigned end = 0;
  bool valid() const { return !file.empty(); }
};

/// What a launch function needs to be a template with the parameters of a kernel's, so that launches keep the
/// template arguments they are written with.
struct LaunchTemplate {
  FileRange body, definition;           ///< of the primary template
  std::string head;                     ///< "template <typename T, int N = 4>"
  std::vector<std::string> parameters;  ///< of the function, as written, all with names
  std::vector<std::string> names;       ///< of these
  std::string arguments;                ///< "T, N"
  std::string obstacle;                 ///< why there can be none; empty: there can
};

/// Stands for the name in ImportedKernel::parameterTypes.
inline constexpr char parameterName = '$';

/// One kernel definition, or one instantiation of a kernel template, seen in the file or in what it includes.
struct ImportedKernel {
  ir::KernelPtr kernel;  ///< null: left alone
  /// Left alone for the sake of its text only (what #if chooses, a closure, whose type has no name): may be
  /// run, not rewritten.
  ir::KernelPtr runnable;
  std::string name, qualifiedName;
  std::string linkageName;  ///< in object files; empty for what nothing instantiates
  std::vector<std::string> templateArgs;
  ir::SourceLoc loc;
  std::string reason;             ///< why it was left alone
  ir::SourceLoc reasonLoc;        ///< of the construct behind the reason
  FileRange body;                 ///< from `{` to after `}`
  FileRange definition;           ///< from `template` or the first specifier to after `}`
  bool isTemplate = false;        ///< an instantiation; body and definition are those of the primary template
  bool isUninstantiated = false;  ///< a template nobody instantiates in this file (kernel is null)
  bool fromMacro = false;  ///< the definition comes out of a macro expansion: no text of its own to patch
  /// For an instantiation: declaration head of the explicit specialization, without body
  /// ("template <> __global__ void scale<float, 4>(float* x, int n)"); empty with a reason in
  /// specializationRefusal.
  std::string specializationHead;
  std::string specializationRefusal;
  unsigned newTextAfter = 0;  ///< of an instantiation: behind what its arguments name; 0: behind the body
  /// For an instantiation or an explicit specialization; null: it is of no template.
  std::shared_ptr<const LaunchTemplate> launchTemplate;
  std::vector<std::string> parameterTypes;  ///< of these, the parameters at file scope: "const float* $"
  std::set<std::string> conditions;         ///< of #if, that its definition is compiled under
  unsigned conditionalLine = 0;             ///< of the first #if in its body; 0: none
  bool addressTaken = false;                ///< used other than in a launch
  bool isOutsideNamespace = false;  ///< defined by its qualified name, where its namespace is not open
  bool isInSystemHeader = false;
};

/// What a loop of the host around a launch does from one launch to the next; HostLoops.h says what is asked
/// of it.
struct LaunchIteration {
  ir::HostIteration iteration;  ///< over `params`, which stand for the kernel's parameters
  std::vector<ir::VarPtr> params;
  std::string counter;              ///< the loop's counter as written
  std::vector<std::string> others;  ///< HostIteration::others as written at the launch
};

/// The iteration over the parameters of a kernel. `others` are taken in place of the iteration's own where
/// there are as many of them.
ir::HostIteration iterationOver(const LaunchIteration& found, const std::vector<ir::VarPtr>& params,
                                const std::vector<ir::VarPtr>& others = {});
/// Whether a loop does what is known of the kernel's loops.
bool isIterationOf(const LaunchIteration& found, const ir::Kernel& kernel);

/// Of ImportedKernel::reason.
inline constexpr const char* bodyElsewhere = "has no body in this file";

/// Of ImportedLaunch::unpatchable.
inline constexpr const char* launchInDeviceCode = "it stands in device code";

struct ImportedLaunch {
  ir::Launch launch;
  FileRange call;             ///< whole call expression; not valid when inMacro
  std::string linkageName;    ///< of the kernel; empty when templates decide it
  std::string callee;         ///< the kernel as written: "ns::scale<float, 4>"
  std::string arguments;      ///< what stands between the parentheses; of cudaLaunchKernel, the arguments
                              ///< where they can be read off
  bool hasArguments = false;  ///< there may be a comment only
  std::string argumentArray;  ///< of cudaLaunchKernel, the variable that nothing but launches uses
  /// With chevrons, where comments stand outside of the parts: what stands in a call between the function and
  /// the comma before the arguments, "(" included, and between that comma and the arguments.
  std::string beforeComma, behindComma;
  std::string comments;              ///< those outside of the parts
  bool orderMatters = false;         ///< the configuration must be evaluated before the arguments
  std::array<bool, 4> isFixed = {};  ///< grid, block, shared, stream: may be evaluated among the arguments
  std::string unpatchable;           ///< why no call of a function can take its place; empty: one can
  std::string defaults;              ///< arguments that are left out, as they would follow the others
  std::string defaultsObstacle;      ///< why these cannot be written
  std::string writtenArguments;      ///< of the template, "<float, N>"; empty: all are deduced
  std::string templateObstacle;      ///< why those cannot be read off
  FileRange primary;  ///< the body of the kernel's template; not valid: it is none, or one of several
  bool isInstantiated = false;                     ///< stands in an instantiation of a template
  std::map<std::string, int64_t> templateNumbers;  ///< of the parameters of that template
  std::set<std::string> conditions;                ///< of #if, that it is compiled under
  bool seesDefinition = false;  ///< the kernel's definition stands before it in this translation unit
  std::shared_ptr<const LaunchIteration> iteration;  ///< of the loop around it; null: none that would do
};

/// A declaration of a kernel that is no definition.
struct KernelDeclaration {
  std::string linkageName;
  FileRange range;  ///< to after the semicolon
};

/// A function or variable of the device that other files may use; with SourceRequest::linksDevice.
struct DeviceDefinition {
  std::string linkageName;
  std::string name;          ///< as messages have it
  ir::FunctionPtr function;  ///< null: a variable, or left alone
  ir::VarPtr variable;
  std::string reason;  ///< why it was left alone
  ir::SourceLoc reasonLoc;
  ir::SourceLoc loc;
};

struct ImportResult {
  std::string path;
  Language language = Language::Auto;
  bool parsed = false;  ///< an AST was made
  std::string failure;  ///< when not parsed: message to show (Clang's rendering for syntax errors)
  std::vector<Diagnostic> diagnostics;
  std::string renderedDiagnostics;
  bool hasErrorsOutsideHostCode = false;
  std::vector<std::string> notes;
  ir::Module module;
  ir::Module runnableModule;  ///< of kernels that have no text in the IR and can be run all the same
  std::vector<ImportedKernel> kernels;  ///< in source order
  std::vector<ImportedLaunch> launches;
  std::vector<KernelDeclaration> declarations;  ///< in user files
  std::vector<DeviceDefinition> deviceDefinitions;
  std::vector<ir::VarPtr> deviceDeclarations;  ///< variables that code of this file uses and others define
  std::map<std::string, std::string> macros;   ///< object-like ones of user files, as last defined
  std::set<std::string> functionMacros;        ///< names of the others
  std::set<std::string> arithmeticMacros;      ///< those that #if can compare with a number
  std::map<std::string, std::set<std::string>>
      declared;                             ///< by namespace: names that user files declare in it
  std::vector<std::string> included;        ///< by user files, as found
  std::vector<std::string> namedInObjects;  ///< for each of SourceRequest::nameExpressions
  std::vector<FileRange> kernelsInStrings;  ///< string literals that hold kernel source
};

/// Parses and imports; never throws for what the input does.
ImportResult importFile(const SourceRequest& request);

}  // namespace hone::frontend
