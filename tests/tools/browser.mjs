// usage: browser.mjs MODULES CHROMIUM WARPLINT PAGE
//
// Opens a page of `warplint check --format html` as readers do: with and without the script, in light and dark, wide
// and narrow, with mouse and keyboard. Prints a line for each property that holds or not; the status is 1 if one does
// not. The page must write nothing to the console and send no request.
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";

const [modules, chromium, warplint, path] = process.argv.slice(2);
const require = createRequire(modules + "/");
const puppeteer = require("puppeteer-core");
const axe = require("axe-core");
let failed = 0, passed = 0;

function holds(what, condition, detail = "") {
  if (condition) passed++;
  else failed++;
  console.log((condition ? "ok   " : "FAIL ") + what + (condition ? "" : ": " + JSON.stringify(detail).slice(0, 400)));
}

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, timeout: 300000, protocolTimeout: 600000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });

const told = [], asked = [];
async function open({ script = true, scheme = "light", width = 1400, height = 900, hash = "" } = {}) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300000); // for a busy machine
  page.on("console", (message) => told.push(message.text()));
  page.on("pageerror", (error) => told.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto("file://" + path + hash, { waitUntil: "load" });
  return page;
}

const settle = (page) => page.evaluate(() => new Promise((done) => setTimeout(done, 250)));
const visibleRows = (page) => page.$$eval("#table tr.r", (rows) =>
  rows.filter((row) => row.checkVisibility()).map((row) => Array.from(row.cells, (cell) => cell.textContent)));
// Below its template a row shows its arguments, and its label is in an attribute.
const visibleLabels = (page) => page.$$eval("#table tr.r", (rows) => rows.filter((row) => row.checkVisibility())
  .map((row) => row.querySelector("a").dataset.label || row.cells[0].textContent));

// ---- sorting, filtering, panels

let page = await open();
const records = await page.$$eval("#table tr.r", (rows) => rows.length);
holds("there are rows", records > 10, records);
await page.click("#grouped");
await settle(page);
holds("ungrouped, they have their labels", (await page.$$eval("#flat a[data-label]", (links) =>
  links.filter((link) => link.textContent.includes("<") && !link.dataset.label.includes("<")).length)) > 0);
let rows = await visibleRows(page);
holds("ungrouped, the first rows are there", rows.length === Math.min(records, 300), rows.length);

const titles = await page.$$eval("#table thead th", (heads) => heads.map((head) => head.textContent));
async function sorted(name, order) {
  const at = titles.indexOf(name);
  await page.evaluate((title) => Array.from(document.querySelectorAll("#table thead button"))
    .find((button) => button.textContent === title).click(), name);
  await settle(page);
  const values = (await visibleRows(page)).map((row) => parseFloat(row[at].replace("≤", ""))).map((value) => isNaN(value) ? -1 : value);
  const right = values.every((value, row) => row === 0 || (order === "descending" ? values[row - 1] >= value : values[row - 1] <= value));
  const head = await page.$$eval("#table thead th[aria-sort]", (heads) => heads.map((one) => one.textContent + " " + one.getAttribute("aria-sort")));
  holds("sorted by " + name + ", " + order, right && head.length === 1 && head[0] === name + " " + order, [head, values.slice(0, 20)]);
}
await sorted("registers", "descending");
await sorted("registers", "ascending");
await sorted("occupancy %", "ascending");
await sorted("spill stores", "descending");

const all = await page.$$eval("#table tr.r", (list) => list.map((row) => Array.from(row.cells, (cell) => cell.textContent)));
await page.select("#arch", all[0][1]);
await settle(page);
rows = await visibleRows(page);
holds("filtered by architecture", rows.length === all.filter((row) => row[1] === all[0][1]).length &&
  rows.every((row) => row[1] === all[0][1]), rows.length);
