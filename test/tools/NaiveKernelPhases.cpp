#include "NaiveKernelWriter.h"

namespace hone::test {

// Kernels in which all threads of the grid wait for one another. No thread returns early.
void NaiveKernelWriter::phased() {
  kernel.isElementwise = false;
  covers = true;
  switch (pick(0, 3)) {
    case 0: return smoothing();
    case 1: return halving();
    default: return twoPhases();
  }
}

void NaiveKernelWriter::twoPhases() {
  writeIds(chance(15));
  const std::string inside = dims == 1 ? "x < w" : "x < w && y < h";
  const std::string mirrored = dims == 1 ? "w - 1 - x" : oneOf({"(h - 1 - y) * w + x", "y * w + w - 1 - x"});
  const std::string type = oneOf({"float", "int", "double"});
  const NaiveArray& a = input();
  const NaiveArray& t = output(type);
  const NaiveArray& c = output(type);
  const Value value = load(a.name + "[" + ownIndex() + "]", a.type);
  const bool carries = chance(60);
  if (carries) line(type + " mine = 0;");
  const int64_t phases = pick(1, 3);
  open("if (" + inside + ")");
  if (carries) line("mine = " + narrowed(type, value) + ";");
  line(own(t) + " = " +
       (carries ? changed({"mine", type == "int" ? Rank::Whole : Rank::Float}).text : narrowed(type, value)) +
       ";");
  close();
  if (carries && chance(50)) line("if (x % 2 == 0) mine += 5;");
  for (int64_t phase = 0; phase < phases; ++phase) {
    line("hone_grid_sync();");
    const bool isEven = phase % 2 == 0;
    if (chance(70))
      open("if (" + inside + ")");
    else
      open("if (" + inside + " && k > 1)");
    if (isEven && carries && chance(30))
      line(fmt::format("for (int i = 0; i < k; ++i) mine += {}[{}];", t.name,
                       dims == 1 ? "(x + i) % w" : "y * w + (x + i) % w"));
    line(fmt::format("{} = {}[{}]{};", own(isEven ? c : t), isEven ? t.name : c.name, mirrored,
                     carries ? " - mine" : " * 2"));
    close();
  }
}

// To and fro between two arrays, as often as the launch says.
void NaiveKernelWriter::smoothing() {
  writeIds(false);
  const std::string type = oneOf({"float", "int", "double"});
  const NaiveArray& c = output(type);
  const NaiveArray& t = output(type);
  const std::string inside = dims == 1 ? "x > 0 && x + 1 < w" : "x > 0 && x + 1 < w && y > 0 && y + 1 < h";
  const std::string left = dims == 1 ? "x - 1" : "y * w + x - 1",
                    right = dims == 1 ? "x + 1" : "(y + 1) * w + x";
  if (chance(70))
    line(fmt::format("if ({}) {} = {};", dims == 1 ? "x < w" : "x < w && y < h", own(t), own(c)));
  if (chance(70))
    line("hone_grid_sync();");
  else
    kernel.temporaries.insert(t.name);
  open(fmt::format("for (int r = {}; r < {}; {})", pick(0, 1), oneOf({"3", "k / 4", "4"}),
                   oneOf({"++r", "r += 2"})));
  line(fmt::format("if ({}) {} = {}[{}] + {}[{}]{};", inside, own(t), c.name, left, c.name, right,
                   oneOf({"", " * r", " + r"})));
  line("hone_grid_sync();");
  line(fmt::format("if ({}) {} = {} - 1;", inside, own(c), own(t)));
  line("hone_grid_sync();");
  close();
  if (chance(40)) line(fmt::format("if ({}) {} *= 2;", inside, own(c)));
}

void NaiveKernelWriter::halving() {
  dims = 1;
  if (kernel.block[0] == 33 || kernel.block[0] == 48 || kernel.block[1] > 1) kernel.block = {32, 1, 1};
  writeIds(false);
  const std::string type = oneOf({"float", "int", "double"});
  const NaiveArray& a = input();
  arrays.push_back({"part", type, true});
  if (chance(50)) kernel.temporaries.insert("part");
  const NaiveArray& c = output(type);
  const Value value = load(a.name + "[i]", a.type);
  line("int threads = gridDim.x * blockDim.x;");
  line(type + " sum = 0;");
  line("for (int i = x; i < w; i += threads) sum += " + narrowed(type, value) + ";");
  line("part[x] = sum;");
  const bool isAtEnd = chance(30);
  if (isAtEnd) line("hone_grid_sync();");
  open("for (int s = threads / 2; s > 0; s /= 2)");
  if (!isAtEnd) line("hone_grid_sync();");
  line("if (x < s) part[x] " + oneOf({"+=", "+=", "-="}) + " part[x + s];");
  if (isAtEnd) line("hone_grid_sync();");
  close();
  line("if (x == 0) " + c.name + "[0] = part[0];");
}

}  // namespace hone::test
