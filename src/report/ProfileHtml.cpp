// Profiles as one page of HTML that needs nothing from elsewhere: hot lines first, then where the time goes,
// then the source.
#include <fmt/core.h>

#include <algorithm>

#include "ir/CountOf.h"
#include "report/HtmlPage.h"
#include "report/KernelProfile.h"

namespace hone::report {

namespace {

std::string withoutIndent(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

constexpr const char* profileStyle = R"(
.lead { margin: 0 0 12px; font-size: 16px; }
.lead b { white-space: nowrap; }
.bar { display: flex; height: 10px; border-radius: 3px; background: var(--track); overflow: hidden; min-width: 40px; }
.bar i { display: block; height: 100%; }
.issue { background: var(--issue); } .shared { background: var(--shared); } .l1 { background: var(--l1); } .l2 { background: var(--l2); } .dram { background: var(--dram); }
ol.hot { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px; }
ol.hot li { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 8px 12px; }
ol.hot .top { display: flex; align-items: baseline; gap: 10px; }
ol.hot .pct { font-weight: 650; font-variant-numeric: tabular-nums; min-width: 44px; }
ol.hot a { color: inherit; }
ol.hot code { overflow-wrap: anywhere; white-space: pre-wrap; flex: 1; min-width: 0; }
ol.hot .bar { margin: 5px 0 3px; }
ol.hot .why { color: var(--soft); font-size: 13px; }
.terms { display: grid; grid-template-columns: max-content minmax(60px, 260px) max-content 1fr; gap: 5px 12px; align-items: center; margin: 0; }
.terms .why { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.terms .bar i { background: var(--soft); } .terms .first .bar i, .terms .bar.first i { background: var(--dram); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 8px; }
.fact { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 7px 11px; }
.fact b { display: block; font-size: 17px; font-variant-numeric: tabular-nums; }
.fact span { color: var(--soft); font-size: 13px; }
.fact.bad b { color: var(--dram); }
table { border-collapse: collapse; width: 100%; table-layout: fixed; background: var(--card); border: 1px solid var(--line); }
th { text-align: right; font-weight: 600; font-size: 12.5px; color: var(--soft); padding: 5px 8px; border-bottom: 1px solid var(--line); }
td { padding: 1px 8px; text-align: right; vertical-align: top; font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.src, th.src { text-align: left; white-space: pre-wrap; overflow-wrap: anywhere; }
td.no, th.no { color: var(--soft); width: 48px; } th.c, td.c { width: 130px; } th.n { width: 84px; } th.w { width: 104px; }
td.c .bar { margin-top: 5px; }
td.bad { color: var(--dram); font-weight: 600; }
tr.hot td { background: var(--hot); }
nav { margin: 0 0 14px; color: var(--soft); }
nav a { display: block; color: var(--ink); overflow-wrap: anywhere; margin: 3px 0; }
@media (max-width: 720px) {
  .terms { grid-template-columns: max-content 1fr max-content; } .terms .why { grid-column: 1 / -1; margin-bottom: 5px; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
  table, tbody, tr, td { display: block; width: auto; } thead { display: none; }
  tr { display: flex; flex-wrap: wrap; gap: 0 10px; padding: 2px 8px 2px 44px; position: relative; align-items: center; }
  tr.hot, tr.hot td { background: var(--hot); }
  td { padding: 0; text-align: left; border: 0; }
  td.no { position: absolute; left: 4px; width: 30px; text-align: right; } td.src { flex: 1 1 100%; min-width: 0; }
  td.c { width: 90px; } td.c .bar { margin: 4px 0; } td.n { font-size: 12px; }
  td.n[data-n]:not(:empty)::before { content: attr(data-n) " "; color: var(--soft); font-weight: 400; }
  td.n:empty, td.c:empty, tr.cold td.n, tr.cold td.c { display: none; }
}
)";

std::string segment(const char* cls, double part, double whole) {
  if (whole <= 0 || part / whole < 0.002) return "";
  return fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>", cls, 100 * part / whole);
}

// A bar as long as the line's share of the hottest line's, split by the part of the machine.
std::string costBar(const sim::LineCost& c, double longest) {
  return "<div class=\"bar\">" + segment("dram", c.dram, longest) + segment("l2", c.l2, longest) +
         segment("l1", c.l1, longest) + segment("shared", c.shared, longest) +
         segment("issue", c.issue, longest) + "</div>";
}

std::string legend() {
  std::string out = "<p class=\"legend\">";
  for (auto [cls, text] : {std::pair{"dram", "DRAM"},
                           {"l2", "L2"},
                           {"l1", "L1"},
                           {"shared", "shared memory"},
                           {"issue", "instructions"}})
    out += fmt::format("<span><i class=\"{}\"></i>{}</span>", cls, text);
  return out + "</p>";
}

std::string anchor(size_t kernel, const std::string& file, unsigned line) {
  std::string out = fmt::format("k{}-", kernel);
  for (char c : file) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return out + fmt::format("-{}", line);
}

// What the largest part of a line's cost is, for lines without a remark.
std::string mainCost(const sim::LineCost& c) {
  const std::pair<double, const char*> parts[] = {{c.dram, "DRAM traffic"},
                                                  {c.l2, "L2 traffic"},
                                                  {c.l1, "requests to the L1"},
                                                  {c.shared, "shared memory"},
                                                  {c.issue, "instructions"}};
  return fmt::format("mostly {}", std::max_element(std::begin(parts), std::end(parts))->second);
}

std::string fileOf(const KernelProfile& p, const ProfiledLine* line) {
  for (const ProfiledFile& file : p.files)
    if (!file.lines.empty() && line >= file.lines.data() && line < file.lines.data() + file.lines.size())
      return file.file;
  return "";
}

std::string hotLines(const KernelProfile& p, size_t index) {
  const std::vector<const ProfiledLine*> hot = hottestLines(p, 3);
  if (hot.empty()) return "";
  const double longest = hot.front()->count.cost.total();
  std::string out = "<h2>Hottest lines</h2><ol class=\"hot\">";
  for (const ProfiledLine* line : hot) {
    const std::string why = line->remark.empty() ? mainCost(line->count.cost) : line->remark;
    out += fmt::format(
        "<li><div class=\"top\"><span class=\"pct\">{}</span><a "
        "href=\"#{}\">{}</a><code>{}</code></div>{}<div class=\"why\">{}</div></li>",
        percent(line->share), anchor(index, fileOf(p, line), line->line), line->line,
        escaped(withoutIndent(line->text)), costBar(line->count.cost, longest), escaped(why));
  }
  return out + "</ol>" + legend();
}

std::string terms(const KernelProfile& p) {
  std::string out = "<h2>Where the time goes</h2><div class=\"terms\">";
  const double longest = p.time.terms.empty() ? 0 : p.time.terms.front().seconds;
  bool isFirst = true;
  for (const sim::TimeTerm& t : p.time.terms) {
    if (t.seconds < 0.02 * longest) continue;
    out += fmt::format(
        "<span>{}</span><div class=\"bar{}\"><i style=\"width:{:.1f}%\"></i></div><span>{}</span><span "
        "class=\"why\">{}</span>",
        sim::str(t.limiter), isFirst ? " first" : "", 100 * t.seconds / longest, shortTime(t.seconds),
        escaped(t.why));
    isFirst = false;
  }
  return out + "</div>";
}

std::string fact(const std::string& value, const std::string& text, bool isBad = false) {
  return fmt::format("<div class=\"fact{}\"><b>{}</b><span>{}</span></div>", isBad ? " bad" : "",
                     escaped(value), escaped(text));
}

std::string facts(const KernelProfile& p) {
  const sim::LineCount& all = p.count.all;
  std::string out = "<h2>Counters</h2><div class=\"facts\">";
  auto sectors = [&](const char* name, const sim::MemoryCount& m) {
    const uint64_t requests = m.globalRequests() + m.localRequests;
    if (!requests) return;
    out +=
        fact(fmt::format("{:.1f}", ratio(m.sectors, requests)),
             fmt::format("sectors a request, {} ({:.1f} would do)", name, ratio(m.minimumSectors, requests)),
             ratio(m.sectors, m.minimumSectors) >= 1.5);
  };
  sectors("loads", all.loads);
  sectors("stores", all.stores);
  sectors("atomics", all.atomics);
  const sim::MemoryCount m = all.memory();
  if (m.sharedRequests)
    out += fact(fmt::format("{:.2f}", ratio(m.wavefronts, m.minimumWavefronts)),
                "passes through the banks for each needed", ratio(m.wavefronts, m.minimumWavefronts) >= 1.5);
  const uint64_t loadSectors = all.loads.sectors;
  if (loadSectors)
    out += fact(percent(ratio(all.loads.l1Hits, loadSectors)), "of loaded sectors found in the L1");
  if (m.l2Sectors) out += fact(shortBytes(static_cast<double>(m.l2Sectors) * 32), "between L1 and L2");
  out +=
      fact(shortBytes(static_cast<double>(m.dramSectors + p.counters.filledSectors) * 32), "read from DRAM");
  out += fact(shortBytes(static_cast<double>(p.counters.writtenBackSectors) * 32),
              fmt::format("written to DRAM, {} left in the L2",
                          shortBytes(static_cast<double>(p.counters.dirtySectors) * 32)));
  const double active = ratio(all.lanes, all.warps * sim::warpLanes);
  out += fact(
      percent(active),
      fmt::format("of the lanes active in {} warp instructions", shortCount(static_cast<double>(all.warps))),
      active < 0.75);
  out += fact(percent(p.occupancy.share),
              fmt::format("occupancy, limited by {}; {} registers{}, {} of shared memory a block",
                          p.occupancy.limiter, p.registers, p.isRegistersGiven ? "" : " (estimated)",
                          shortBytes(static_cast<double>(p.sharedBytes))));
  if (m.groups && p.rules != "sectors")
    out += fact(percent(ratio(m.coalesced, m.groups)),
                fmt::format("of requests coalesced by the rule {}", p.rules),
                ratio(m.coalesced, m.groups) < 0.75);
  if (m.partitionEven)
    out += fact(fmt::format("{:.1f}", ratio(m.partitionBusiest, m.partitionEven)),
                "times its even load on the busiest memory partition",
                ratio(m.partitionBusiest, m.partitionEven) > 2);
  return out + "</div>";
}

std::string cell(const char* name, const std::string& text, bool isBad) {
  return fmt::format("<td class=\"n{}\" data-n=\"{}\">{}</td>", isBad ? " bad" : "", name, text);
}

std::string source(const KernelProfile& p, size_t index) {
  std::string out;
  const std::vector<const ProfiledLine*> hot = hottestLines(p, 3);
  const double longest = hot.empty() ? 0 : hot.front()->count.cost.total();
  for (const ProfiledFile& file : p.files) {
    out += fmt::format(
        "<h2>{}</h2><table><thead><tr><th class=\"no\">line</th><th class=\"src\">source</th><th "
        "class=\"c\">cost</th><th class=\"n\">share</th>"
        "<th class=\"n\">warps</th><th class=\"n\">lanes</th><th class=\"w\">sectors (least)</th><th "
        "class=\"w\">passes (least)</th></tr></thead><tbody>",
        escaped(file.file));
    for (const ProfiledLine& line : file.lines) {
      const bool isHot = line.share >= 0.05 && std::find(hot.begin(), hot.end(), &line) != hot.end();
      out += fmt::format("<tr id=\"{}\"{}><td class=\"no\">{}</td><td class=\"src\">{}</td>",
                         anchor(index, file.file, line.line),
                         isHot               ? " class=\"hot\""
                         : line.share < 0.01 ? " class=\"cold\""
                                             : "",
                         line.line, escaped(line.text));
      if (!line.isCounted) {
        out +=
            "<td class=\"c\"></td><td class=\"n\"></td><td class=\"n\"></td><td class=\"n\"></td><td "
            "class=\"n\"></td><td class=\"n\"></td></tr>\n";
        continue;
      }
      const sim::LineCount& c = line.count;
      const sim::MemoryCount m = c.memory();
      const double active = ratio(c.lanes, c.warps * sim::warpLanes);
      out += "<td class=\"c\">" + (line.share >= 0.002 ? costBar(c.cost, longest) : "") + "</td>";
      out += cell("share", line.share > 0 ? percent(line.share) : "", false);
      out += cell("warps", c.warps ? shortCount(static_cast<double>(c.warps)) : "", false);
      out += cell("lanes", c.warps ? percent(active) : "", c.warps && active < 0.75);
      out += cell("sectors", perRequest(m.sectors, m.minimumSectors, m.globalRequests() + m.localRequests),
                  ratio(m.sectors, m.minimumSectors) >= 1.5);
      out += cell("passes", perRequest(m.wavefronts, m.minimumWavefronts, m.sharedRequests),
                  ratio(m.wavefronts, m.minimumWavefronts) >= 1.5);
      out += "</tr>\n";
    }
    out += "</tbody></table>";
  }
  return out;
}

std::string nameOf(const KernelProfile& p) {
  std::string out = p.name;
  for (size_t i = 0; i < p.templateArgs.size(); ++i) out += (i ? ", " : "<") + p.templateArgs[i];
  return p.templateArgs.empty() ? out : out + ">";
}

std::string extentsHtml(const std::array<uint32_t, 3>& e) {
  if (e[2] > 1) return fmt::format("{} × {} × {}", e[0], e[1], e[2]);
  return e[1] > 1 ? fmt::format("{} × {}", e[0], e[1]) : fmt::format("{}", e[0]);
}

std::string kernelSection(const KernelProfile& p, size_t index) {
  std::string out =
      fmt::format("<section class=\"kernel\" id=\"k{}\"><h1>{}</h1>", index, escaped(nameOf(p)));
  if (!p.isProfiled())
    return out + fmt::format("<p class=\"sub\">{}:{}</p><p>Not profiled: {}</p></section>", escaped(p.file),
                             p.line, escaped(p.reason));
  std::string sizes;
  for (const auto& [name, value] : p.sizes) sizes += fmt::format(", {} = {}", name, value);
  out += fmt::format("<p class=\"sub\">{}:{} on {}, grid {}, block {}{}</p>", escaped(p.file), p.line,
                     escaped(p.targetTitle), extentsHtml(p.grid), extentsHtml(p.block), escaped(sizes));
  out += fmt::format("<p class=\"lead\">Estimated <b>{}</b>, limited by <b>{}</b></p>",
                     shortTime(p.time.seconds), sim::str(p.time.limiter));
  out += hotLines(p, index) + terms(p) + facts(p) + source(p, index);
  if (p.blocksCounted < p.blocksInGrid)
    out += fmt::format("<p class=\"note\">Counted on {} of {} blocks and scaled to all.</p>", p.blocksCounted,
                       p.blocksInGrid);
  for (const std::string& note : p.notes) out += fmt::format("<p class=\"note\">{}</p>", escaped(note));
  return out + "</section>";
}

}  // namespace

std::string toHtml(const std::vector<KernelProfile>& profiles) {
  std::string out;
  if (profiles.size() > 1) {
    out += fmt::format("<nav><details><summary>{}</summary>", ir::countOf(profiles.size(), "kernel"));
    for (size_t i = 0; i < profiles.size(); ++i)
      out += fmt::format("<a href=\"#k{}\">{}{}</a>", i, escaped(nameOf(profiles[i])),
                         profiles[i].isProfiled()
                             ? fmt::format(": {}, limited by {}", shortTime(profiles[i].time.seconds),
                                           sim::str(profiles[i].time.limiter))
                             : ": not profiled");
    out += "</details></nav>";
  }
  for (size_t i = 0; i < profiles.size(); ++i) out += kernelSection(profiles[i], i) + "\n";
  return htmlPage("hone profile" + (profiles.size() == 1 ? ": " + nameOf(profiles[0]) : ""), profileStyle,
                  out);
}

}  // namespace hone::report
