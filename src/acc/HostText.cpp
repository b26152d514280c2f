#include "acc/HostText.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "acc/HostCalls.h"

namespace hone::acc {

using namespace frontend;

namespace {

const char* nameOf(AccConstruct construct) {
  switch (construct) {
    case AccConstruct::Parallel: return "parallel";
    case AccConstruct::Kernels: return "kernels";
    case AccConstruct::Serial: return "serial";
  }
  return "";
}

const char* nameOf(AccDirectiveKind kind) {
  switch (kind) {
    case AccDirectiveKind::Data: return "data";
    case AccDirectiveKind::EnterData: return "enter data";
    case AccDirectiveKind::ExitData: return "exit data";
    case AccDirectiveKind::HostData: return "host_data";
    case AccDirectiveKind::Update: return "update";
    case AccDirectiveKind::Wait: return "wait";
    case AccDirectiveKind::Init: return "init";
    case AccDirectiveKind::Shutdown: return "shutdown";
    case AccDirectiveKind::Set: return "set";
    case AccDirectiveKind::Declare: return "declare";
  }
  return "";
}

std::string site(const ir::SourceLoc& loc, const std::string& what, const std::string& function) {
  const std::string place = loc.valid() ? fmt::format("{}:{}: ", *loc.file, loc.line) : "";
  return place + what + (function.empty() ? "" : " in " + function);
}

// Texts that belong to one construct: before its statement and behind it, or in place of its lines.
struct Put {
  unsigned begin = 0, end = 0;
  unsigned line = 0, column = 0;  // of the directive: of two at one byte the earlier one is the outer one
  std::string before, behind;
  bool isReplacing = false;
};

// The lines of the pragma that ends before byte `behind`, from the `#` on; nothing where they are not there
// as such.
std::optional<std::pair<unsigned, unsigned>> pragmaBefore(const std::string& text, unsigned behind) {
  size_t end = std::min<size_t>(behind, text.size());
  if (end > 0 && text[end - 1] == '\n') --end;
  if (end > 0 && text[end - 1] == '\r') --end;
  size_t begin = end;
  const auto lineStart = [&](size_t at) {
    const size_t found = at ? text.rfind('\n', at - 1) : std::string::npos;
    return found == std::string::npos ? 0 : found + 1;
  };
  const auto isContinued = [&](size_t lineBreak) {
    size_t at = lineBreak;
    if (at > 0 && text[at - 1] == '\r') --at;
    return at > 0 && text[at - 1] == '\\';
  };
  begin = lineStart(begin);
  while (begin > 0 && isContinued(begin - 1)) begin = lineStart(begin - 1);
  size_t hash = begin;
  while (hash < end && (text[hash] == ' ' || text[hash] == '\t')) ++hash;
  if (text.compare(hash, 1, "#") != 0 && text.compare(hash, 2, "%:") != 0) return std::nullopt;
  if (text.find("pragma", hash) >= end) return std::nullopt;
  return std::pair(unsigned(hash), unsigned(end));
}

// What makes a line that follows one in preprocessed text the one that byte `at` is in.
std::string lineMarker(const std::string& text, size_t at) {
  size_t lines = 0, end = at;
  while (end > 0) {
    const size_t begin = text.rfind('\n', end - 1) == std::string::npos ? 0 : text.rfind('\n', end - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.size() > 2 && line.starts_with("# ") && std::isdigit(static_cast<unsigned char>(line[2]))) {
      const size_t file = line.find('"'), behind = line.rfind('"');
      if (file == std::string_view::npos || behind == file) return "";
      // The marker speaks of the line behind it.
      return fmt::format("# {} {}", std::stoul(std::string(line.substr(2))) + lines - 1,
                         line.substr(file, behind + 1 - file));
    }
    ++lines;
    end = begin > 0 ? begin - 1 : 0;
  }
  return "";
}

class HostTextMaker {
 public:
  HostTextMaker(const AccUnit& u, const std::vector<LoweredRegion>& l, const std::string& t,
                const std::string& own, bool isDone)
      : unit(u), lowered(l), text(t), tag(own), isPreprocessed(isDone), calls(u.isCpp) {}

  HostText make() {
    addRegions();
    for (const AccDirective& one : unit.directives) add(one);
    arrange();
    out.prototypes = calls.prototypes() + launchers;
    return std::move(out);
  }

 private:
  const AccUnit& unit;
  const std::vector<LoweredRegion>& lowered;
  const std::string& text;
  const std::string& tag;
  bool isPreprocessed;
  HostCalls calls;
  HostText out;
  std::string launchers;
  std::vector<Put> puts;
  unsigned names = 0;

