"""usage: hostile.py log >LOG | hostile.py check FORMAT LOG REPORT

Hostile names (tests/data/hostile-names.txt, with \\xHH for bytes) as a log in which every one of them spills, and a
check of the report that `warplint check` made of it: a real parser of the format reads it, every name is there, and
nothing in it is of another shape than the format's own.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from urllib.parse import unquote_to_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
LONG = b"long_" + b"x" * 20000
SOURCE = b"we,ird::%0A<x>&\"]]>|`\xff.cu"


def names():
    with open(os.path.join(HERE, "data", "hostile-names.txt"), "rb") as file:
        lines = file.read().splitlines()
    return [re.sub(rb"\\(\\|x(..))", lambda m: bytes([int(m[2], 16)]) if m[2] else b"\\", line) for line in lines] + [LONG]


def write_log(out):
    for number, name in enumerate(names()):
        out.write(b"ptxas warning : Value of threads per SM for entry %s is out of range. "
                  b".minnctapersm will be ignored\n" % name)
        out.write(b"ptxas info    : Compiling entry function '%s' for 'sm_80'\n" % name)
        out.write(b"ptxas info    : Function properties for %s\n" % name)
        out.write(b"    16 bytes stack frame, %d bytes spill stores, 16 bytes spill loads\n" % (number + 1))
        out.write(b"ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]\n")
    out.write(b"%s(7): warning #1675-D: unrecognized GCC pragma\n  #pragma GCC unroll 4\n\n" % SOURCE)


HIDDEN = {0x61C, 0x200E, 0x200F, 0xFEFF, 0xFFFE, 0xFFFF, *range(0x2028, 0x202F), *range(0x2066, 0x206A), *range(0x80, 0xA0)}


def visible(name):
    """What a person or a strict parser gets of a name."""
    shown = ""
    for char in name.decode("utf-8", "surrogateescape"):
        code = ord(char)
        if code in HIDDEN or code < 32 or code == 127 or 0xD800 <= code < 0xE000:
            shown += "".join("\\x%02x" % byte for byte in char.encode("utf-8", "surrogateescape"))
        else:
            shown += char
    return shown


def expect(condition, what):
    if not condition:
        sys.exit("not so: " + what[:300])


def plain(text):
    """No byte that a terminal or a parser would take for more than text."""
    return text == visible(text.encode())


def check_names(texts, what):
    """Each short name stands in some text, each text is plain."""
    everything = "\n".join(texts)
    for text in texts:
        for line in text.split("\n"):
            expect(plain(line), "%s is plain text: %r" % (what, line[:200]))
    for name in names():
        if len(name) < 50:
            expect(visible(name) in everything, "%s holds %r" % (what, visible(name)))


def spills(texts):
    """The bytes that the findings speak of: each once."""
    found = [int(m[1]) for text in texts for m in [re.search(r"spills (\d+) B stores", text)] if m]
    expect(sorted(found) == list(range(1, len(names()) + 1)), "one finding a name, found %s" % sorted(found))


def strict_json(text):
    return json.loads(text, parse_constant=lambda word: sys.exit("not JSON: " + word))


def check_sarif(text, log):
    results = strict_json(text)["runs"][0]["results"]
    messages = [result["message"]["text"] for result in results]
    spills(messages)
    check_names([re.sub(r"\\([\[\]])", r"\1", message) for message in messages], "sarif messages")
    for message in messages:
        expect(not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\]\(", message), "no link in %r" % message)
    full = [place["fullyQualifiedName"] for result in results
            for place in result["locations"][0].get("logicalLocations", [])]
    expect(visible(LONG) in full, "the long name stands somewhere in full")
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    expect({unquote_to_bytes(uri) for uri in uris} == {log.encode(), SOURCE}, "the URIs")
    for uri in uris:
        expect(re.fullmatch(r"(?:[A-Za-z0-9._~/+=@,-]|%[0-9A-F]{2})+", uri), "a URI: " + uri)


def check_gitlab(text, log):
    entries = strict_json(text)
    spills([entry["description"] for entry in entries])
    check_names([entry["description"] for entry in entries], "gitlab")
    prints = [entry["fingerprint"] for entry in entries]
    expect(len(set(prints)) == len(prints), "fingerprints are unique")
    expect({entry["location"]["path"] for entry in entries} == {log, visible(SOURCE)}, "the paths")


def check_rdjsonl(text, log):
    entries = [strict_json(line) for line in text.splitlines()]
    spills([entry["message"] for entry in entries])
    check_names([entry["message"] for entry in entries], "rdjsonl")
    expect({entry["location"]["path"] for entry in entries} == {log, visible(SOURCE)}, "the paths")


def decoded(data):
    """What the runner makes of data and properties: "%25" last."""
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        data = data.replace(code, char)
    return data


def check_github(text, log):
    """The grammar of the runner: a line that begins with "::" is a command."""
    count = 0
    for line in text.splitlines():
        if not line.startswith("::"):
            expect("##[" not in line and "##vso" not in line, "no command of the old form: " + line)
            continue
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        expect(match, "a command: " + line[:200])
        properties = dict(item.split("=", 1) for item in match[2].split(","))
        expect(set(properties) <= {"file", "line", "col", "title"}, "properties: %s" % properties)
        for value in [*properties.values(), match[3]]:
            expect(re.fullmatch(r"(?:[^%]|%(?:25|0A|0D|3A|2C))*", value), "escaped: " + value)
        expect(plain(match[3]), "plain: " + match[3])
        if "file" in properties:
            expect(decoded(properties["file"]) in (log, visible(SOURCE)), "the file " + properties["file"])
        count += match[1] == "error"
        spill = re.search(r"spills (\d+) B stores", match[3])
        name = visible(names()[int(spill[1]) - 1]) if spill else ""
        expect(len(name) > 50 or "(" in name or decoded(match[3]).startswith(name), "it begins with %r: %r" % (name, line))
    expect(count == 10, "ten errors, found %d" % count)
    expect(re.search(r"^::notice title=warplint::\d+ more errors", text, re.M), "the rest is told")


def check_junit(text, log):
    root = tree.fromstring(text)
    cases = root.findall("./testsuite[@name='sm_80']/testcase")
    expect(len({case.get("name") for case in cases}) == len(names()), "a case a name")
    for case in cases:
        expect(plain(case.get("name")), "a plain name: " + case.get("name"))
    bodies = [case.find("failure").text for case in cases]
    check_names(bodies, "junit")
    spills(bodies)
    expect(any(visible(LONG) in body for body in bodies), "the long name stands in full")


def check_checkstyle(text, log):
    root = tree.fromstring(text)
    expect({file.get("name") for file in root} == {log, visible(SOURCE)}, "the files")
    messages = [error.get("message") for error in root.iter("error")]
    spills(messages)
    check_names(messages, "checkstyle")


def check_csv(text, log):
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    spills([row["message"] for row in rows])
    check_names([row["mangled"] for row in rows], "csv")
    for row in rows:
        for value in row.values():
            expect(not re.match(r"[=+@-]", value), "no formula: " + value[:50])


def exact(rows):
    """JSON holds names byte for byte, what is no UTF-8 as lone surrogates."""
    found = {row["mangled"].encode("utf-8", "surrogateescape") for row in rows}
    expect(set(names()) <= found, "names byte for byte, missing %s" % (set(names()) - found))


def check_json(text, log):
    document = strict_json(text)
    exact(document["kernels"])
    spills([row["message"] for row in document["findings"]])


def check_ndjson(text, log):
    rows = [strict_json(line) for line in text.split("\n")[:-1]]
    exact([row for row in rows if row["type"] == "kernel"])


def check_text(text, log):
    check_names(text.splitlines(), "text")
    expect(all(line.startswith((log, visible(SOURCE))) for line in text.splitlines() if line.endswith("]")), "the place comes first")


def rendered(format):
    """The report as a reader sees it; needs node and the modules of ci/tools."""
    modules = os.path.join(HERE, os.pardir, "build-tools", "node_modules")
    script = os.path.join(HERE, "tools", "rendered.mjs")
    run = subprocess.run(["node", script, modules, format, sys.argv[4]], capture_output=True, text=True)
    expect(run.returncode == 0, "rendered: " + run.stderr)
    return json.loads(run.stdout)


def check_tables(page):
    """Every row has as many cells as its head; each name of some length stands as it is in a row of its own."""
    for table in page["tables"]:
        for row in table["rows"]:
            expect(len(row) == len(table["rows"][0]), "%s: %d cells in %r" % (table["title"], len(table["rows"][0]), row))
    finding = re.compile(r"spills (\d+) B stores")
    kernels = [table for table in page["tables"] if "kernel" in table["rows"][0][:2] and "arch" in table["rows"][0]]
    labels = {row[table["rows"][0].index("kernel")] for table in kernels for row in table["rows"][1:]}
    for name in names():
        shown = visible(name).strip()
        if len(shown) < 50 and not shown.endswith(")"):
            marked = [label for label in labels if "~" in shown and re.sub(r"~[0-9a-f]+$", "", label) == shown]
            expect(shown in labels or marked, "a row of %r" % shown)
    expect(len(labels) >= len(names()), "a label for each name: %d" % len(labels))
    return [m[1] for m in finding.finditer(page["text"])]


def check_markdown(text, log):
    page = rendered("markdown")
    expect(set(page["elements"]) <= {"h3", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "code",
                                     "details", "summary", "ul", "li", "span"}, "elements: %s" % page["elements"])
    expect(page["attributes"] == [], "nothing but text: %s" % page["attributes"])
    expect(len(check_tables(page)) >= len(names()), "a finding a name")


def check_html(text, log):
    page = rendered("html")
    expect(page["complaints"] == [], "HTML: %s" % page["complaints"])
    expect(set(page["elements"]) <= set(
        "html head meta title style body header main nav section details summary h1 h2 h3 p br ul li a b code span div "
        "table caption thead tbody tr th td form label input select option output button svg path circle rect text "
        "figure figcaption script".split()), "elements: %s" % page["elements"])
    for attribute in page["attributes"]:
        expect(re.fullmatch(r"a href=#[a-z0-9-]+|meta http-equiv=Content-Security-Policy", attribute), attribute)
    check_tables(page)
    data = strict_json(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
    last, found = "", set()
    for front, end, middle in data["mangled"]:
        last = last[:front] + middle + last[len(last) - end:]
        found.add(last)
    expect({visible(name) for name in names()} == found, "every name in full: %s" % ({visible(name) for name in names()} ^ found))


def main():
    if sys.argv[1] == "log":
        write_log(sys.stdout.buffer)
        return
    check = globals().get("check_" + sys.argv[2])
    expect(check, "this format is checked here: " + sys.argv[2])
    with open(sys.argv[4], encoding="utf-8", newline="") as file:
        check(file.read(), sys.argv[3])


main()
