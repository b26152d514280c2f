// The declaration head under which an instantiation of a kernel template can be written out as an explicit
// specialization.
#pragma once

#include "frontend/Directives.h"
#include "frontend/Import.h"
#include "frontend/Importer.h"

namespace hone::frontend {

std::vector<std::string> templateArgumentTexts(const clang::TemplateArgumentList& args,
                                               const UnitImporter& unit);

/// Sets k.specializationHead and k.newTextAfter, or k.specializationRefusal with the reason why there can be
/// none.
void specializationHead(ImportedKernel& k, const clang::FunctionDecl& fn, UnitImporter& unit,
                        const Directives& directives);

}  // namespace hone::frontend
