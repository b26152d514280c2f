// Decides, for every kernel of the given files, what text takes its place, or why it is left alone, and
// checks that the new text reads back as the kernel it was made from.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/inputs/GivenFile.h"
#include "cli/inputs/TextStyle.h"
#include "emit/EmitPlan.h"
#include "emit/Marks.h"
#include "emit/Patch.h"
#include "emit/TakenValues.h"
#include "passes/recipe/Pass.h"

namespace hone::cli {

// A kernel as one of the given files sees it.
struct KernelView {
  size_t file = 0;         // index of the given file
  ir::KernelPtr original;  // null: that file's import left it alone
  ir::KernelPtr result;    // after the recipe
  const frontend::ImportedKernel* imported = nullptr;
  ir::PlanPtr plan = {};                     // null: left alone before there was one
  std::vector<emit::PlanKernel> added = {};  // kernels beside the original, by qualified name
};

// How the text of a plan meets the file.
enum class PlanForm {
  InPlace,  // the body is replaced, or an instantiation becomes a specialization
  AtEntry,  // the same, with the condition of the plan tested at the entry of the kernel
  Beside    // new kernels behind the original, which stays
};

// A launch of a kernel whose plan stands beside it.
struct LaunchOutcome {
  ir::SourceLoc loc;
  std::string reason;  // why it stays as it is; empty: it calls the launch function now
  std::vector<emit::Edit>
      edits;            // of the launch, and a declaration of the launch function where it needs one
  bool mayCall = true;  // the user may write a call there
};

// A kernel's part of what a capture has of the program.
struct CapturedShare {
  double part = 0;      // from 0 to 1
  std::string of;       // "time on the device"
  std::string capture;  // its path
};

// What becomes of one kernel, or of one instantiation of a kernel template.
struct KernelOutcome {
  std::string name;  // with template arguments
  std::string qualifiedName;
  std::vector<std::string> templateArgs;
  std::string file;  // canonical
  ir::SourceLoc loc;
  ir::Language language = ir::Language::Cuda;
  ir::KernelPtr result;  // after the recipe, of a plan the first of its new kernels; null: left alone
  std::optional<emit::Edit> edit;  // none: left alone, or the text is as it was
  // The template that the launch function is a specialization of, which other instantiations share.
  std::optional<emit::Edit> templateEdit;
  ir::PlanPtr plan;
  PlanForm form = PlanForm::InPlace;
  std::string launchFunction;           // CUDA, beside the original: as a launch at file scope names it
  emit::PlanText planText;              // beside the original
  std::vector<LaunchOutcome> launches;  // those in sight, where the plan stands beside the original
  std::string reason;                   // why it is left alone
  ir::SourceLoc reasonLoc;
  std::vector<passes::Remark> remarks;  // of the passes
  std::string refusedBy;                // the pass that refused; empty: another reason
  std::string recipe;
  std::optional<bool> verified;
  std::optional<double> speedup;
  std::optional<CapturedShare> share;
  std::string atSizes;   // that the estimate is for: "guessed (n=1024)"; empty: those that were given
  bool isShown = false;  // the user has been told what was done and why
  bool isTemplate = false;
  bool isUninstantiated = false;
  // Constants and types are printed without the names they have in the source: code from device functions may
  // use names that mean nothing in the kernel.
  bool withoutNames = false;
  std::vector<KernelView> views;  // one per given file that sees it
};

// Of the remarks about a kernel that is left alone after all: what was done to it is no news.
void keepNotes(KernelOutcome& outcome);

// Why no text can take the place of a kernel, whatever the recipe; empty: some can.
std::string whyLeftAlone(const frontend::ImportedKernel& kernel);

// A plan for one kernel and how it came about.
struct MadePlan {
  passes::PassResult result;
  std::string recipe;
  std::optional<bool> verified;   // on the embedded device; nothing: not tried
  std::optional<double> speedup;  // estimated
  std::optional<CapturedShare> share = {};
  std::string atSizes = {};  // that the estimate is for: "guessed (n=1024)"
  bool isShown = false;      // the user has been told what was done and why
};

struct RewriteOptions {
  std::function<MadePlan(const GivenFile&, const frontend::ImportedKernel&)>
      make;                          // null: kernels stay as they are
  std::vector<std::string> kernels;  // names; empty: all
  // What of the project's file has a kernel of that file (canonical) left alone; empty: nothing. May be null.
  std::function<std::string(const std::string&, const frontend::ImportedKernel&)> leftBy;
  bool mainFilesOnly = false;     // edits of included files have nowhere to go
  std::string mainFilesOnlyHint;  // what to do about it
  // With `mainFilesOnly`: included files (canonical) that may be edited all the same. May be null.
  std::function<std::set<std::string>(const std::vector<GivenFile>&)> headersToEdit;
  bool lineNotes = false;  // new text says which line each statement came from (emit::EmitOptions)
  bool selfCheck = false;  // CUDA, beside the original: a function that compares the two on the caller's data
  bool recheck = true;
  bool onlyWhereLaunched = false;  // what no launch in sight would use is not written; where the files launch
                                   // nothing at all, launches are out of sight
  std::string target;              // for the comment above what a plan adds
};

// A launch of a kernel in one of the given files.
struct SeenLaunch {
  size_t file = 0;
  const frontend::ImportedLaunch* launch = nullptr;
  std::string reason;  // why it cannot be patched; empty: it can
  const frontend::KernelDeclaration* declaration =
      nullptr;               // behind which the launch function must be declared
  bool isElsewhere = false;  // its translation unit does not define the kernel
  bool isOutside = false;    // of an #if that the kernel stands under
  bool isDone = false;       // it stands in a template of launch functions, which has a specialization now
};

class RewriteProgram {
 public:
  // The files must stay where they are for the life of this object.
  RewriteProgram(const std::vector<GivenFile>& files, RewriteOptions options);

