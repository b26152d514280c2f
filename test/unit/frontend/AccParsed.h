// Snippets with OpenACC, read from memory.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "frontend/AccUnit.h"

namespace hone::frontend {

inline AccUnit readAcc(const std::string& text, const std::string& name = "/hone-test/x.c") {
  SourceRequest request;
  request.path = name;
  request.contents = text;
  request.useCache = false;
  return importAcc(request);
}

/// Of a function with the usual variables around.
inline AccUnit readAccBody(const std::string& body, const std::string& name = "/hone-test/x.c") {
  return readAcc(
      "typedef struct Part { float* a; int n; float v[8]; struct Part* next; } Part;\n"
      "void use(float* p);\n"
      "int g(void);\n"
      "float global[100]; float* pointer;\n"
      "void f(int n, int m, float* p, float* q, float** rows, float (*wide)[m], Part s, Part* ps, float "
      "given[10]) {\n"
      "  float x[10][20]; float y[100]; double vla[n][m]; int i = 0; float t = 0;\n" +
          body + "\n}\n",
      name);
}

inline std::string accErrors(const AccUnit& unit) {
  std::string out = unit.failure + (unit.hasErrors ? unit.renderedDiagnostics : "");
  for (const AccMessage& one : unit.messages)
    if (one.isError) out += std::to_string(one.loc.line) + ": " + one.text + "\n";
  return out;
}

inline std::string accRemarks(const AccUnit& unit) {
  std::string out;
  for (const AccMessage& one : unit.messages)
    if (!one.isError) out += one.text + "\n";
  return out;
}

/// "address | bytes", with what else there is behind it.
inline std::string accItem(const AccData& data) {
  std::string out = data.address + " | " + data.bytes;
  if (!data.attachTo.empty()) out += " | attach " + data.attachTo;
  if (!data.rowAddress.empty()) out += " | row " + data.rowAddress + " | " + data.rowBytes;
  return out;
}

/// The first item of `#pragma acc enter data copyin(OPERAND)`, or what is said against it.
inline std::string accSection(const std::string& operand, const std::string& clause = "copyin",
                              const std::string& directive = "enter data") {
  const AccUnit unit = readAccBody("#pragma acc " + directive + " " + clause + "(" + operand + ")");
  const std::string errors = accErrors(unit);
  if (!errors.empty()) return errors;
  if (unit.directives.size() != 1 || unit.directives[0].data.empty()) return "no item";
  return accItem(unit.directives[0].data[0]);
}

}  // namespace hone::frontend