await page.select("#arch", "");
const limiters = await page.$$eval("#limiter option", (list) => list.map((option) => option.value));
const limited = titles.indexOf("limited by"), limits = (row, word) => row[limited].trim().split(", ").includes(word);
for (const word of limiters.filter(Boolean)) {
  await page.select("#limiter", word);
  await settle(page);
  rows = await visibleRows(page);
  holds("filtered by " + word, rows.length > 0 && rows.length === all.filter((row) => limits(row, word)).length, rows.length);
}
holds("each limiter is there once", limiters.length > 1 && new Set(limiters.map((word) => word.trim())).size === limiters.length, limiters);
await page.select("#limiter", "");
await page.click("#spilling");
await settle(page);
rows = await visibleRows(page);
const spills = (row, title) => parseInt(row[titles.indexOf(title)], 10) > 0;
const spilling = all.filter((row) => spills(row, "spill stores") || spills(row, "spill loads")).length;
holds("filtered by spills", spilling > 0 && rows.length === spilling, [rows.length, spilling]);
await page.click("#spilling");
await page.click("#grouped");
const word = (await page.$$eval("#table tr.r a", (links) => links.map((link) => link.dataset.label || link.textContent))).pop();
await page.type("#filter", word);
await settle(page);
rows = await visibleLabels(page);
holds("filtered by name, templates open", rows.length > 0 && rows.length < records &&
  rows.every((label) => word.toLowerCase().split(" ").every((part) => label.toLowerCase().includes(part))), [word, rows.length]);
holds("the count is told", (await page.$eval("#count", (count) => count.value)) === rows.length + " of " + records + " kernel x arch");
await page.$eval("#filter", (field) => { field.value = ""; field.dispatchEvent(new Event("input")); });
await settle(page);
holds("without a filter, all records", (await page.$eval("#count", (count) => count.value)) === records + " kernel x arch");

await page.focus("#table .g .f input");
await page.keyboard.press("Space");
await page.keyboard.press("Tab");
await page.keyboard.press("Enter");
const opened = await page.$$eval("#table tr.p", (panels) => panels.map((panel) => panel.checkVisibility() && panel.textContent.length));
holds("keys open a template and a panel", opened.length === 1 && opened[0] > 100, opened);
holds("and that is told", (await page.$eval("#table tr.open a", (link) => link.getAttribute("aria-expanded"))) === "true");
await page.keyboard.press("Enter");
holds("and close it", (await page.$$("#table tr.p")).length === 0);

// A template's row summarises its rows.
const templates = await page.$$eval("#table tbody.g", (groups) => groups.map((group) =>
  Array.from(group.querySelectorAll("tr.f, tr.r"), (row) => Array.from(row.cells, (cell) => cell.textContent.trim()))));
const wrong = [];
for (const [head, ...members] of templates)
  for (const [at, title] of titles.entries()) {
    const cells = members.map((row) => row[at]), known = cells.map((cell) => parseFloat(cell.replace("≤", ""))).filter((value) => !isNaN(value));
    const numbers = head[at].replace(/[≤^]/g, "").split(/–|, /).filter((part) => part !== "-").map(Number);
    let right = true;
    if (/^(registers|spill stores|spill loads|stack|static smem|threads|occupancy %)$/.test(title))
      right = known.length === 0 ? head[at] === "-" : numbers[0] === Math.min(...known) && numbers[numbers.length - 1] === Math.max(...known);
    else if (title === "arch") right = cells.every((cell) => head[at].includes(cell) || /\(\d+\)$/.test(head[at]));
    else if (title === "limited by") right = cells.every((cell) => cell.split(", ").every((word) => head[at].includes(word)));
    if (right && /^(registers|stack|spill)/.test(title)) right = head[at].includes("-") === known.length < cells.length;
    if (!right) wrong.push([head[0], title, head[at], cells]);
  }
holds("a template's row has the range of its rows", templates.length > 0 && wrong.length === 0, wrong);

holds("every link leads somewhere", await page.$$eval("a[href^='#']", (links) =>
  links.every((link) => document.getElementById(link.getAttribute("href").slice(1)))));

// ---- the overview: part of the first screen; its points and bars filter the table

const first = await open({ width: 1280, height: 800 });
holds("the overview is on the first screen", await first.$eval("#overview", (part) => part.getBoundingClientRect().bottom <= 800),
  await first.$eval("#overview", (part) => part.getBoundingClientRect().bottom));
const next = await first.$$eval(".first li", (list) => list.map((one) => one.innerText));
holds("it says the worst findings", next.length > 0 && next.length <= 3 && next.every((words) => /^(error|warning|note)/.test(words)), next);
const marks = await first.$$eval(".scatter a", (list) => list.map((link) => [link.dataset.registers, link.dataset.occupancy,
  Number(link.textContent.match(/^\d+/)[0])]));