  Put& put(const AccPlace& place, const ir::SourceLoc& loc) {
    Put& made = puts.emplace_back();
    std::tie(made.begin, made.end, made.line, made.column) =
        std::tuple(place.begin, place.end, loc.line, loc.column);
    return made;
  }

  void declareExtern(const std::string& declaration) {
    launchers += (unit.isCpp ? "extern \"C\" " : "extern ") + declaration + " ";
  }

  // Regions of one place are the instantiations of one in a template.
  void addRegions() {
    std::map<std::pair<unsigned, unsigned>, std::vector<size_t>> byPlace;
    std::vector<std::pair<unsigned, unsigned>> order;
    for (size_t k = 0; k < unit.regions.size(); ++k) {
      const AccRegion& region = unit.regions[k];
      const std::pair place(region.place.begin, region.loc.line);
      if (!byPlace.contains(place)) order.push_back(place);
      byPlace[place].push_back(k);
    }
    for (const auto& place : order) addRegion(byPlace[place]);
  }

  static bool isLowered(const AccRegion& region, const LoweredRegion& made) {
    return region.reason.empty() && made.reason.empty();
  }

  // Why the instantiations of a region have no common text; empty: they have.
  std::string whyApart(const std::vector<size_t>& instances) const {
    const AccRegion& first = unit.regions[instances.front()];
    std::set<std::string> seen;
    for (const size_t k : instances) {
      const AccRegion& other = unit.regions[k];
      const auto sameVariable = [](const AccCaptured& a, const AccCaptured& b) {
        return a.host == b.host && a.seen == b.seen;
      };
      AccRegion mine = first;
      if (!std::equal(first.captured.begin(), first.captured.end(), other.captured.begin(),
                      other.captured.end(), sameVariable) ||
          !takeCommonText(mine.data, other.data))
        return fmt::format("instantiations of its template use different variables ({} and {})",
                           first.instance, other.instance);
      if (first.kept != other.kept)
        return fmt::format("instantiations of its template change different variables ({} and {})",
                           first.instance, other.instance);
      AccRegion theirs = other;
      theirs.function = mine.function;
      theirs.data = mine.data;
      if (calls.region(mine, unit.notes, "") != calls.region(theirs, unit.notes, ""))
        return fmt::format("instantiations of its template have different bounds ({} and {})", first.instance,
                           other.instance);
      if (!seen.insert(other.instance).second)
        return fmt::format("several instantiations of its template have the same name{}",
                           other.instance.empty() ? "" : ", " + other.instance);
    }
    return "";
  }

  // What the host needs for any of the instantiations; the first one's captured variables keep their data.
  AccRegion joined(const std::vector<size_t>& instances) {
    AccRegion all = unit.regions[instances.front()];
    for (const size_t k : instances) {
      const AccRegion& other = unit.regions[k];
      if (!takeCommonText(all.data, other.data))
        for (const AccData& one : other.data)
          if (std::none_of(all.data.begin(), all.data.end(), [&](const AccData& known) {
                std::vector<AccData> same{known};
                return takeCommonText(same, {one});
              }))
            all.data.push_back(one);
      for (const AccKept& one : other.kept)
        if (std::find(all.kept.begin(), all.kept.end(), one) == all.kept.end()) all.kept.push_back(one);
    }
    for (const size_t k : instances)
      for (const AccCaptured& one : unit.regions[k].captured)
        for (const AccKept& kept : all.kept)
          if (const std::vector<AccKept>& own = unit.regions[k].kept;
              one.seen == AccSeen::Object && one.host == kept.address &&
              std::find(own.begin(), own.end(), kept) == own.end())
            out.problems.push_back({one.loc,
                                    fmt::format("instantiations of a template disagree on whether '{}' is "
                                                "shared or has copies; name it in a clause",
                                                one.name),
                                    true});
    return all;
  }

