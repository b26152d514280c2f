#include "frontend/Specialization.h"

#include <functional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "frontend/ConstantValues.h"
#include "frontend/LaunchTemplates.h"
#include "llvm/Support/raw_ostream.h"

namespace hone::frontend {

using namespace clang;

std::vector<std::string> templateArgumentTexts(const TemplateArgumentList& args, const UnitImporter& unit) {
  std::vector<std::string> texts;
  PrintingPolicy policy(unit.ast.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  std::function<void(llvm::ArrayRef<TemplateArgument>)> add = [&](llvm::ArrayRef<TemplateArgument> list) {
    for (const TemplateArgument& arg : list) {
      if (arg.getKind() == TemplateArgument::Pack) {
        add(arg.getPackAsArray());
      } else if (arg.getKind() == TemplateArgument::Type) {
        texts.push_back(unit.typeName(arg.getAsType()));
      } else {
        std::string text;
        llvm::raw_string_ostream stream(text);
        arg.print(policy, stream, false);
        texts.push_back(std::move(text));
      }
    }
  };
  add(args.asArray());
  return texts;
}

namespace {

/// Finds what template arguments name, and what of it stands behind the template.
class NamedByArguments {
 public:
  NamedByArguments(const FunctionDecl& pattern, UnitImporter& importer, const Directives& scanned)
      : unit(importer), directives(scanned), kernel(pattern), place(pattern.getBody()->getEndLoc()) {}

  /// Whether some text behind the template can name the argument; `reason` says why none can.
  bool take(const TemplateArgument& arg) {
    if (arg.getKind() == TemplateArgument::Type) return take(arg.getAsType());
    if (arg.getKind() == TemplateArgument::Integral) return true;
    if (arg.getKind() == TemplateArgument::Pack) return refuse("it has a parameter pack");
    const auto* fn =
        arg.getKind() == TemplateArgument::Declaration ? dyn_cast<FunctionDecl>(arg.getAsDecl()) : nullptr;
    if (!fn || isa<CXXMethodDecl>(fn))
      return refuse("a template argument is neither a type nor an integer nor a function");
    return declaration(*fn->getCanonicalDecl(), unit.qualifiedName(*fn));
  }

  std::string reason;
  /// Behind the last of them, 0: behind the template.
  unsigned offset = 0;

 private:
  bool refuse(std::string text) {
    reason = std::move(text);
    return false;
  }

  bool take(QualType type) {
    while (type->isPointerType() || type->isReferenceType() || type->isArrayType())
      type =
          type->isArrayType() ? QualType(type->getArrayElementTypeNoTypeQual(), 0) : type->getPointeeType();
    const TagDecl* tag = type->getAsTagDecl();
    if (!tag) return true;
    if (tag->getDeclContext()->isFunctionOrMethod())
      return refuse("template argument '" + unit.typeName(type) + "' is local to a function");
    if (const auto* made = dyn_cast<ClassTemplateSpecializationDecl>(tag))
      for (const TemplateArgument& inner : made->getTemplateArgs().asArray())
        if (inner.getKind() == TemplateArgument::Type && !take(inner.getAsType())) return false;
    const TagDecl* text = tag->getDefinition() ? tag->getDefinition() : tag;
    return !unit.isUserCode(text->getLocation()) || declaration(*text, unit.typeName(type));
  }

  bool declaration(const Decl& decl, const std::string& name) {
    const SourceManager& sm = unit.sources;
    if (!sm.isBeforeInTranslationUnit(place, decl.getLocation())) return true;
    // New text stands between declarations of the scope that the template is in.
    const Decl* outer = &decl;
    const DeclContext* scope = kernel.getLexicalDeclContext();
    while (outer && outer->getLexicalDeclContext() != scope) {
      const DeclContext* around = outer->getLexicalDeclContext();
      outer = around && !around->isTranslationUnit() ? Decl::castFromDeclContext(around) : nullptr;
    }
    if (!outer)
      return refuse("template argument '" + name + "' is declared after the template, in another scope");
    const auto* fn = dyn_cast<FunctionDecl>(outer);
    const bool hasBody = (fn && fn->isThisDeclarationADefinition()) || isa<NamespaceDecl>(outer);
    const SourceLocation last = outer->getEndLoc();
    const SourceLocation end =
        hasBody ? Lexer::getLocForEndOfToken(last, 0, sm, unit.ast.getLangOpts())
                : Lexer::findLocationAfterToken(last, tok::semi, sm, unit.ast.getLangOpts(), false);
    const SourceLocation body = kernel.getBody()->getEndLoc();
    if (end.isInvalid() || end.isMacroID() || sm.getFileID(end) != sm.getFileID(sm.getExpansionLoc(body)) ||
        directives.conditionsAt(unit.fileRange(last, last)) !=
            directives.conditionsAt(unit.fileRange(body, body)))
      return refuse("template argument '" + name +
                    "' is declared after the template, where no new text can follow it");
    place = end;
    offset = sm.getFileOffset(end);
    return true;
  }

  UnitImporter& unit;
  const Directives& directives;
  const FunctionDecl& kernel;
  SourceLocation place;
};

}  // namespace

void specializationHead(ImportedKernel& k, const FunctionDecl& fn, UnitImporter& unit,
                        const Directives& directives) {
  const FunctionTemplateDecl* primary = fn.getPrimaryTemplate();
  const TemplateArgumentList* args = fn.getTemplateSpecializationArgs();
  auto refuse = [&](const std::string& why) { k.specializationRefusal = why; };
  const SourceManager& sm = unit.sources;
  const FunctionDecl* pattern = primary ? primary->getTemplatedDecl()->getDefinition() : nullptr;
  if (!args || !pattern || !pattern->getBody())
    return refuse("internal: unexpected instantiation of no template; please report");
  const SourceLocation end = pattern->getBody()->getEndLoc();
  if (fn.getPointOfInstantiation().isValid() &&
      sm.isBeforeInTranslationUnit(fn.getPointOfInstantiation(), end))
    return refuse("it is used before the template's body");
  NamedByArguments named(*pattern, unit, directives);
  for (const TemplateArgument& arg : args->asArray())
    if (!named.take(arg)) return refuse(named.reason);
  k.newTextAfter = named.offset;
  std::string list;
  for (const std::string& text : k.templateArgs) list += (list.empty() ? "" : ", ") + text;
  std::string head = "template <>\n__global__ ";
  if (k.kernel && k.kernel->launchBounds) {
    const ir::LaunchBounds& b = *k.kernel->launchBounds;
    head += "__launch_bounds__(" + std::to_string(b.maxThreads) +
            (b.minBlocks ? ", " + std::to_string(b.minBlocks) : "") + ") ";
  }
  head += "void " + fn.getNameAsString() + "<" + list + ">(";
  bool first = true;
  for (const ParmVarDecl* p : fn.parameters()) {
    head += (first ? "" : ", ") + parameterText(*p, p->getNameAsString(), unit);
    first = false;
  }
  k.specializationHead = head + ")";
}

}  // namespace hone::frontend