  void run();

  const std::vector<KernelOutcome>& outcomes() const { return list; }
  // Old and new contents of every file that changes, by canonical path.
  std::map<std::string, std::string> changedFiles() const;
  // A file as hone read it: without what an earlier run wrote into it and this one does anew.
  const std::string& originalText(const std::string& file) const;
  // A file as it is on disk.
  const std::string& currentText(const std::string& file) const;

 private:
  void collect();
  void decide(KernelOutcome& outcome, const GivenFile& file, const frontend::ImportedKernel& kernel);
  void emitText(KernelOutcome& outcome, const frontend::ImportedKernel& kernel);
  void placePlan(KernelOutcome& outcome, const frontend::ImportedKernel& kernel, const ir::PlanPtr& plan);
  // What a build must have in common with this one for new text to hold.
  emit::TakenValues takenOf(const KernelOutcome& outcome, const frontend::ImportedKernel& kernel) const;
  // The new lines of a body between the original's braces, marked.
  void replaceBody(KernelOutcome& outcome, const frontend::ImportedKernel& kernel, const std::string& body,
                   const std::string& condition);
  // What marks call the kernel.
  static std::string markName(const KernelOutcome& outcome);
  emit::MarkSite markSite(const std::string& file, size_t at);
  // Whether edits of this file (canonical) have somewhere to go.
  bool mayEdit(const std::string& file) const;
  // How text at byte `at` of the outcome's file is laid out.
  emit::EmitOptions optionsAt(const KernelOutcome& outcome, const frontend::ImportedKernel& kernel,
                              size_t at);
  bool canPlace(KernelOutcome& outcome, const frontend::ImportedKernel& kernel);
  void emitBeside(KernelOutcome& outcome, const frontend::ImportedKernel& kernel, const ir::Plan& plan);
  // What the files declare where the kernel stands and in the namespaces around it.
  std::set<std::string> namesAround(const std::string& qualifiedName) const;
  std::vector<SeenLaunch> launchesOf(const frontend::ImportedKernel& kernel, bool doesIterations) const;
  // Whether the files launch kernels, and not this one.
  bool isNeverLaunched(const frontend::ImportedKernel& kernel) const;
  // Whether launches of a kernel are in sight and all can call a launch function.
  bool canPatchAll(const frontend::ImportedKernel& kernel) const;
  // Why a launch of the kernel that could be patched as such keeps its text.
  std::string launchObstacle(const frontend::ImportedKernel& kernel, const frontend::ImportedLaunch& launch,
                             bool doesIterations) const;
  // A template of launch functions that an earlier run made for other instantiations, which stay.
  struct KeptTemplate {
    std::string function;
    unsigned begin = 0, end = 0;  // of its block
  };
  std::optional<KeptTemplate> keptTemplate(const frontend::ImportedKernel& kernel) const;
  // The template that launch functions of its instantiations specialize.
  void placeLaunchTemplate(KernelOutcome& outcome, const frontend::ImportedKernel& kernel,
                           const std::string& name);
  // What launches call.
  struct LaunchFunction {
    std::string name;         // without scope
    std::string declaration;  // for other translation units
    bool isTemplate = false;  // called with the template arguments that a launch is written with
    bool doesIterations = false;
  };
  void patchLaunches(KernelOutcome& outcome, const frontend::ImportedKernel& kernel,
                     const std::vector<SeenLaunch>& seen, const LaunchFunction& function);
  // A call in place of a launch, marked.
  emit::Edit launchEdit(const std::string& file, const frontend::FileRange& launch, std::string call);
  const std::set<std::string>& wordsOf(const std::string& file) const;
  // A name of which nothing in the program is called NAME_hone or NAME_launch; `arguments` make it that of
  // one instantiation.
  std::string freeName(const frontend::ImportedKernel& kernel, const frontend::FileRange& body,
                       const std::vector<std::string>& arguments);
  const TextStyle& styleOf(const std::string& file);
  void leave(std::string reason, KernelOutcome& outcome, const ir::SourceLoc& loc = {}) const;
  void merge(KernelOutcome& known, const KernelOutcome& other);
  void leaveOverlapping();
  void checkReadsBack();

  // What is wrong with the program when only the outcomes in `active` are applied: why, per outcome; key
  // SIZE_MAX is for what cannot be put on one kernel.
  std::map<size_t, std::string> readBack(const std::vector<size_t>& active) const;
  std::map<std::string, std::string> patched(const std::vector<size_t>& active) const;
  // Those of the changed texts that a given file consists of: its own, and of what it includes.
  std::map<std::string, std::string> partsOf(size_t file,
                                             const std::map<std::string, std::string>& changed) const;

  const std::vector<GivenFile>& files;
  RewriteOptions options;
  std::set<std::string> editableHeaders;
  std::vector<KernelOutcome> list;
  mutable std::map<std::string, std::string> texts;  // canonical path to contents on disk
  std::map<std::string, TextStyle> styles;
  mutable std::map<std::string, std::set<std::string>> words;  // identifiers in the code of a file
  mutable std::map<size_t, std::set<std::string>> included;    // by a given file, canonical paths
  // By given file, the changed texts of which it was last read back with nothing wrong.
  mutable std::map<size_t, std::map<std::string, std::string>> readBackWell;
  std::map<std::string, std::string> chosenNames;        // by kernel: the name that its plan's text goes by
  std::set<std::string> givenNames;                      // names that plans brought into the program
  std::multimap<std::string, std::string> ownConstants;  // OpenCL: of these, the constants of one plan
};

}  // namespace hone::cli
