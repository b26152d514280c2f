// Locations, names, source text and comments of a translation unit, as the rest of the importer asks for
// them.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/Importer.h"
#include "llvm/Support/raw_ostream.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

UnitImporter::UnitImporter(const ParsedSource& parsed, ir::Module& target)
    : source(parsed),
      ast(parsed.ast()),
      sources(parsed.sources()),
      module(target),
      openCL(parsed.language() == Language::OpenCL) {
  isC = !ast.getLangOpts().CPlusPlus;
  module.language = openCL ? ir::Language::OpenCL : ir::Language::Cuda;
  for (const Diagnostic& d : parsed.diagnostics())
    if (d.severity >= Severity::Error && !d.function.empty()) errorsByFunction.emplace(d.function, &d);
}

ir::SourceLoc UnitImporter::loc(SourceLocation l) const {
  if (l.isInvalid()) return {};
  // A file for OpenACC may be a preprocessed one: its line markers say where the user wrote what.
  const bool followsMarkers = source.language() == Language::Acc;
  const PresumedLoc p = sources.getPresumedLoc(sources.getExpansionLoc(l), followsMarkers);
  if (p.isInvalid()) return {};
  return {ir::internFile(p.getFilename()), p.getLine(), p.getColumn()};
}

bool UnitImporter::isLibraryInSource(FileID file) const {
  auto [known, isNew] = librariesInSource.try_emplace(file.getHashValue(), false);
  if (isNew)
    if (const OptionalFileEntryRef entry = sources.getFileEntryRefForID(file))
      for (const char* folder : {"/cuda_stub/cub/", "/cuda_stub/thrust/", "/hone_cuda/parallel/"})
        known->second |= entry->getName().contains(folder);
  return known->second;
}

bool UnitImporter::isUserCode(SourceLocation l) const {
  if (l.isInvalid()) return false;
  l = sources.getExpansionLoc(l);
  if (toRun && isLibraryInSource(sources.getFileID(l))) return true;
  if (sources.isInSystemHeader(l) || sources.isWrittenInBuiltinFile(l) ||
      sources.isWrittenInCommandLineFile(l))
    return false;
  if (const OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(l))) return true;
  return sources.getFileID(l) == sources.getMainFileID();
}

void UnitImporter::refuse(const std::string& reason, SourceLocation l) const {
  throw Refusal{reason, loc(l)};
}

void UnitImporter::unexpected(const std::string& what, SourceLocation l) const {
  throw Refusal{"internal: unexpected " + what + "; please report", loc(l)};
}

FileRange UnitImporter::fileRange(SourceLocation begin, SourceLocation endToken) const {
  if (begin.isInvalid() || endToken.isInvalid() || begin.isMacroID() || endToken.isMacroID()) return {};
  const FileID file = sources.getFileID(begin);
  if (file != sources.getFileID(endToken)) return {};
  const OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry) return {};
  const unsigned length = Lexer::MeasureTokenLength(endToken, sources, ast.getLangOpts());
  llvm::StringRef path = entry->getFileEntry().tryGetRealPathName();
  return {path.empty() ? entry->getName().str() : path.str(), sources.getFileOffset(begin),
          sources.getFileOffset(endToken) + length};
}

std::string UnitImporter::text(SourceRange range) const {
  if (range.isInvalid() || range.getBegin().isMacroID() || range.getEnd().isMacroID()) return "";
  return Lexer::getSourceText(CharSourceRange::getTokenRange(range), sources, ast.getLangOpts()).str();
}

std::string UnitImporter::qualifiedName(const NamedDecl& decl) const {
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.SuppressDefaultTemplateArgs = true;
  std::string name;
  llvm::raw_string_ostream stream(name);
  decl.printQualifiedName(stream, policy);
  if (const auto* fn = dyn_cast<FunctionDecl>(&decl))
    if (const TemplateArgumentList* args = fn->getTemplateSpecializationArgs();
        args && args->size() && !fn->isOverloadedOperator())
      printTemplateArgumentList(stream, args->asArray(), policy);
  if (const auto* var = dyn_cast<VarTemplateSpecializationDecl>(&decl))
    printTemplateArgumentList(stream, var->getTemplateArgs().asArray(), policy);
  return name;
}

std::vector<SourceComment> UnitImporter::comments(const FileRange& range) const {
  std::vector<SourceComment> found;
  if (!range.valid()) return found;
  auto entry = sources.getFileManager().getOptionalFileRef(range.file);
  if (!entry) return found;
  const FileID file = source.fileId(entry->getFileEntry());
  if (file.isInvalid()) return found;
  const llvm::StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), ast.getLangOpts(), buffer.begin(),
              buffer.begin() + range.begin, buffer.end());
  lexer.SetCommentRetentionState(true);
  Token token;
  while (!lexer.LexFromRawLexer(token)) {
    const unsigned begin = sources.getFileOffset(token.getLocation());
    if (begin >= range.end) break;
    if (token.isNot(tok::comment) || source.record().isDirectiveOrSkipped(range.file, begin)) continue;
    SourceComment c;
    c.begin = begin;
    c.end = begin + token.getLength();
    c.line = sources.getExpansionLineNumber(token.getLocation());
    llvm::StringRef raw = buffer.substr(begin, token.getLength());
    const bool block = raw.starts_with("/*");
    raw = raw.drop_front(2);
    if (block) raw = raw.drop_back(2);
    llvm::SmallVector<llvm::StringRef, 8> lines;
    raw.split(lines, '\n');
    for (size_t i = 0; i < lines.size(); ++i) {
      llvm::StringRef line = lines[i].rtrim();
      if (block && i > 0) {
        line = line.ltrim();
        line.consume_front("*");
      }
      line.consume_front(" ");
      if (block && line.trim().empty() && (i == 0 || i + 1 == lines.size()) && lines.size() > 1) continue;
      c.text += (c.text.empty() ? "" : "\n") + line.rtrim().str();
    }
    // Line comments that follow each other on neighbouring lines are one comment.
    if (!block && !found.empty() && found.back().line + 1 == c.line &&
        buffer.substr(found.back().end, begin - found.back().end).trim().empty() && !found.back().trailing) {
      found.back().text += "\n" + c.text;
      found.back().end = c.end;
      found.back().line = c.line;
      continue;
    }
    const size_t lineStart =
        buffer.rfind('\n', begin) == llvm::StringRef::npos ? 0 : buffer.rfind('\n', begin) + 1;
    c.trailing = !buffer.substr(lineStart, begin - lineStart).trim().empty();
    found.push_back(std::move(c));
  }
  return found;
}

const Diagnostic* UnitImporter::errorIn(const FunctionDecl& decl) const {
  auto it = errorsByFunction.find(decl.getQualifiedNameAsString());
  return it == errorsByFunction.end() ? nullptr : it->second;
}

}  // namespace hone::frontend
