// usage: open.mjs MODULES CHROMIUM PAGE
//
// Prints the time in milliseconds from the request of the page to its first paint, the median of five.
import { createRequire } from "node:module";

const [modules, chromium, path] = process.argv.slice(2);
const puppeteer = createRequire(modules + "/")("puppeteer-core");
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, timeout: 300000, protocolTimeout: 600000,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const times = [];
for (let round = 0; round < 5; round++) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 1000 });
  const start = performance.now();
  await page.goto("file://" + path, { waitUntil: "load" });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  times.push(performance.now() - start);
  await page.close();
}
await browser.close();
console.log(Math.round(times.sort((a, b) => a - b)[2]));
