// Notes what the preprocessor does in user files.
#pragma once

#include "frontend/ParseSource.h"

#include <memory>

namespace clang {
class PPCallbacks;
class Preprocessor;
}  // namespace clang

namespace hone::frontend {

/// Callbacks that fill `record` and `missing`, both of which must outlive the preprocessor.
std::unique_ptr<clang::PPCallbacks> recordPreprocessor(clang::Preprocessor& preprocessor,
                                                       PreprocessorRecord& record,
                                                       std::vector<MissingHeader>& missing);

}  // namespace hone::frontend
