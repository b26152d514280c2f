"""Checks a page of `hone tune --report`: well-formed, nothing from elsewhere, its parts there, nothing of the source taken for markup."""
import html.parser
import re
import sys
import xml.etree.ElementTree

text = open(sys.argv[1], encoding="utf-8").read()
wanted = sys.argv[2:]  # headings and words that must be there
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.words, self.tags = [], [], [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            if name in ("src", "href", "xlink:href", "action") and not value.startswith("#"):
                self.problems.append(f"{tag} {name}={value} leads elsewhere")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"line {self.getpos()[0]}: </{tag}> closes what is not open")

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)


page = Page()
page.feed(text)
page.close()
problems = page.problems + [f"<{tag}> is never closed" for tag in page.open]
for found in re.findall(r"<svg.*?</svg>", text, re.S):
    try:
        drawing = xml.etree.ElementTree.fromstring(found)
    except xml.etree.ElementTree.ParseError as error:
        problems.append(f"an SVG that is no XML: {error}")
        continue
    if re.search(r"\b(nan|inf)\b", found):
        problems.append("an SVG with a place that is no number")
    width, height = (float(v) for v in drawing.get("viewBox").split()[2:])
    for circle in drawing.iter("{http://www.w3.org/2000/svg}circle"):
        if not (0 <= float(circle.get("cx")) <= width and 0 <= float(circle.get("cy")) <= height):
            problems.append("a point outside its plot")
for bad in ("script", "blink", "img", "link", "iframe"):
    if bad in page.tags:
        problems.append(f"there is a <{bad}>")
if re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text):
    problems.append("it wants something from elsewhere")
words = re.sub(r"\s+", " ", " ".join(page.words))
problems += [f"'{word}' is not there" for word in wanted if word not in words]
print("\n".join(problems) if problems else "the page is good")
sys.exit(bool(problems))
