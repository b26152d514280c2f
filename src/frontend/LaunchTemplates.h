// Kernel templates and their launches: what a launch function needs to be a template with the parameters of
// its kernel, and launches that stand in one place for several instantiations.
#pragma once

#include "frontend/Importer.h"

namespace hone::frontend {

/// The body of the template that a function was made from; not valid: it is no template's, or nobody wrote
/// it.
FileRange templateBody(const clang::FunctionDecl& fn, const UnitImporter& unit);

/// Sets k.launchTemplate and k.parameterTypes of an instantiation or an explicit specialization.
void describeLaunchTemplate(ImportedKernel& k, const clang::FunctionDecl& fn, const UnitImporter& unit);

/// A parameter of an instantiation as it must be written at file scope, under another name.
std::string parameterText(const clang::ParmVarDecl& parameter, const std::string& name,
                          const UnitImporter& unit);

/// Numbers that the parameters of the templates around a place have in this instantiation.
std::map<std::string, int64_t> templateNumbers(const clang::DeclContext* place);

/// Launches that templates and macros make of one text, which is changed once for all of them: those that say
/// nothing more go, the others agree on what keeps the text from being changed.
void joinLaunches(std::vector<ImportedLaunch>& launches);

}  // namespace hone::frontend
