// Kernels and plans by way of their text: printed, read again, and what became of them.
#pragma once

#include "FuzzSubject.h"
#include "frontend/Import.h"

namespace hone::test {

frontend::ImportResult importText(const std::string& source, bool isOpenCl);

// Makes the subject a kernel of OpenCL C. Nothing changes where that has no words for it.
void translateToOpenCl(FuzzSubject& subject, const ir::Module& module);

struct ReadBack {
  ir::PlanPtr plan;     // with the kernels as they were read; null: there is a problem, or no text
  std::string problem;  // the text is no kernel, or another one
};
ReadBack readBack(const FuzzSubject& subject, const ir::Plan& plan);

}  // namespace hone::test
