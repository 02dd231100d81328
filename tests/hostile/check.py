"""usage: check.py PROGRAM WORK [QUICK]

Puts every entry of tests/hostile/*.txt (with \\xHH for bytes) into every part of an input that can hold text, and
passes the report in every format through a real parser: the report has only the format's own structure, and every name
is in it. The reports stay in WORK for tools that this program does not call. QUICK: only one entry in SAMPLE, in scenes
that need one run of the program per entry.

Scenes: `log`, a log that ptxas could have written, with the entries as names, sources and messages; `records`, NDJSON
with the entries in every text; `rules`, rules and exceptions whose texts are entries; and messages on standard error
about command lines and files that hold them.
"""
import csv
import functools
import glob
import html
import importlib
import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from urllib.parse import unquote_to_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, os.pardir, "parsers"))
PARSERS = {name: importlib.import_module(name)
           for name in (file[:-3] for file in os.listdir(sys.path[0]) if file.endswith(".py"))}
LONG = b"long_" + b"x" * 20000
LOG = 'a,b::c%0A|<x>]].txt'
CANARY = b"a reader that follows what it reads comes here"
COMBINED = set(range(0x300, 0x370))
SAMPLE = 37


def entry_of(line):
    return re.sub(rb"\\(\\|x(..))", lambda m: bytes([int(m[2], 16)]) if m[2] else b"\\", line)


def entries():
    lines = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.txt"))):
        with open(path, "rb") as file:
            lines.update({entry_of(line): None for line in file.read().split(b"\n") if line})
    return [*lines, LONG]


ENTRIES = entries()

# ---- what may be shown ----

HIDDEN = set(map(chr, [
    *range(32), 0x7F, *range(0x80, 0xA0), 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E,
    *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xD800, 0xE000),
    *range(0xFDD0, 0xFDF0), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFFC), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE0080),
    *[plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)]]))


def visible(name):
    """The name as a person or a strict parser sees it."""
    text = name.decode("utf-8", "surrogateescape")
    command = re.match(r"[^!-~]*::", text)
    shown = ""
    for at, char in enumerate(text):
        if char in HIDDEN or (command and at == command.end() - 2) or (char == "#" and text[at - 1:at] == "#"):
            shown += "".join("\\x%02x" % byte for byte in char.encode("utf-8", "surrogateescape"))
        else:
            shown += char
    return shown