const cellsAt = (row, point) => row[titles.indexOf("registers")] === point[0] &&
  row[titles.indexOf("occupancy %")].replace(/[≤^]/g, "") === point[1];
const known = all.filter((row) => /\d/.test(row[titles.indexOf("occupancy %")]));
holds("each record with an occupancy is in one point", marks.length > 3 &&
  marks.every((point) => all.filter((row) => cellsAt(row, point)).length === point[2]) &&
  marks.reduce((sum, point) => sum + point[2], 0) === known.length, marks);
const shownNow = (page) => page.$eval("#count", (count) => parseInt(count.value, 10));
await first.$eval(".scatter a[tabindex='0']", (point) => point.focus());
await first.keyboard.press("ArrowLeft");
const before = await first.evaluate(() => document.activeElement.textContent);
await first.keyboard.press("Enter");
await settle(first);
holds("a point filters the table, with keys", (await shownNow(first)) === parseInt(before, 10) && before.includes("registers"), before);
await first.click("#all");
holds("and all come back", (await shownNow(first)) === records);
for (const bar of await first.$$(".bars a")) {
  await bar.click();
  holds("a bar filters the table", (await shownNow(first)) === Number(await bar.evaluate((link) => link.dataset.records)));
}
holds("a legend says what marks and lines are", await first.$$eval(".legend li", (list) => {
  const words = list.map((one) => one.textContent.trim());
  return ["spills", /^no (known )?spills$/, /^the most that registers allow: sm_\d+/].every((wanted) => words.some((word) => word.match(wanted)));
}));
holds("there are bars where there are spills", (await first.$$(".bars a")).length > 0);
await first.close();

// ---- curves: agree with the calculator

// The steps that the command below the curves prints, with the axis.
function sweep(command, axis) {
  const words = command.split(" ").slice(1).concat("--sweep", axis, "--format", "csv");
  return execFileSync(warplint, words, { encoding: "utf8" }).trim().split("\n").slice(1).map((line) => {
    const [from, to, , warps, most, percent] = line.split(",");
    return { from: Number(from), to: Number(to), warps: Number(warps), most: Number(most), percent };
  });
}

function drawn(path, end, most) {
  return Array.from(path.matchAll(/V([\d.]+)H([\d.]+)/g), ([, y, x]) =>
    ({ to: (x - 42) * end / 280, warps: Math.round(most - (y - 8) * most / 100) }));
}

async function curves(row) {
  const panel = await page.$eval("#k" + row + " + tr.p", (part) => ({
    command: Array.from(part.querySelectorAll("code")).pop().textContent,
    charts: Array.from(part.querySelectorAll(".charts figure"), (figure) => {
      const svg = figure.querySelector("svg"), circle = svg.querySelector("circle"), value = figure.querySelector("b");
      const curve = document.querySelector(svg.querySelector("use").getAttribute("href"));
      return { axis: svg.dataset.axis.replace("_bytes", ""), label: document.getElementById(svg.getAttribute("aria-labelledby")).textContent,
        path: curve.querySelector(".curve").getAttribute("d"), end: Number(Array.from(curve.querySelectorAll("text")).pop().textContent),
        value: value ? Number(value.textContent) : null, circle: circle ? Number(circle.getAttribute("cx")) : null };
    }) }));
  let right = panel.charts.length === 3 && panel.command.startsWith("warplint occupancy "), why = panel.command;
  for (const chart of panel.charts) {
    const steps = sweep(panel.command, chart.axis), list = drawn(chart.path, chart.end, steps[0].most);
    const said = steps.map((step) => step.from + " to " + step.to + ": " + step.percent + " %").join(", ");
    const same = list.length === steps.length && steps.every((step, number) =>
      Math.abs(list[number].to - Math.min(step.to, chart.end)) <= chart.end / 2800 + 0.01 && list[number].warps === step.warps);
    const circled = chart.value === null ? chart.circle === null : Math.abs(chart.circle - (42 + chart.value * 280 / chart.end)) <= 0.11;
    if (!(same && chart.label.endsWith(". " + said) && circled)) {
      right = false;
      why = [chart, said];
    }
  }
  holds("the panel of k" + row + " draws what the calculator says", right, why);
  return panel.command;
}

// The contents of a row's panel, and of the same kernel's panel among the worst ones.
const words = (selector) => page.$eval(selector, (part) => part.textContent.replace(/\s+/g, " ").trim());

