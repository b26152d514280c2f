// What a launch of a kernel becomes, as source beside the original: new kernels, and for CUDA a function that
// launches them.
#pragma once

#include <array>
#include <set>

#include "emit/Emit.h"
#include "ir/Plan.h"

namespace hone::emit {

// Where the text goes and what is known there.
struct PlanSite {
  std::string title;     // the original for comments: "matmul", "scale<float, 4>"
  std::string original;  // the original as a launch there names it
  std::string
      space;  // CUDA: the namespace of the new kernels; OpenCL: their name, numbered where there are several
  std::string launch;           // CUDA: the launch function; of a plan that does several iterations it takes
                                // HostIteration::others too and returns the counter
  std::string launchArguments;  // CUDA: "<float, 4>" where the launch function is that specialization of a
                                // template (EmitLaunchTemplate.h); empty: it is a function of its own
  std::vector<std::string> parameterTypes;  // of the specialization's further parameters, `$` for the name
  std::string recipe, target;               // for the comment above; may be empty
  std::string
      selfCheck;  // CUDA: the function that compares original and plan on the caller's data; empty: none
  std::set<std::string> macros;  // names that mean something else whatever the scope
  std::set<std::string> taken;   // names that constants must not take
  bool isStatic = false;         // kernels and launch function belong to one translation unit
  bool isExternal = false;       // the launch function is called from other translation units
  bool deviceOnly =
      false;  // nothing around is host code: compilers for the device alone must not see the launch function
  bool hostOnly = false;  // the kernels are printed elsewhere, at file scope, under the names of `space`
  bool leavesC = false;   // the place lies in extern "C" { … }
};

struct PlanKernel {
  std::string name;      // as written in its scope
  ir::KernelPtr kernel;  // as it must read back
};

// One launch of the plan for people and JSON. Sizes are formulas over the original's launch and arguments.
struct PlanRow {
  std::string kernel;                      // as written at the place
  std::array<std::string, 3> grid, block;  // OpenCL: global and local size
  std::vector<std::string> args;
  std::string shared;     // bytes of dynamic shared memory; empty: as the original launch has it
  std::string condition;  // that the host must test; empty: none
  std::string loop;       // "for (int s = …)" around it; empty: none
  bool isOriginal = false;
};

// OpenCL: the host's function that enqueues a kernel, or what its plan says, see EmitEnqueue.h.
struct EnqueueText {
  std::string name;                // "mm_enqueue"
  std::string text;                // the function, unformatted
  std::string problem;             // why there is none; empty: there is one
  std::string kernel = {};         // "mm"
  std::vector<std::string> types;  // of the host's arguments: "cl_mem", "cl_int"
};

struct PlanText {
  std::string text;                 // formatted, without a newline at the end
  std::string declaration;          // of the launch function, with its semicolon
  std::vector<PlanKernel> kernels;  // the new ones
  std::vector<PlanRow> rows;
  std::vector<std::string> buffers;    // OpenCL: "float* partial: w * 4 elements", which the host makes
  std::vector<std::string> constants;  // OpenCL: names that the text defines at file scope
  EnqueueText enqueue;
  std::vector<EmitError> errors;
  bool ok() const { return errors.empty(); }
};

PlanText emitPlan(const ir::Plan& plan, const PlanSite& site, const EmitOptions& options);

}  // namespace hone::emit