class Wrong(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Wrong(what[:400])


def plain(text):
    """Checks that no character has a meaning for a terminal or a parser."""
    return HIDDEN.isdisjoint(text)


def quiet(line):
    """Checks that no CI system takes the line for a command: GitHub trims it and looks for "::" at its start; the old
    form of its commands, Azure's and TeamCity's can be anywhere in a line."""
    return not line.strip().startswith("::") and not re.search(r"##(\[|vso\[|teamcity\[)", line)


def check_lines(text, what, table=False, tabs=False):
    """Checks that every line is plain text, and that no line is a command except those of the format itself."""
    is_command = PARSERS[what].is_command if what in PARSERS else lambda line: False
    for line in text.replace("\r\n", "\n").split("\n") if table else text.split("\n"):
        expect(plain(line.replace("\t", " ") if tabs else line), "%s is plain text: %r" % (what, line))
        if not is_command(line):
            expect(quiet(line), "%s holds no command: %r" % (what, line))


# ---- the scenes ----

def in_log(name):
    """Names that a line of a log can contain unchanged, because they are neither its framing nor its grammar."""
    return not re.search(rb"[\r\n\x01-\x08\x0a-\x1f\0]|^[ \t]|[ \t]$|'|(ptxas|nvlink|warplint) info|Used \d|spill stores"
                         rb"|^[\0-\x20]+$|Function properties", name)


def write_log(path, names):
    with open(path, "wb") as out:
        for number, name in enumerate(names):
            out.write(b"ptxas warning : Value of threads per SM for entry %s is out of range. "
                      b".minnctapersm will be ignored\n" % name)
            out.write(b"ptxas info    : Compiling entry function '%s' for 'sm_80'\n" % name)
            out.write(b"ptxas info    : Function properties for %s\n" % name)
            out.write(b"    16 bytes stack frame, %d bytes spill stores, 16 bytes spill loads\n" % (number + 1))
            out.write(b"ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]\n")
        for name in ENTRIES:
            out.write(b"%s(7): warning #1675-D: unrecognized GCC pragma\n  #pragma GCC unroll 4\n\n" % name)
            out.write(b"remark: %s:4:2: Unable to fully unroll loop as directed by unroll(full) pragma because %s.\n"
                      % (name, name))
            out.write(b"ptxas info    : %s\nptxas warning : %s\nnvlink info    : %s\n" % (name, name, name))
            out.write(b"ptxas error   : Entry function '%s' uses too much shared data (0x1 bytes, 0x1 max)\n" % name)
            out.write(b"ptxas %s, line 4; warning : %s\n" % (name, name))
            out.write(b"%s\n" % name)


def as_text(name):
    return name.decode("utf-8", "surrogateescape")


def dump(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=True) + "\n"


def write_records(path, names):
    """One stream; each entry is used as a name, a source, a log, a message, an exception and an unknown line."""
    log = {"type": "log", "lines": 1, "unknown_lines": 1, "verbose": True, "interleaved": False, "torn": False,
           "cut": False, "no_machine_code": False, "stopped_line": 1}
    records = []
    for number, name in enumerate(names):
        text = as_text(name)
        here = {"log": text, "log_line": number + 1}
        records.append({**log, "log": text, "command": [text, text], "flags": [text], "nvcc": text, "ptxas": text})
        records.append({"type": "kernel", "mangled": text, "kind": "entry", "producer": "ptxas", "arch": "sm_80",
                        "arch_inferred": "sm_80", "source": text, "line": number % 3, "registers": 32,
                        "stack_bytes": 16, "spill_store_bytes": number + 1, "spill_load_bytes": 16,
                        "used_line": True, "barriers": 0, "ambiguous": False, "debug": False, "headless": False,
                        **here})
        records.append({"type": "event", "event": "unroll", "severity": "warning", "text": text,
                        "numbers": [None, None], "mangled": text, "arch": None, "arch_inferred": None, "file": text,
                        "line": 3, "column": 2, "count": 1, **here})
        records.append({"type": "allow", "kernel": "k%d" % number, "rule": "register-spill", "reason": text,
                        "until": None, "problem": None, "file": text, "line": 3, "column": None, "log": text})
        records.append({"type": "allow", "kernel": text, "rule": "dynamic-indexing", "reason": text, "until": None,
                        "problem": None, "file": text, "line": 3, "column": None, "log": text})
        records.append({"type": "unknown", "text": text, **here})
    with open(path, "w", encoding="ascii") as out:
        out.write(dump({"type": "run", "schema": 1, "tool": "warplint", "version": "0"}))
        out.writelines(map(dump, records))
        out.write(dump({"type": "end", "records": len(records)}))


def quoted(text):
    """A YAML scalar with these characters."""
    return '"' + "".join(char if char.isalnum() and char.isascii() or char == " " else
                         "\\U%08X" % ord(char) for char in text) + '"'


def in_yaml(name):
    text = as_text(name)
    return "\0" not in text and not any(0xD800 <= ord(char) < 0xE000 for char in text) and text.strip()


def write_rules(folder):
    """A rule with each entry as its texts, a kernel for which it fires, and an exception for every second one."""
    texts = [as_text(name) for name in ENTRIES if in_yaml(name)]
    log = open(os.path.join(folder, "kernels.log"), "w")
    allows = []
    for number, text in enumerate(texts):
        shown = quoted(text)
        message = quoted(text.replace("{", "{{").replace("}", "}}"))
        with open(os.path.join(folder, "rules", "entry-%d.yaml" % number), "w") as rule:
            rule.write("id: entry-%d\ntitle: %s\nseverity: warning\nwhen: 'registers == %d'\nmessage: %s\n"
                       "why: %s\nhint: %s\nsee: [%s]\n" % (number, shown, number % 250 + 1, message, shown, shown, shown))
        if number % 2:
            allows.append("  - {rule: entry-%d, kernel: '^kernel_%d$', reason: %s}\n" % (number, number % 250 + 1, shown))
    for registers in range(1, 251):
        log.write("ptxas info    : Compiling entry function 'kernel_%d' for 'sm_80'\n"
                  "ptxas info    : Function properties for kernel_%d\n"
                  "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                  "ptxas info    : Used %d registers, used 0 barriers\n" % (registers, registers, registers))
    log.close()
    with open(os.path.join(folder, ".warplint.yaml"), "w") as config:
        config.write("allow:\n" + "".join(allows))
    return texts


# ---- one check a format ----

def is_plain_name(name):
    """The entries without names that labels shorten, and without those whose instances or copies form one group."""
    return not re.match(rb"_Z", name) and not re.search(rb"\)$|\$\d+", name)


def spills(texts, names):
    """The bytes that the findings name, each once."""
    found = [int(m[1]) for text in texts for m in [re.search(r"spills (\d+) B stores", text)] if m]
    missing = {at + 1 for at, name in enumerate(names) if is_plain_name(name)} - set(found)
    more = sorted(set(at for at in found if found.count(at) > 1))
    expect(not missing and not more, "one finding a name, missing %s, twice %s" % (sorted(missing), more))


def check_names(texts, names, what):
    """Checks that each short name is in some text, unchanged or marked, and that each text is plain."""
    everything = "\n".join(texts)
    for text in texts:
        for line in text.split("\n"):
            expect(plain(line), "%s is plain text: %r" % (what, line[:200]))
    for name in names:
        shown = visible(name)
        if len(shown.encode()) < 50 and is_plain_name(name):
            expect(shown in everything, "%s holds %r" % (what, shown))


def strict_json(text):
    def refuse(word):
        raise Wrong("not JSON: " + word)
    return json.loads(text, parse_constant=refuse)


def check_sarif(text, names):
    results = strict_json(text)["runs"][0]["results"]
    messages = [result["message"]["text"] for result in results]
    if names:
        spills(messages, names)
        check_names([re.sub(r"\\([\[\]])", r"\1", message) for message in messages], names, "sarif messages")
        full = [place["fullyQualifiedName"] for result in results
                for place in result["locations"][0].get("logicalLocations", [])]
        expect(visible(LONG) in full, "the long name stands somewhere in full")
    for message in messages:
        expect(not re.search(r"(?<!\\)\[[^\]]*(?<!\\)\]\(", message), "no link in %r" % message)
    for result in results:
        for place in result["locations"]:
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            expect(re.fullmatch(r"(file:///[A-Za-z]:(?=/)|file:///?)?(?:[A-Za-z0-9._~/+=@,-]|%[0-9A-F]{2})+", uri),
                   "a URI: " + uri)
            expect(not uri.startswith("//") and b"\0" not in unquote_to_bytes(uri)[:0], "no address: " + uri)


def check_gitlab(text, names):
    rows = strict_json(text)
    if names:
        spills([row["description"] for row in rows], names)
        check_names([row["description"] for row in rows], names, "gitlab")
    prints = [row["fingerprint"] for row in rows]
    expect(len(set(prints)) == len(prints), "fingerprints are unique")
    for row in rows:
        expect(plain(row["location"]["path"]) and row["location"]["path"], "a path: %r" % row["location"]["path"])


def check_rdjsonl(text, names):
    rows = [strict_json(line) for line in text.splitlines()]
    if names:
        spills([row["message"] for row in rows], names)
        check_names([row["message"] for row in rows], names, "rdjsonl")
    for row in rows:
        expect(plain(row["location"]["path"]) and row["location"]["path"], "a path: %r" % row["location"]["path"])


def check_commands(text, names, format):
    """The commands of a CI system, by the parser of the format."""
    found = PARSERS[format].findings(text)
    for path, *_, message in found:
        expect(plain(path) and plain(message), "plain: %r %r" % (path, message))
    if names:
        check_names([message for *_, message in found], names, format)


def check_junit(text, names):
    root = tree.fromstring(text)
    cases = root.findall("./testsuite/testcase")
    for node in root.iter():
        for value in [*node.attrib.values(), *(node.text or "").split("\n")]:
            expect(plain(value), "plain: %r" % value)
    if names:
        cases = root.findall("./testsuite[@name='sm_80']/testcase")
        expect(len({case.get("name") for case in cases}) == len(names), "a case a name")
        bodies = [case.find("failure").text for case in cases]
        check_names(bodies, names, "junit")
        spills(bodies, names)
        expect(any(visible(LONG) in body for body in bodies), "the long name stands in full")


def check_checkstyle(text, names):
    root = tree.fromstring(text)
    messages = [error.get("message") for error in root.iter("error")]
    for file in root:
        expect(plain(file.get("name")) and file.get("name"), "a file: %r" % file.get("name"))
    if names:
        spills(messages, names)
        check_names(messages, names, "checkstyle")


def check_csv(text, names):
    for separator in ",;":  # where a decimal comma is used, programs take a semicolon for the separator
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=separator == ","):
            for value in row if separator == "," else row[1:]:
                expect(not re.match(r"\s*[=+@\-\uff1d\uff0b\uff0d\uff20\t]", value), "no formula: %r" % value[:50])
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    expect(all(None not in row and None not in row.values() for row in rows), "as many cells as heads")
    if names:
        spills([row["message"] for row in rows], names)
        stripped = [re.sub(r"(^|;)'(?= *[=+@\-\uff1d\uff0b\uff0d\uff20])", r"\1", row["mangled"]) for row in rows]
        check_names(stripped + [row["mangled"] for row in rows], names, "csv")


def exact(rows, names):
    """JSON has the exact bytes of names; bytes that are not UTF-8 are lone surrogates."""
    found = {row["mangled"].encode("utf-8", "surrogateescape") for row in rows}
    expect(set(names) <= found, "names byte for byte, missing %s" % list(set(names) - found)[:3])


def check_json(text, names):
    document = strict_json(text)
    if names:
        exact(document["kernels"], names)
        spills([row["message"] for row in document["findings"]], names)


def check_ndjson(text, names):
    rows = [strict_json(line) for line in text.split("\n")[:-1]]
    if names:
        exact([row for row in rows if row["type"] == "kernel"], names)


def check_text(text, names):
    if names:
        check_names(text.split("\n"), names, "text")


def rendered(format, path):
    """The report as a reader sees it; needs node and the modules of ci/tools."""
    modules = os.path.join(HERE, os.pardir, os.pardir, "build-tools", "node_modules")
    script = os.path.join(HERE, os.pardir, "tools", "rendered.mjs")
    run = subprocess.run(["node", script, modules, format, path], capture_output=True, text=True)
    expect(run.returncode == 0, "rendered: " + run.stderr)
    return json.loads(run.stdout)


def can_render():
    modules = os.path.join(HERE, os.pardir, os.pardir, "build-tools", "node_modules")
    try:
        subprocess.run(["node", "--version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return os.path.isdir(os.path.join(modules, "micromark")) and os.path.isdir(os.path.join(modules, "parse5"))


def check_tables(page, names):
    """Checks that every row has as many cells as its head, and that each longer name is unchanged in its own row."""
    for table in page["tables"]:
        for row in table["rows"]:
            expect(len(row) == len(table["rows"][0]), "%s: %d cells in %r" % (table["title"], len(table["rows"][0]), row))
    kernels = [table for table in page["tables"] if "kernel" in table["rows"][0][:2] and "arch" in table["rows"][0]]
    labels = {row[table["rows"][0].index("kernel")] for table in kernels for row in table["rows"][1:]}
    unmarked = {re.sub(r"~[0-9a-f]+$", "", label).strip() for label in labels}
    for name in names:
        shown = visible(name).strip()
        if len(shown.encode()) < 50 and is_plain_name(name):
            expect(shown in labels or shown in unmarked, "a row of %r" % shown)
    count = sum(map(is_plain_name, names))
    expect(len(labels) >= count, "a label for each name: %d of %d" % (len(labels), count))


def check_markdown(text, names, path):
    if not can_render():
        return
    page = rendered("markdown", path)
    expect(set(page["elements"]) <= {"h3", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "strong", "code",
                                     "details", "summary", "ul", "li", "span", "br"}, "elements: %s" % page["elements"])
    expect(page["attributes"] == [], "nothing but text: %s" % page["attributes"])
    check_tables(page, names)


def check_html(text, names, path):
    if not can_render():
        return
    page = rendered("html", path)
    expect(page["complaints"] == [], "HTML: %s" % page["complaints"])
    expect(set(page["elements"]) <= set(
        "html head meta title style body header main nav section details summary h1 h2 h3 p br ul li a b code span div "
        "table caption thead tbody tr th td form label input select option output button svg path circle rect text "
        "figure figcaption ol script g desc use wbr".split()), "elements: %s" % page["elements"])
    for attribute in page["attributes"]:
        expect(re.fullmatch(r"(a|use) href=#[a-z0-9-]+|meta http-equiv=Content-Security-Policy", attribute), attribute)
    check_tables(page, names)
    found = set(map(html.unescape, re.findall(r'<p class="name muted"><code>(.*?)</code>', text, re.S)))
    expect({visible(name) for name in names} <= found,
           "every name in full: %s" % list({visible(name) for name in names} - found)[:3])


CHECKS = {name[6:]: check for name, check in list(globals().items()) if name.startswith("check_")}
CHECKS.update({name: functools.partial(check_commands, format=name) for name in PARSERS})

# ---- running ----

passed, failed = 0, 0


def holds(what, check, *arguments):
    global passed, failed
    try:
        check(*arguments)
        passed += 1
        print("ok   " + what)
    except (Wrong, AssertionError, ValueError, KeyError, AttributeError, tree.ParseError, csv.Error) as fault:
        failed += 1
        print("FAIL %s: %s: %s" % (what, type(fault).__name__, fault))


def run(program, folder, *words, expected=(0, 1)):
    done = subprocess.run([program, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    expect(done.returncode in expected, "%s: status %d: %r" % (words, done.returncode, done.stderr[-300:]))
    return done


def text_of(output):
    try:
        return output.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Wrong("UTF-8: %s" % fault)


def check_report(program, folder, scene, format, options, log, names):
    text = text_of(run(program, folder, "check", "--all", "--fail-on", "error", "--format", format, *options, log).stdout)
    path = os.path.join(folder, os.pardir, scene + "." + format)
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write(text)
    check_lines(text, format, table=format == "csv")
    if format in ("markdown", "html"):
        CHECKS[format](text, names, path)
    else:
        CHECKS[format](text, [] if format == "github" else names)


def check_scene(program, folder, scene, options, log, names):
    formats = [line.split()[0] for line in run(program, folder, "list", "formats").stdout.decode().splitlines()]
    for format in formats:
        holds("%s: %s, %d names" % (scene, format, len(names)), check_report, program, folder, scene, format, options,
              log, names)
    holds(scene + ": text, coloured", check_coloured, program, folder, options, log)
    for words in (["check"], ["check", "--unknown"], ["check", "--quiet"], ["check", "--format", "markdown", "--max-bytes", "8192"],
                  *(["report", "--all", "--format", format] for format in formats if format in
                    ("text", "markdown", "html", "json", "ndjson", "csv")),
                  ["report", "--all", "--color", "always"], ["report", "--summary"],
                  ["report", "--summary", "--format", "json"], ["merge"],
                  *(["diff", "--format", format, "../one.log"] for format in
                    ("text", "json", "ndjson", "csv", "markdown"))):
        holds("%s: %s" % (scene, " ".join(words)), check_command, program, folder, words, options, log)


def check_baseline(program, folder, scene, options, log):
    path = os.path.join(folder, os.pardir, scene + ".baseline")
    check_command(program, folder, ["baseline", "write", path], options, log)
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    strict_json(text)
    check_lines(text, "the baseline", tabs=True)
    for verb in ("check", "update", "prune"):
        check_command(program, folder, ["baseline", verb, path], options, log)
    check_command(program, folder, ["diff", path], options, log)


def check_coloured(program, folder, options, log):
    text = text_of(run(program, folder, "check", "--all", "--color", "always", *options, log).stdout)
    expect("\033[33m" in text, "colours")
    check_lines(re.sub("\033\\[(?:31|33|36|0)m", "", text), "text")


def check_command(program, folder, words, options, log):
    done = run(program, folder, *words, *(options if words[0] not in ("merge", "report") else ["--no-config"] if words[0] == "report" else []), log, expected=(0, 1, 3))
    check_lines(re.sub("\033\\[(?:1|2|31|32|33|36|0)m", "", text_of(done.stdout)), "standard output",
                table="csv" in words)
    check_lines(text_of(done.stderr), "standard error", tabs=True)
    expect(words[0] == "baseline" or words[-1] == "--quiet" or done.stdout, "there is an output")


def check_annotations(program, folder, log, names):
    """Nine names per run, because GitHub keeps ten annotations of a kind."""
    path = os.path.join(folder, "few.log")
    for at in range(0, len(names), 9):
        write_few(path, names[at:at + 9])
        text = text_of(run(program, folder, "check", "--no-config", "--select", "register-spill", "--format", "github",
                           "few.log").stdout)
        check_lines(text, "github")
        check_commands(text, names[at:at + 9], "github")


def write_few(path, names):
    with open(path, "wb") as out:
        for name in names:
            out.write(b"ptxas info    : Compiling entry function '%s' for 'sm_80'\n"
                      b"ptxas info    : Function properties for %s\n"
                      b"    16 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n"
                      b"ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]\n" % (name, name))


# ---- messages about what people typed and files that they wrote ----

FILES = {
    "broken.yaml": b"%s",
    "key.yaml": b"rules:\n  %s: off\n",
    "value.yaml": b"fail-on: %s\n",
    "quoted.yaml": b"rules:\n  \"%s\": off\n",
    "match.yaml": b"kernels:\n  - match: '%s'\n    threads: 'nothing'\n",
    "rule.yaml": b"id: rule\ntitle: x\nseverity: warning\nwhen: '%s'\nmessage: x\n",
    "message.yaml": b"id: message\ntitle: x\nseverity: warning\nwhen: 'registers > 1'\nmessage: '%s {x}'\n",
    "baseline.json": b"%s",
    "named.json": b"{\"warplint\":\"baseline\",\"%s\":[\"%s\"]}",
    "records.warplint.ndjson": b"{\"type\":\"run\",\"schema\":1}\n{\"type\":\"%s\"}\n",
    "launches.csv": b"\"Kernel Name\",\"Block Size\",\"Grid Size\"\n\"%s\",\"%s\",\"(1, 1, 1)\"\n",
    "launches2.csv": b"%s\n",
    "batch.csv": b"arch,threads,registers,smem_bytes,dynamic_smem_bytes,barriers\n%s,256,32,0,0,0\nsm_80,%s,32,0,0,0\n",
}
COMMANDS = [
    ["check", "ARG"], ["check", "--config", "ARG", "one.log"], ["check", "--rules", "ARG", "one.log"],
    ["check", "--no-config", "--baseline", "ARG", "one.log"], ["check", "--no-config", "--select", "ARG", "one.log"],
    ["check", "--no-config", "--arch", "ARG", "one.log"], ["check", "--no-config", "--kernel", "ARG", "one.log"],
    ["check", "--format", "ARG", "one.log"], ["check", "-o", "ARG", "one.log"], ["check", "--launches", "ARG", "one.log"],
    ["check", "--objects", "ARG", "one.log"], ["check", "--threads", "ARG", "one.log"], ["check", "--toolkit", "ARG"],
    ["check", "--ARG"], ["ARG"], ["explain", "ARG"], ["list", "ARG"], ["occupancy", "--arch", "ARG"],
    ["advise", "ARG", "one.log"], ["diff", "ARG", "one.log"], ["merge", "ARG"], ["baseline", "ARG"],
    ["baseline", "check", "ARG", "one.log"], ["config", "ARG"],
    ["check", "--no-config", "--sarif-category", "ARG", "--format", "sarif", "one.log"],
    ["check", "--config", "broken.yaml", "one.log"], ["check", "--config", "key.yaml", "one.log"],
    ["check", "--config", "value.yaml", "one.log"], ["check", "--config", "quoted.yaml", "one.log"],
    ["check", "--config", "match.yaml", "one.log"], ["config", "show", "--config", "match.yaml"],
    ["check", "--no-config", "--rules", "rules", "one.log"], ["explain", "--rules", "rules", "rule"],
    ["check", "--no-config", "--baseline", "baseline.json", "one.log"],
    ["check", "--no-config", "--baseline", "named.json", "one.log"], ["check", "--no-config", "records.warplint.ndjson"],
    ["check", "--no-config", "--launches", "launches.csv", "one.log"],
    ["check", "--no-config", "--launches", "launches2.csv", "one.log"], ["occupancy", "--csv", "batch.csv"],
]


def check_messages(program, folder, names, counts):
    os.makedirs(os.path.join(folder, "rules"), exist_ok=True)
    write_few(os.path.join(folder, "one.log"), [b"k"])
    for name in names:
        for file, text in FILES.items():
            inside = "rules" if file in ("rule.yaml", "message.yaml") else "."
            with open(os.path.join(folder, inside, file), "wb") as out:
                out.write(text.replace(b"%s", name))
        for words in COMMANDS:
            if "ARG" in "".join(words) and (b"\0" in name or len(name) > 4000 or name == b"-"):
                continue
            if name == b"/dev/zero" and words in (["check", "ARG"], ["merge", "ARG"]):
                continue  # a log may go on for ever, and this one does
            if words[1:] == ["--objects", "ARG", "one.log"] and os.path.realpath(name) == b"/":
                continue  # whatever objects the machine has would be read
            spelled = [os.fsencode(word).replace(b"ARG", name) for word in words]
            done = run(program, folder, *spelled, expected=(0, 1, 2, 3))
            counts[done.returncode] = counts.get(done.returncode, 0) + 1
            what = "%s, %r" % (words, name)
            check_lines(text_of(done.stdout), what, tabs=True, table=words[0] == "occupancy")
            check_lines(text_of(done.stderr), what, tabs=True)
    expect(counts.get(2, 0) > len(names), "much of it is wrong usage: %s" % counts)


def main():
    program, work, quick = os.path.abspath(sys.argv[1]), sys.argv[2], len(sys.argv) > 3
    for folder in ("log", "records", "rules/rules", "messages"):
        os.makedirs(os.path.join(work, folder))
    write_few(os.path.join(work, "one.log"), [b"k"])
    few = ENTRIES[::SAMPLE] if quick else ENTRIES

    names = [name for name in ENTRIES if in_log(name)]
    write_log(os.path.join(work, "log", LOG), names)
    check_scene(program, os.path.join(work, "log"), "log", ["--no-config"], LOG, names)
    holds("log: every name in an annotation", check_annotations, program, os.path.join(work, "log"), LOG,
          [name for name in few if in_log(name)])

    write_records(os.path.join(work, "records", "r.warplint.ndjson"), ENTRIES)
    check_scene(program, os.path.join(work, "records"), "records", ["--no-config"], "r.warplint.ndjson", ENTRIES)
    holds("records: a baseline", check_baseline, program, os.path.join(work, "records"), "records", ["--no-config"],
          "r.warplint.ndjson")

    rules = os.path.join(work, "rules")
    texts = write_rules(rules)
    check_scene(program, rules, "rules", ["--rules", "rules"], "kernels.log", [])
    holds("rules: the configuration", check_configuration, program, rules)
    for at in range(0, len(texts), SAMPLE if quick else 1):
        holds("rules: explain %d" % at, check_explained, program, rules, "entry-%d" % at)

    counts = {}
    holds("messages about %d entries" % len(few), check_messages, program, os.path.join(work, "messages"), few, counts)
    print("%d entries; messages: %d runs, by status %s" % (len(ENTRIES), sum(counts.values()), dict(sorted(counts.items()))))
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


def check_explained(program, folder, rule):
    done = run(program, folder, "explain", "--rules", "rules", rule)
    check_lines(text_of(done.stdout), "explain", tabs=True)


def check_configuration(program, folder):
    """Checks that the output is plain text, and a configuration with the same reasons."""
    text = text_of(run(program, folder, "config", "show", "--rules", "rules").stdout)
    check_lines(text, "config show")
    with open(os.path.join(folder, "shown.yaml"), "w", encoding="utf-8") as out:
        out.write(text)
    reasons = []
    for config in (".warplint.yaml", "shown.yaml"):
        words = ["check", "--rules", "rules", "--config", config, "--format", "json", "kernels.log"]
        reasons.append(re.findall(r'"suppressed_reason":"(?:[^"\\]|\\.)*"', text_of(run(program, folder, *words).stdout)))
    expect(reasons[0] and reasons[0] == reasons[1], "read back, it has the same reasons")


main()