const seen = new Set();
for (let row = 0; row < records && seen.size < 12; row++) {
  const parts = await page.$eval("#k" + row, (one) => one.dataset.parts);
  if (seen.has(parts) || parts.split(" ").length < 4) continue;
  await page.evaluate((id) => { location.hash = ""; location.hash = id; }, "k" + row);
  await page.waitForSelector("#k" + row + ".open");
  await curves(row);
  seen.add(parts);
  if (await page.$("#p" + row))
    holds("it is the one among the worst kernels", (await words("#p" + row)) === (await words("#k" + row + " + tr.p")));
}
holds("some panels were compared", seen.size >= 3, seen.size);

// ---- accessibility: axe, in light and dark, with everything open

const paper = {};
for (const scheme of ["light", "dark"]) {
  for (const width of [1400, 400]) {
    const other = await open({ scheme, width });
    await other.evaluate(() => {
      document.querySelectorAll("details").forEach((part) => { part.open = true; });
      document.querySelectorAll("#table .f input").forEach((box, at) => { box.checked = at < 2; });
      document.querySelector("#table tr.r a").click();
    });
    await other.evaluate(axe.source);
    const result = await other.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    holds("axe finds nothing: " + scheme + ", " + width + " wide", result.violations.length === 0,
      result.violations.map((one) => [one.id, one.nodes.length, one.nodes[0].html, one.nodes[0].failureSummary]));
    holds("nothing is wider than the window: " + scheme + ", " + width,
      await other.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    if (width === 400) {
      const cut = await other.$$eval(".first p, .bars a, .finding summary", (parts) => parts.filter((part) =>
        part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== "inline" || part.scrollHeight > part.clientHeight + 1 &&
        getComputedStyle(part).overflow !== "visible").map((part) => part.textContent));
      holds("no sentence and no name is cut: " + scheme, cut.length === 0, cut);
      const inWords = await other.$$eval(".heat th code, .tables th code, .changes th code", (names) => names.filter((name) => {
        const range = document.createRange();
        for (const node of name.childNodes) {
          if (node.nodeType !== Node.TEXT_NODE) continue;
          for (const word of node.data.matchAll(/\w{2,}/g)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (range.getClientRects().length > 1) return true;
          }
        }
        return false;
      }).map((name) => name.textContent));
      holds("names in tables are not broken inside of words: " + scheme, inWords.length === 0, inWords);
    }
    paper[scheme] = await other.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await other.close();
  }
}
holds("light is light and dark is dark", paper.light === "rgb(255, 255, 255)" && paper.dark !== paper.light, paper);

// ---- without the script, and on paper

const still = await open({ script: false });
const bare = await still.evaluate(() => 1).catch(() => 0);
const text = await still.$eval("body", (body) => body.innerText);
holds("without the script the verdict, the kernels and a curve are there", bare === 1 && /FAILED|passed|not asked for/.test(text) &&
  text.includes("Kernels") && (await still.$$("#worst svg use")).length >= 3);
holds("and nothing that would not work", (await still.$$eval(".script", (parts) => parts.every((part) => !part.checkVisibility()))));
const box = await still.$("#table .g .f input");
await box.click();
holds("a template opens", (await visibleRows(still)).length >= 2);
const link = await still.$("#table tr.r a[href^='#p']");
await link.evaluate((one) => one.click());
holds("a link to a panel opens it", await still.$$eval("#worst details", (panels) =>
  panels.filter((panel) => panel.open).length === 1));
const closed = await still.$$eval("#heat td a", (links) => {
  const hidden = links.find((one) => !document.querySelector(one.getAttribute("href")).checkVisibility());
  if (hidden) hidden.click();
  return hidden ? hidden.getAttribute("href") : null;
});
if (closed) holds("a link into a closed template shows its row", await still.$eval(closed, (row) => row.checkVisibility()));
await still.emulateMediaType("print");
holds("paper has no controls", await still.$$eval("nav, .controls", (parts) => parts.every((part) => !part.checkVisibility())));
await still.close();

holds("nothing was told on the console", told.length === 0, told);
holds("nothing was asked of a network", asked.length > 0 && asked.every((url) => url.startsWith("file://" + path)), asked);
await browser.close();
console.log(passed + " hold, " + failed + " do not");
process.exit(failed ? 1 : 0);
