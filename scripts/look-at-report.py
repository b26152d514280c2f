#!/usr/bin/env python3
"""Opens a page that hone wrote in headless Chromium: screenshots at 1280 and 400 pixels, light and dark, and what is cut off or overlaps.

    scripts/look-at-report.py REPORT.html [FOLDER]

Exits with 1 where something sticks out of the page, texts overlap, or the first screen does not show what was changed and why.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]

# Runs in the page; the answer goes to the window around it.
PROBE = """
<script>
addEventListener("load", () => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const wide = innerWidth, out = {height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth, cut: [], overlaps: []};
  const name = e => e.tagName.toLowerCase() + (e.className.baseVal ?? e.className ? "." + (e.className.baseVal ?? e.className) : "") + " " + (e.textContent || "").trim().slice(0, 40);
  const scrolls = e => { for (let p = e; p; p = p.parentElement) if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true; return false; };
  for (const e of document.body.querySelectorAll("*")) {
    const r = e.getBoundingClientRect();
    if (r.width && (r.right > wide + 1 || r.left < -1) && !scrolls(e)) out.cut.push(name(e));
    if (e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX == "hidden") out.cut.push("hidden: " + name(e));
  }
  for (const svg of document.querySelectorAll("svg")) {
    const texts = [...svg.querySelectorAll("text")].map(t => [t, t.getBoundingClientRect()]).filter(([, r]) => r.width);
    const box = svg.getBoundingClientRect();
    for (const [t, r] of texts) if (r.right > box.right + 1 || r.left < box.left - 1 || r.bottom > box.bottom + 1) out.cut.push("svg: " + t.textContent);
    for (let i = 0; i < texts.length; ++i) for (let k = i + 1; k < texts.length; ++k) {
      const a = texts[i][1], b = texts[k][1];
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) out.overlaps.push(texts[i][0].textContent + " / " + texts[k][0].textContent);
    }
  }
  const head = document.querySelector("section .cols");
  out.answer = head ? Math.round(head.getBoundingClientRect().bottom) : 0;
  parent.postMessage(JSON.stringify(out), "*");
});
</script>
"""


# A window has a least width, a frame inside one has not.
FRAME = """<!DOCTYPE html><body style="margin:0"><script>addEventListener("message", e => document.title = e.data);</script>
<iframe src="{page}" style="border:0;display:block" width="{width}" height="{height}"></iframe>"""


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    browser = next((b for b in ("chromium", "chromium-browser", "google-chrome") if shutil.which(b)), None)
    if not browser:
        sys.exit("no Chromium here: install the package chromium")
    report = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    folder.mkdir(parents=True, exist_ok=True)
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        probed, frame = pathlib.Path(scratch, "probed.html"), pathlib.Path(scratch, "frame.html")
        text = report.read_text(encoding="utf-8")
        probed.write_text(text.replace("</body>", PROBE + "</body>"), encoding="utf-8")
        unfolded = pathlib.Path(scratch, "unfolded.html")
        unfolded.write_text(text.replace("<details>", "<details open>"), encoding="utf-8")

        def opened(page, width, height, *arguments):
            frame.write_text(FRAME.format(page=page.as_uri(), width=width, height=height))
            command = [browser, *FLAGS, f"--user-data-dir={scratch}/profile", f"--window-size={width},{height}",
                       *arguments, frame.as_uri()]
            return subprocess.run(command, capture_output=True, text=True, timeout=120).stdout

        for width in (1280, 400):
            dom = opened(probed, width, 800, "--virtual-time-budget=4000", "--dump-dom")
            found = re.search(r"<title>(.*?)</title>", dom, re.S)
            if not found:
                sys.exit(f"{width}: the page did not answer")
            seen = json.loads(html.unescape(found[1]))
            print(f"{width} pixels wide: {seen['height']} high; what was changed and why ends at {seen['answer']}")
            if seen["width"] > width + 1:
                problems.append(f"{width}: the page is {seen['width']} pixels wide")
            problems += [f"{width}: cut off: {what}" for what in dict.fromkeys(seen["cut"])]
            problems += [f"{width}: overlaps: {what}" for what in dict.fromkeys(seen["overlaps"])]
            if width == 1280 and seen["answer"] > 800:
                problems.append(f"{width}: what was changed and why needs scrolling")
            for scheme, number in (("light", 1), ("dark", 0)):
                for part, page, height in (("first", report, 800), ("whole", unfolded, min(seen["height"], 12000))):
                    file = folder / f"{report.stem}-{width}-{scheme}-{part}.png"
                    opened(page, width, height, f"--blink-settings=preferredColorScheme={number}", f"--screenshot={file}")
                    print(file)
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
