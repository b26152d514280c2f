// A whole file: what the text needs from outside, named constants, records, globals, functions, kernels.
#include <algorithm>
#include <cctype>

#include "emit/Emitter.h"
#include "emit/PlanKernels.h"
#include "emit/Translate.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isIdentifier(const std::string& s) {
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0]))) return false;
  return std::all_of(s.begin(), s.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

// Macros that headers or the language itself define: their values are printed instead.
bool isPlatformName(const std::string& name) {
  for (const char* prefix : {"FLT_",   "DBL_",   "HALF_",   "LDBL_",   "INT_",    "UINT_",  "LONG_",
                             "ULONG_", "LLONG_", "ULLONG_", "CHAR_",   "SCHAR_",  "UCHAR_", "SHRT_",
                             "USHRT_", "M_",     "CLK_",    "CUDART_", "INT8_",   "INT16_", "INT32_",
                             "INT64_", "UINT8_", "UINT16_", "UINT32_", "UINT64_", "SIZE_",  "__"})
    if (name.compare(0, std::string(prefix).size(), prefix) == 0) return true;
  for (const char* word :
       {"INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "MAXFLOAT", "NULL", "RAND_MAX", "EOF", "true", "false"})
    if (name == word) return true;
  return false;
}

// Names for types that the language itself has beside the plain ones.
bool isPlatformType(const Type& t, bool cuda) {
  if (t.spelling.empty()) return false;
  if (t.is(TypeKind::Int) && t.spelling == "size_t") return true;
  if (!cuda) return t.isArithmetic() && t.spelling.compare(0, 7, "atomic_") == 0;
  if (t.is(TypeKind::Int)) return t.spelling == "long" || t.spelling == "unsigned long";
  return t.is(TypeKind::Vector) && (t.spelling == "dim3" || t.spelling.compare(0, 4, "long") == 0 ||
                                    t.spelling.compare(0, 5, "ulong") == 0);
}

std::string operatorWord(const std::string& name) {
  static const std::pair<const char*, const char*> words[] = {
      {"operator()", "call"},           {"operator[]", "at"},
      {"operator<<=", "shift_left_by"}, {"operator>>=", "shift_right_by"},
      {"operator+=", "add_to"},         {"operator-=", "subtract_from"},
      {"operator*=", "multiply_by"},    {"operator/=", "divide_by"},
      {"operator%=", "remainder_by"},   {"operator&=", "and_with"},
      {"operator|=", "or_with"},        {"operator^=", "xor_with"},
      {"operator==", "equal"},          {"operator!=", "differ"},
      {"operator<=", "at_most"},        {"operator>=", "at_least"},
      {"operator<<", "shift_left"},     {"operator>>", "shift_right"},
      {"operator&&", "both"},           {"operator||", "either"},
      {"operator++", "increment"},      {"operator--", "decrement"},
      {"operator->", "arrow"},          {"operator+", "add"},
      {"operator-", "subtract"},        {"operator*", "multiply"},
      {"operator/", "divide"},          {"operator%", "remainder"},
      {"operator&", "bit_and"},         {"operator|", "bit_or"},
      {"operator^", "bit_xor"},         {"operator<", "less"},
      {"operator>", "greater"},         {"operator!", "negate"},
      {"operator~", "complement"},      {"operator=", "assign"}};
  for (const auto& [symbol, word] : words) {
    size_t at = name.find(symbol);
    if (at != std::string::npos)
      return name.substr(0, at) + word + name.substr(at + std::string(symbol).size());
  }
  return name;
}

class ModulePrinter {
 public:
  ModulePrinter(const Module& m, const EmitOptions& o, const std::vector<std::string>& n)
      : module(m), options(o), notes(n), outer(o, m.language, true) {}

  EmitResult print() {
    nameAll();
    collectConstants();
    std::string text = head() + constants() + records() + globals();
    for (const auto& f : module.functions) text += function(*f);
    for (const auto& k : module.kernels) text += kernel(*k);
    EmitResult result;
    result.errors = outer.errors;
    if (result.ok()) result.text = formatCode(text, options);
    return result;
  }

 private:
  bool cuda() const { return options.language == Language::Cuda; }

  std::string unique(std::string wanted) {
    if (isWordOf(options.language, wanted)) wanted += "_";
    std::string name = wanted;
    for (int n = 2; !taken.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
    return name;
  }

  void nameAll() {
    for (const auto& k : module.kernels) {
      std::string name = k->name;
      for (const auto& a : k->templateArgs) name += "_" + asIdentifier(a.text);
      kernelNames[k.get()] = unique(asIdentifier(name));
    }
    auto add = [&](const RecordPtr& r) {
      if (r->name.empty() || recordNames.contains(r.get())) return;
      std::string name = r->name;
      for (const char* word : {"struct ", "union ", "class "})
        if (name.compare(0, std::string(word).size(), word) == 0) name.erase(0, std::string(word).size());
      recordNames[r.get()] = unique(asIdentifier(name));
    };
    for (const auto& r : module.records) add(r);
    for (const auto& f : module.functions)
      functionNames[f.get()] = unique(asIdentifier(operatorWord(f->name)));
    for (const auto& v : module.globals)
      globalNames[v.get()] = unique(asIdentifier(v->spelling.empty() ? v->name : v->spelling));
  }

  void eachBody(const std::function<void(const StmtPtr&)>& fn) const {
    for (const auto& f : module.functions) fn(f->body);
    for (const auto& k : module.kernels) fn(k->body);
  }

  // Numbers that passes chose, where all kernels agree on the value; the others are printed as numbers.
  void collectChosen(std::set<std::string>& spoiled) {
    std::map<std::string, std::set<int64_t>> values;
    for (const auto& k : module.kernels)
      for (const NamedConstant& c : k->constants) values[nameOf(c.role)].insert(c.value);
    for (const auto& k : module.kernels) {
      Emitter e(options, module.language, true);
      bodyConstants(e, *k);
      for (const NamedConstant& c : k->constants) {
        const std::string name = nameOf(c.role);
        spoiled.insert(name);
        if (!e.chosenConstants.contains(c.role) || values[name].size() > 1 ||
            chosenConstants.contains(c.role) || !taken.insert(name).second)
          continue;
        chosenConstants[c.role] = {name, c.value};
        chosenLines.push_back({name, c.value, c.comment});
        definedConstants.insert(name);
      }
    }
  }

  // A name is kept when it stands for one value of one type everywhere.
  void collectConstants() {
    if (!options.keepNamedConstants) return;
    std::set<std::string> spoiled;
    collectChosen(spoiled);
    auto note = [&](const std::string& name, const Expr& e) {
      if (!isIdentifier(name) || isPlatformName(name) || isWordOf(options.language, name) ||
          spoiled.contains(name))
        return;
      Expr plain = e;
      if (auto* l = std::get_if<IntLiteral>(&plain.node)) l->name.clear();
      if (auto* l = std::get_if<FloatLiteral>(&plain.node)) l->name.clear();
      auto [it, isNew] = constantValues.emplace(name, std::make_shared<Expr>(plain));
      if (isNew) return;
      const auto *a = it->second->as<IntLiteral>(), *b = e.as<IntLiteral>();
      const auto *x = it->second->as<FloatLiteral>(), *y = e.as<FloatLiteral>();
      const bool same = sameType(it->second->type, e.type) &&
                        ((a && b && a->value == b->value) || (x && y && x->value == y->value));
      if (!same) constantValues.erase(name), spoiled.insert(name);
    };
    eachBody([&](const StmtPtr& body) {
      walkExprs(body, [&](const Expr& e) {
        if (const auto* l = e.as<IntLiteral>()) note(l->name, e);
        if (const auto* l = e.as<FloatLiteral>()) note(l->name, e);
      });
    });
    // Variables of that name would be hit by a macro and hide a constant.
    for (auto it = constantValues.begin(); it != constantValues.end();)
      it = taken.insert(it->first).second ? std::next(it) : constantValues.erase(it);
    for (const auto& [name, value] : constantValues) definedConstants.insert(name);
  }

  void prepare(Emitter& e) {
    e.types.recordName = [this](const Record& r) {
      auto it = recordNames.find(&r);
      return it != recordNames.end() ? it->second : asIdentifier(r.name);
    };
    const bool toCuda = cuda();
    e.types.spellingOf = [toCuda](const Type& t) {
      return isPlatformType(t, toCuda) ? t.spelling : std::string();
    };
    e.functionNames = functionNames;
    e.definedConstants = definedConstants;
    e.chosenConstants = chosenConstants;
    for (const auto& [v, name] : globalNames) e.names.set(*v, name);
    for (const auto& name : taken) e.names.reserve(name);
  }

  void keepErrors(const Emitter& e) {
    for (const auto& x : e.errors) outer.error(x.reason, x.loc);
  }

  std::string constants() {
    std::string text = constantLines(chosenLines, options.language);
    for (const auto& [name, value] : constantValues) {
      Emitter e(options, module.language, true);
      prepare(e);
      e.definedConstants.clear();
      Printed p = e.exact(value);
      if (cuda())
        text += "constexpr " + e.types.type(value->type) + " " + name + " = " + p.text + ";\n";
      else
        text += "#define " + name + " " + parens(p, kPrimary) + "\n";
      keepErrors(e);
    }
    return text.empty() ? text : text + "\n";
  }

  std::string fieldsOf(Emitter& e, const Record& r) {
    std::string text;
    for (const Field& f : r.fields) {
      if (f.type->is(TypeKind::Struct) && f.type->record->name.empty()) {
        text += std::string(f.type->record->isUnion ? "union" : "struct") + " {\n" +
                fieldsOf(e, *f.type->record) + "}" + (f.name.empty() ? "" : " " + f.name) + ";\n";
        continue;
      }
      text += e.types.declaration(f.type, f.name) + (f.isBitField() ? " : " + std::to_string(f.bits) : "") +
              ";\n";
    }
    return text;
  }

  // The layout a C compiler gives to the fields; false when it is not that of the program.
  static bool sameLayout(const Record& r, bool opencl) {
    uint64_t at = 0, align = 1, bit = 0;
    for (size_t i = 0; i < r.fields.size(); ++i) {
      if (r.fields[i].isBitField() && !r.isUnion) {
        const uint64_t object = sizeOf(*r.fields[i].type, opencl) * 8, width = r.fields[i].bits;
        if (bit / object != (bit + width - 1) / object) bit = (bit / object + 1) * object;
        if (r.offsets[i] * 8 + r.fields[i].firstBit != bit) return false;
        bit += width;
        at = (bit + 7) / 8;
        align = std::max(align, object / 8);
        continue;
      }
      const uint64_t a = std::max<uint64_t>(1, alignOf(*r.fields[i].type, opencl)),
                     size = sizeOf(*r.fields[i].type, opencl);
      align = std::max(align, a);
      if (r.isUnion) {
        at = std::max(at, size);
        continue;
      }
      at = (at + a - 1) / a * a;
      if (i < r.offsets.size() && r.offsets[i] != at) return false;
      at += size;
      bit = at * 8;
    }
    align = std::max(align, r.align);
    return r.fields.empty() || (at + align - 1) / align * align == r.size;
  }

  std::string records() {
    Emitter e(options, module.language, true);
    prepare(e);
    std::set<const Record*> used;
    auto use = [&](auto&& self, const TypePtr& t) -> void {
      for (TypePtr x = t; x; x = x->element)
        if (x->record && used.insert(x->record.get()).second)
          for (const Field& f : x->record->fields) self(self, f.type);
    };
    eachBody([&](const StmtPtr& body) {
      walkExprs(body, [&](const Expr& x) { use(use, x.type); });
      walkStmts(body, [&](const Stmt& s) {
        if (const auto* d = s.as<Declare>()) use(use, d->var->type);
      });
    });
    for (const auto& f : module.functions) {
      use(use, f->returnType);
      for (const auto& p : f->params) use(use, p->type);
    }
    for (const auto& k : module.kernels)
      for (const auto& p : k->params) use(use, p->type);
    for (const auto& v : module.globals) use(use, v->type);

    std::string forward, text;
    for (const auto& r : module.records) {
      if (!used.contains(r.get()) || r->name.empty()) continue;
      const std::string tag = r->isUnion ? "union " : "struct ", name = recordNames[r.get()];
      if (!cuda())
        forward.append("typedef ").append(tag).append(name).append(" ").append(name).append(";\n");
      else
        forward += tag + name + ";\n";
      if (!r->isComplete) continue;
      if (!cuda() && heldBitField(*structType(r)))
        outer.error(tag + name + " has bit-fields, which OpenCL does not know", {});
      if (!sameLayout(*r, !cuda()))
        outer.error(tag + name + " is laid out differently " + (cuda() ? "in CUDA" : "in OpenCL"), {});
      uint64_t natural = 1;
      for (const Field& f : r->fields) natural = std::max(natural, alignOf(*f.type, !cuda()));
      std::string align;
      if (r->align > natural) align = cuda() ? "alignas(" + std::to_string(r->align) + ") " : "";
      text.append(tag).append(align).append(name).append(" {\n").append(fieldsOf(e, *r)).append("}");
      if (r->align > natural && !cuda())
        text += " __attribute__((aligned(" + std::to_string(r->align) + ")))";
      text += ";\n\n";
    }
    keepErrors(e);
    return forward + (forward.empty() ? "" : "\n") + text;
  }

  std::string globals() {
    std::string text;
    for (const auto& v : module.globals) {
      bool used = false;
      eachBody([&](const StmtPtr& body) { used = used || mentions(body, v.get()); });
      if (!used || v->type->is(TypeKind::Handle)) continue;
      Emitter e(options, module.language, true);
      prepare(e);
      Variable copy = *v;
      e.names.set(copy, globalNames[v.get()]);
      std::string lead;
      if (cuda() && v->space == Space::Global) lead = v->isManaged ? "__managed__ " : "__device__ ";
      if (cuda() && v->space == Space::Constant && (v->isConst || v->isConstexpr))
        copy.isConstexpr = false, copy.isConst = true;
      text += lead + e.declarationOf(copy);
      if (v->init)
        text += " = " + e.initializer(v->init);
      else if (v->isConst)
        outer.error("the initializer of '" + v->name + "' is not known", v->loc);
      text += ";\n";
      keepErrors(e);
    }
    return text.empty() ? text : text + "\n";
  }

  std::string parameters(Emitter& e, const std::vector<VarPtr>& params) {
    std::string text;
    for (const auto& p : params) text += (text.empty() ? "" : ", ") + e.declarationOf(*p);
    return text.empty() && !cuda() ? "void" : text;
  }

  std::string function(const Function& f) {
    Emitter e(options, module.language, true);
    prepare(e);
    e.currentFunction = &f;
    std::string body = e.bodyOf(f.params, f.body, nullptr);
    std::string result =
        f.returnsReference && cuda()
            ? e.types.declaration(f.returnType->element, "&", f.returnType->isConst, f.returnType->isVolatile)
            : e.types.type(f.returnType);
    std::string text = (cuda() ? "__device__ " : "") + result + " " + functionNames[&f] + "(" +
                       parameters(e, f.params) + ") " + body + "\n";
    keepErrors(e);
    return text;
  }

  std::string kernel(const Kernel& k) {
    Emitter e(options, module.language, true);
    prepare(e);
    std::string body = e.bodyOf(k.params, k.body, &k), text;
    if (!cuda())
      e.types.spellingOf = [](const Type& t) {  // size_t is no type for an argument
        return t.spelling != "size_t" && isPlatformType(t, false) ? t.spelling : std::string();
      };
    for (const auto& n : notes)
      if (n.compare(0, k.name.size() + 2, k.name + ": ") == 0)
        text += "// " + n.substr(k.name.size() + 2) + "\n";
    if (cuda()) {
      text += std::string(k.isExternC ? "extern \"C\" " : "") + "__global__ void ";
      if (k.launchBounds && k.launchBounds->maxThreads > 0) {
        text += "__launch_bounds__(" + std::to_string(k.launchBounds->maxThreads);
        if (k.launchBounds->minBlocks > 0) text += ", " + std::to_string(k.launchBounds->minBlocks);
        if (k.launchBounds->minBlocks > 0 && k.launchBounds->maxCluster > 0)
          text += ", " + std::to_string(k.launchBounds->maxCluster);
        text += ") ";
      }
    } else {
      text += "__kernel ";
      if (k.requiredBlock) {
        const auto& b = *k.requiredBlock;
        text += "__attribute__((reqd_work_group_size(" + std::to_string(b[0]) + ", " + std::to_string(b[1]) +
                ", " + std::to_string(b[2]) + "))) ";
      }
      text += "void ";
    }
    text += kernelNames[&k] + "(" + parameters(e, k.params) + ") " + body + "\n";
    keepErrors(e);
    return text;
  }

  // Headers and extensions that the types and calls in the module need.
  std::string head() {
    bool half = false, bfloat = false, doubles = false, groups = false, grids = false, reduce = false,
         pipeline = false, asserts = false, prints = false, wide = false, generic = false, subgroups = false,
         second = false;
    auto type = [&](const TypePtr& t) {
      for (TypePtr x = t; x; x = x->element) {
        half |= x->is(TypeKind::Float) && x->bits == 16;
        doubles |= x->is(TypeKind::Float) && x->bits == 64;
        bfloat |= x->is(TypeKind::BFloat);
        generic |= x->isPointer() && x->space == Space::Generic;
        groups |= x->is(TypeKind::Handle) && x->spelling.find("cooperative_groups") != std::string::npos;
      }
    };
    eachBody([&](const StmtPtr& body) {
      walkExprs(body, [&](const Expr& e) {
        type(e.type);
        const auto* c = e.as<Call>();
        if (!c || !c->intrinsic) return;
        prints |= c->intrinsic->id == "printf";
        groups |= c->intrinsic->cuda.find("cooperative_groups") != std::string_view::npos;
        reduce |= c->intrinsic->id == "group_reduce";
        pipeline |= c->intrinsic->traits.isPipeline;
        subgroups |= c->intrinsic->traits.over == Participants::SubGroup;
        second |= c->intrinsic->traits.needsOpenCL2;
        if (c->intrinsic->cls == IntrinsicClass::Atomic && !c->args.empty() && c->args[0]->type->isPointer())
          wide |= c->args[0]->type->element->bits == 64;
      });
      walkStmts(body, [&](const Stmt& s) {
        if (const auto* d = s.as<Declare>()) type(d->var->type);
        if (const auto* b = s.as<Barrier>())
          grids |= b->scope == SyncScope::Grid, subgroups |= b->scope == SyncScope::Warp;
        asserts |= s.is<Assert>();
        prints |= s.is<Printf>();
      });
    });
    for (const auto& f : module.functions) {
      type(f->returnType);
      for (const auto& p : f->params) type(p->type);
    }
    for (const auto& k : module.kernels)
      for (const auto& p : k->params) type(p->type);
    for (const auto& r : module.records)
      for (const Field& f : r->fields)
        if (!f.type->isPointer()) type(f.type);
    std::string text;
    if (cuda()) {
      if (asserts) text += "#include <assert.h>\n";
      if (prints) text += "#include <stdio.h>\n";
      if (half) text += "#include <cuda_fp16.h>\n";
      if (bfloat) text += "#include <cuda_bf16.h>\n";
      if (groups || grids) text += "#include <cooperative_groups.h>\n";
      if (reduce) text += "#include <cooperative_groups/reduce.h>\n";
      if (pipeline) text += "#include <cuda_pipeline_primitives.h>\n";
    } else {
      if (generic || second) text += "// cl-std: CL2.0\n";
      if (doubles) text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
      if (half) text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
      if (wide)
        text +=
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n#pragma OPENCL EXTENSION "
            "cl_khr_int64_extended_atomics : enable\n";
      if (subgroups) text += "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n";
      if (grids) text += "#include <hone.clh>\n";
    }
    return text.empty() ? text : text + "\n";
  }

  const Module& module;
  const EmitOptions& options;
  const std::vector<std::string>& notes;
  Emitter outer;
  std::set<std::string> taken, definedConstants;
  std::map<const Kernel*, std::string> kernelNames;
  std::map<const Record*, std::string> recordNames;
  std::map<const Function*, std::string> functionNames;
  std::map<const Variable*, std::string> globalNames;
  std::map<std::string, ExprPtr> constantValues;
  std::map<ConstantRole, Emitter::ChosenConstant> chosenConstants;
  std::vector<ConstantLine> chosenLines;
};

}  // namespace

EmitResult emitModule(const Module& module, const EmitOptions& options) {
  Translation t = translate(module, options.language);
  EmitResult result;
  if (!t.errors.empty()) {
    result.errors = t.errors;
    return result;
  }
  return ModulePrinter(t.module, options, t.notes).print();
}

}  // namespace hone::emit
