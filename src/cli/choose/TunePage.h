// The HTML page of a tuning run: what was measured, joined with what became of the files.
#pragma once

#include "cli/inputs/Arguments.h"
#include "cli/rewrite/RewriteProgram.h"
#include "report/TuneHtml.h"

namespace hone::cli {

// Writes the page, atomically. `reports` are those of the program's kernels; kernels without one are left
// out.
void writeTunePage(const std::string& file, const std::vector<report::TuneReport>& reports,
                   const RewriteProgram& program, const DisplayNames& names, const std::string& command);

// The command line as it can be typed again.
std::string commandText(const std::string& command, const Arguments& arguments);

}  // namespace hone::cli
