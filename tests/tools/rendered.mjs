// usage: rendered.mjs MODULES markdown|html FILE
//
// Prints a report as its reader sees it; Markdown first goes through a renderer of GitHub's dialect. The output is
// JSON: the tables (title of the section, rows of cells as text), the names of all elements, the attributes that could
// have an effect, and the parser's errors.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, format, path] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(modules + "/" + file));
const { parse, parseFragment } = await load("parse5/dist/index.js");
const text = readFileSync(path, "utf8");

async function render() {
  const { micromark } = await load("micromark/index.js");
  const { gfm, gfmHtml } = await load("micromark-extension-gfm/index.js");
  return micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

const complaints = [];
const options = { sourceCodeLocationInfo: true, onParseError: (error) => complaints.push(error.code + " line " + error.startLine) };
const tree = format === "html" ? parse(text, options) : parseFragment(await render(), options);

const found = { tables: [], headings: [], elements: [], attributes: [], details: 0, complaints };
const content = (node) => node.nodeName === "#text" ? node.value
  : ["script", "style"].includes(node.nodeName) ? "" : (node.childNodes || []).map(content).join("");

function rows(table) {
  const list = [];
  const walk = (node) => {
    if (node.nodeName === "tr") list.push(node.childNodes.filter((cell) => ["td", "th"].includes(cell.nodeName)).map((cell) => content(cell).trim()));
    else (node.childNodes || []).forEach(walk);
  };
  walk(table);
  return list;
}

let title = "", depth = 0;
function walk(node) {
  if (!node.nodeName.startsWith("#")) found.elements.push(node.nodeName);
  for (const { name, value } of node.attrs || [])
    if (/^on|^href$|^src|^action|^style$|^http/.test(name)) found.attributes.push(node.nodeName + " " + name + "=" + value);
  if (/^h[1-6]$/.test(node.nodeName) || node.nodeName === "summary") {
    title = content(node).trim();
    found.headings.push(title);
  }
  if (node.nodeName === "table") found.tables.push({ title, rows: rows(node) });
  const inside = node.nodeName === "details";
  depth += inside;
  found.details = Math.max(found.details, depth);
  (node.childNodes || []).forEach(walk);
  depth -= inside;
}
walk(tree);
found.elements = Array.from(new Set(found.elements)).sort();
found.attributes = Array.from(new Set(found.attributes)).sort();
found.text = content(tree);
console.log(JSON.stringify(found));
