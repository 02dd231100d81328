// usage: quiet.mjs MODULES CHROMIUM PAGE...
//
// Opens pages whose names and texts try to be scripts, with and without the page's own script, opens every part and
// panel of them, sorts and filters. No text of a log may run (warplint_canary stays unset), write to the console, send
// a request, open a dialogue or a window. Prints the violations; the status is 1 if there are any.
import { createRequire } from "node:module";

const [modules, chromium, ...paths] = process.argv.slice(2);
const puppeteer = createRequire(modules + "/")("puppeteer-core");
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, timeout: 300000, protocolTimeout: 600000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const faults = [];
let panels = 0;

async function visit(path, script) {
  const page = await browser.newPage();
  page.setDefaultTimeout(300000); // for a busy machine
  const url = "file://" + path;
  for (const event of ["console", "pageerror", "dialog", "popup", "workercreated", "error"])
    page.on(event, (what) => faults.push(event + ": " + (what?.text?.() ?? what?.message?.() ?? what?.message ?? what?.url?.() ?? "")));
  page.on("request", (request) => { if (request.url() !== url) faults.push("request: " + request.url()); });
  page.on("framenavigated", (frame) => { if (frame.url().replace(/#k\d+$/, "") !== url && frame.url() !== "about:blank") faults.push("frame: " + frame.url()); });
  await page.setJavaScriptEnabled(script);
  await page.goto(url, { waitUntil: "load" });
  panels += await page.evaluate(async (running) => {
    const settle = () => new Promise((done) => setTimeout(done, 200));
    document.querySelectorAll("details").forEach((part) => { part.open = true; });
    document.querySelectorAll("#table .f input").forEach((box) => { box.checked = true; });
    if (!running || !document.querySelector("#filter")) return 0;
    document.querySelectorAll("#table thead button").forEach((button) => button.click());
    await settle();
    const links = Array.from(document.querySelectorAll("#table tr.r a"));
    links.filter((link, at) => at % Math.ceil(links.length / 50) === 0).forEach((link) => link.click());
    await settle();
    const opened = document.querySelectorAll("#table tr.p").length;
    const filter = document.querySelector("#filter");
    for (const text of ["<script>", "onerror", "__proto__", ""]) {
      filter.value = text;
      filter.dispatchEvent(new Event("input"));
      await settle();
    }
    return opened;
  }, script);
  await new Promise((done) => setTimeout(done, 500));
  const canary = await page.evaluate(() => [typeof window.warplint_canary, window.length, document.title]);
  if (canary[0] !== "undefined" || canary[1] !== 0) faults.push("ran: " + JSON.stringify(canary));
  await page.close();
}

for (const path of paths) {
  await visit(path, true);
  await visit(path, false);
}
if ((await browser.pages()).length !== 1) faults.push("another page is open");
await browser.close();
console.log(paths.length + " pages, " + panels + " panels opened");
faults.slice(0, 20).forEach((fault) => console.log(fault.slice(0, 300)));
process.exit(faults.length || !panels ? 1 : 0);
