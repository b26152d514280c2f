// Whole kernels that work on one element after the other, in types of all widths, in and out.
#include "NaiveKernelWriter.h"

namespace hone::test {

namespace {

const std::vector<std::string> types = {"__half",        "__half",         "__nv_bfloat16", "__nv_bfloat16",
                                        "unsigned char", "signed char",    "char",          "unsigned char",
                                        "short",         "unsigned short", "float",         "int",
                                        "double",        "uchar4",         "float2",        "short2"};

bool isVector(const std::string& type) { return type == "uchar4" || type == "float2" || type == "short2"; }

std::string asFloat(const std::string& type, const std::string& place) {
  if (type == "__half") return "__half2float(" + place + ")";
  if (type == "__nv_bfloat16") return "__bfloat162float(" + place + ")";
  if (isVector(type)) return "(float)" + place + ".y";
  return "(float)" + place;
}

std::string fromFloat(const std::string& type, const std::string& value) {
  if (type == "__half") return "__float2half(" + value + ")";
  if (type == "__nv_bfloat16") return "__float2bfloat16(" + value + ")";
  if (type == "uchar4") return "make_uchar4(1, (unsigned char)(int)(" + value + "), 3, 4)";
  if (type == "float2") return "make_float2(" + value + ", 2.0f)";
  if (type == "short2") return "make_short2((short)(int)(" + value + "), 7)";
  if (type == "float" || type == "double") return value;
  return "(" + type + ")(int)(" + value + ")";
}

}  // namespace

void NaiveKernelWriter::chooseMap() {
  dims = 1;
  isMap = true;
  kernel.block = {static_cast<unsigned>(oneOf({"16", "32", "64", "128"}) == "16" ? 16 : 32 * pick(1, 4)), 1,
                  1};
  kernel.isRestricted = chance(50);
  kernel.isElementwise = true;
  idType = oneOf({"int", "int", "unsigned", "size_t", "long long"});
  sizeType = chance(50) ? idType : "int";
}

void NaiveKernelWriter::map() {
  for (int64_t i = pick(1, 3); i > 0; --i)
    arrays.push_back({std::string(1, static_cast<char>('a' + arrays.size())), oneOf(types)});
  const std::vector<NaiveArray> in(arrays.begin(), arrays.end());
  const std::string wide = idType == "size_t" || idType == "long long" ? "(" + idType + ")" : "";
  // 1. One element a thread, or many by strides of the grid or of the block.
  const int64_t form = pick(isStrided ? 3 : 0, 5);
  const std::string id = wide + "blockIdx.x * blockDim.x + threadIdx.x";
  if (form < 3) {
    line(fmt::format("{} x = {};", idType, id));
    chance(50) ? open("if (x < w)") : line("if (x >= w) return;");
  } else if (form == 3) {
    open(fmt::format("for ({} x = {}; x < w; x += gridDim.x * blockDim.x)", idType, id));
  } else if (form == 4) {
    line(fmt::format("const {0} first = {1}, step = {2}gridDim.x * blockDim.x;", idType, id, wide));
    open(fmt::format("for ({} x = first; x < w; x += step)", idType));
  } else {
    covers = true;
    open(fmt::format("for ({} x = threadIdx.x; x < w; x += blockDim.x)", idType));
    writesOwnOnly = false;
  }
  const std::string at = form == 5 ? "blockIdx.x * w + x" : "x";
  // 2. What becomes of them.
  std::string value = asFloat(in.front().type, in.front().name + "[" + at + "]");
  for (size_t i = 1; i < in.size(); ++i)
    value += oneOf({" + ", " - ", " * "}) + asFloat(in[i].type, in[i].name + "[" + at + "]");
  for (int64_t i = pick(1, 2); i > 0; --i) {
    const std::string type = chance(40) ? in.front().type : oneOf(types);
    const std::string to = "o" + std::to_string(i);
    arrays.push_back({to, type, true});
    const std::string place = to + "[" + at + "]";
    if (type == in.front().type && chance(30))
      line(place + " = " + in.front().name + "[" + at + "];");
    else if (type == "__half" && in.front().type == type && chance(50))
      line(fmt::format("{0} = __hadd({1}[{2}], {1}[{2}]);", place, in.front().name, at));
    else if (chance(25) && !isVector(in.front().type))
      line(fmt::format("{} = {} > 2.0f ? {} : {};", place,
                       asFloat(in.front().type, in.front().name + "[" + at + "]"), fromFloat(type, "2.0f"),
                       fromFloat(type, value)));
    else
      line(place + " = " + fromFloat(type, value) + ";");
  }
  while (indent > 1) close();
}

}  // namespace hone::test