  void addRegion(const std::vector<size_t>& instances) {
    const AccRegion region = joined(instances);
    bool isOnDevice = std::all_of(instances.begin(), instances.end(),
                                  [&](size_t k) { return isLowered(unit.regions[k], lowered[k]); });
    if (const std::string why = isOnDevice ? whyApart(instances) : ""; !why.empty()) {
      out.problems.push_back(
          {region.loc, fmt::format("{} runs on the host: {}", siteOf(region), why), false});
      isOnDevice = false;
    }
    Put& made = put(region.place, region.loc);
    const std::string keeps = region.kept.empty() ? "" : calls.keep(region);
    const std::string restores = region.kept.empty() ? "" : " hone_acc_restore();";
    if (!isOnDevice) {
      made.before = "{ " + calls.hostBegin(region) + " " + keeps;
      made.behind = fmt::format("{} hone_acc_host_end({}); }}", restores, HostCalls::literal(siteOf(region)));
      return;
    }
    std::string launcher = launcherOf(region);
    if (region.instance.empty()) {
      declareExtern(fmt::format("void {}(struct hone_acc_call *){};", launcher, symbolOf(launcher, tag)));
    } else {
      declareExtern(fmt::format("hone_acc_launcher {}(const char *){};", chooserOf(region),
                                symbolOf(chooserOf(region), tag)));
      launcher = chooserOf(region) + "(__PRETTY_FUNCTION__)";
    }
    std::vector<TripLimit> limits;
    for (const size_t k : instances)
      limits.insert(limits.end(), lowered[k].limits.begin(), lowered[k].limits.end());
    const std::string call = calls.region(region, unit.notes, launcher);
    if (limits.empty()) {
      made.before = fmt::format("if ({}) {{}} else {}", call, keeps.empty() ? "" : "{ " + keeps);
      if (!keeps.empty()) made.behind = restores + " }";
      return;
    }
    made.before =
        fmt::format("{{ const int hone_fits = {}; if (!hone_fits) {{ {} }} if (hone_fits && {}) {{}} else {}",
                    calls.fits(region, unit.notes, limits), calls.hostBegin(region), call,
                    keeps.empty() ? "" : "{ " + keeps);
    made.behind = fmt::format("{} if (!hone_fits) {{ hone_acc_host_end({}); }} }}",
                              keeps.empty() ? "" : restores + " }", HostCalls::literal(siteOf(region)));
  }

  void add(const AccDirective& directive) {
    switch (directive.kind) {
      case AccDirectiveKind::Data: {
        Put& made = put(directive.place, directive.loc);
        made.before = "{ " + calls.data("hone_acc_data_begin", directive) + " ";
        made.behind = fmt::format(" hone_acc_data_end({}); }}", HostCalls::literal(siteOf(directive)));
        return;
      }
      case AccDirectiveKind::HostData: return addHostData(directive);
      case AccDirectiveKind::EnterData:
        return replace(directive, calls.data("hone_acc_enter_data", directive));
      case AccDirectiveKind::ExitData: return replace(directive, calls.data("hone_acc_exit_data", directive));
      case AccDirectiveKind::Update: return replace(directive, calls.data("hone_acc_update", directive));
      case AccDirectiveKind::Declare:
        return directive.isGlobal ? addGlobals(directive) : addLocals(directive);
      default: return replace(directive, calls.action(directive));
    }
  }

  // A call where the directive stood: what follows may be anything, conditions of the preprocessor too.
  void replace(const AccDirective& directive, const std::string& call) {
    Put& made = put(directive.place, directive.loc);
    made.before = call;
    made.end = made.begin;
    const auto lines = pragmaBefore(text, directive.place.begin);
    if (!lines) {
      made.before += ' ';
      return;
    }
    std::tie(made.begin, made.end) = *lines;
    made.isReplacing = true;
    made.before.append(size_t(std::count(text.begin() + made.begin, text.begin() + made.end, '\n')), '\n');
  }

  // In the block the variable is another one with the device's address, behind a pointer of the right type.
  void addHostData(const AccDirective& directive) {
    Put& made = put(directive.place, directive.loc);
    std::string inner;
    for (const AccData& one : directive.data) {
      const std::string name = fmt::format("hone_used_{}", ++names);
      made.before += fmt::format("{{ __extension__ __auto_type {0} = {1}; {0} = {2}; ", name, one.address,
                                 calls.use(directive, one, name));
      inner += fmt::format("__typeof__({0}) {1} = {0}; (void){1}; ", name, one.variable);
    }
    if (directive.data.empty()) made.before = "{ ";
    made.before += pragmas({"GCC diagnostic push", "GCC diagnostic ignored \"-Wshadow\""}, made.begin) +
                   "{ " + inner + pragmas({"GCC diagnostic pop"}, made.begin);
    made.behind = " }" + std::string(std::max<size_t>(1, directive.data.size()), '}');
  }

  // Within a line; preprocessed text knows no operator for them.
  std::string pragmas(const std::vector<std::string>& all, unsigned at) const {
    std::string made;
    for (const std::string& one : all)
      made += isPreprocessed ? "\n#pragma " + one : fmt::format("_Pragma({}) ", HostCalls::literal(one));
    return isPreprocessed ? made + "\n" + lineMarker(text, at) + "\n" : made;
  }

