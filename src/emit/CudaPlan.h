// A plan being printed as CUDA; private to EmitPlan.cpp and EmitLaunchFunction.cpp.
#pragma once

#include "emit/PlanKernels.h"
#include "emit/TakenValues.h"
#include "emit/TypeText.h"

namespace hone::emit {

// Whether one of the words stands in a text as a name of its own.
bool hasWordOf(const std::string& text, const std::set<std::string>& words);

class CudaPlan {
 public:
  CudaPlan(const ir::Plan& plan, const PlanSite& site, const EmitOptions& options);
  PlanText print();

 private:
  // The launch function alone, for a file of its own: no name of the source is in scope.
  PlanText printHost();
  // What the new kernels need that the file may not have.
  std::string headers();
  void keepErrors(const Emitter& e);
  // Names of template parameters mean nothing outside the template.
  void leaveTemplate(TypeText& types) const;
  void nameKernels();
  std::string bounds(const NewKernel& k, ir::Kernel& expected);
  std::string kernelText(NewKernel& k);

  // The launch function (EmitLaunchFunction.cpp).
  std::string launchFunction();
  // The plan and a return from it; what follows is for the original, which the user may ask for at run time.
  std::string unlessOff();
  // Leaves the launch function after a plan.
  std::string ends(const ir::Plan& p);
  std::string returnAfter(unsigned iterations);
  std::string body(const ir::Plan& p);
  std::string value(const ir::ExprPtr& e);
  // &a[i] is an address and no load.
  static bool loadsMemory(const ir::ExprPtr& e);
  // All threads of the original launch along an axis, where they are counted in 64 bits, under a name.
  ir::ExprPtr threads64(unsigned axis, const ir::TypePtr& type);
  std::string buffer(const ir::BufferStep& b, std::vector<std::string>& made, bool launched);
  std::string originalLaunch();
  std::string extents(const std::array<ir::ExprPtr, 3>& list);
  std::string launch(const ir::LaunchStep& l);
  // An array that the original only reads may be handed over to be written where the host exchanges arrays
  // from iteration to iteration.
  std::string argument(const ir::ExprPtr& e, const ir::Type& wanted);
  // More than 48 KB of dynamic shared memory must be asked for.
  static std::string allow(const std::string& callee, const std::string& bytes, bool test);
  std::string cooperative(const ir::LaunchStep& l, const std::string& callee,
                          const std::vector<std::string>& args, const std::string& blocks,
                          const std::string& threads, const std::string& bytes);
  // Tests of one kind under a name that says what they are about. The original may be what follows.
  std::string choice(const ir::ChoiceStep& c, const std::string& alsoAsked = {},
                     bool originalFollows = false);
  // A choice between two plans of our own by numbers alone: its test needs no name.
  bool isBySize(const ir::ChoiceStep& c) const;
  bool onlyOriginal(const ir::Plan& p) const;
  std::string loop(const ir::LoopStep& l);
  void row(const ir::LaunchStep& l, const NewKernel* k);

  const ir::Plan& plan;
  const PlanSite& site;
  const EmitOptions& options;
  PlanKernels kernels;
  Emitter host;
  bool countsIterations;  // the launch function returns the loop's counter
  std::set<std::string> templateParams;
  std::array<ir::VarPtr, 3> threadsOf;  // named totals of the original launch
  std::string grid, block, shared, stream, around;
  TakenValues taken;
  std::string valuesHold;               // constant that says so; empty: there is nothing to ask in code
  std::vector<ir::ExprPtr> conditions;  // that hold where we are
  PlanText result;
};

}  // namespace hone::emit