  // To the end of the block, however it is left.
  void addLocals(const AccDirective& directive) {
    replace(directive,
            fmt::format("{} const char *hone_block_{} __attribute__((cleanup(hone_acc_data_leave))) = {};",
                        calls.data("hone_acc_data_begin", directive), ++names,
                        HostCalls::literal(siteOf(directive))));
  }

  void addGlobals(const AccDirective& directive) {
    std::string body;
    for (const AccData& one : directive.data) {
      const auto known = std::find_if(unit.globals.begin(), unit.globals.end(), [&](const AccGlobal& global) {
        return global.var && global.linkName == one.linkName;
      });
      std::string device;
      if (known != unit.globals.end()) {
        device = deviceVariableOf(one.linkName);
        declareExtern(fmt::format("char {}[]{};", device, symbolOf(device, tag)));
      }
      body += calls.declare(one, device) + " ";
    }
    replace(directive,
            fmt::format("static __attribute__((constructor)) void hone_acc_declare_{}(void) {{ {}}}", ++names,
                        body));
  }

  void arrange() {
    struct Piece {
      unsigned begin, end;
      bool opens;
      int order;
      std::string text;
    };
    std::sort(puts.begin(), puts.end(), [](const Put& a, const Put& b) {
      return std::tie(a.line, a.column, a.begin) < std::tie(b.line, b.column, b.begin);
    });
    std::vector<Piece> pieces;
    for (size_t k = 0; k < puts.size(); ++k) {
      const Put& one = puts[k];
      pieces.push_back({one.begin, one.isReplacing ? one.end : one.begin, true, int(k), one.before});
      if (!one.behind.empty()) pieces.push_back({one.end, one.end, false, -int(k), one.behind});
    }
    // At one byte statements end before others begin, inner ones first; outer ones begin first.
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return std::tie(a.begin, a.opens, a.order) < std::tie(b.begin, b.opens, b.order);
    });
    for (Piece& one : pieces) out.edits.push_back({one.begin, one.end, std::move(one.text)});
  }
};

}  // namespace

ValueLayout layoutOf(const AccRegion& region, const AccNotes& notes) {
  ValueLayout layout;
  layout.waits = region.wait.isGiven ? int(region.wait.queues.size()) : 0;
  for (const ir::Stmt* loop : loopsOf(region, notes))
    if (const AccLoop& one = notes.loops.at(loop); !one.hostTrips.empty())
      layout.trips += 1 + static_cast<int>(one.innerTrips.size());
  layout.count = layout.waits + HostValues::firstTrips + layout.trips;
  for (const AccCaptured& one : region.captured)
    layout.captured.push_back(one.seen == AccSeen::HostTrips ? layout.count++ : -1);
  return layout;
}

HostText hostText(const AccUnit& unit, const std::vector<LoweredRegion>& lowered, const std::string& text,
                  const std::string& tag, bool isPreprocessed) {
  return HostTextMaker(unit, lowered, text, tag, isPreprocessed).make();
}

std::string applied(const HostText& host, const std::string& text) {
  std::string out;
  unsigned at = 0;
  if (text.starts_with("\xEF\xBB\xBF")) at = 3;  // a mark of the encoding is the file's first
  out = text.substr(0, at);
  if (!host.prototypes.empty()) out += host.prototypes + "\n#line 1\n";
  for (const HostEdit& edit : host.edits) {
    if (edit.begin < at || edit.end < edit.begin || edit.end > text.size()) continue;
    out.append(text, at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  return out.append(text, at);
}

std::string siteOf(const AccRegion& region) {
  return site(region.loc, nameOf(region.construct) + std::string(region.isCombined ? " loop" : ""),
              region.function);
}

std::string siteOf(const AccDirective& directive) {
  return site(directive.loc, nameOf(directive.kind), directive.function);
}

std::string launcherOf(const AccRegion& region) { return "hone_acc_" + region.name; }
std::string chooserOf(const AccRegion& first) { return launcherOf(first) + "_of"; }
std::string symbolOf(const std::string& name, const std::string& tag) {
  return tag.empty() ? "" : fmt::format(" __asm__(\"{}.{}\")", name, tag);
}
std::string deviceVariableOf(const std::string& linkName) {
  std::string out = "hone_acc_device_";
  for (const char c : linkName) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

}  // namespace hone::acc
