// Sorts and filters the table of kernels and draws the panels of its rows. Every number comes from the page: the
// table's cells, and the data that report/page_json.c describes. Nothing is computed here but positions on the screen.
"use strict";
(function () {
  const table = document.getElementById("table");
  if (!table) return;
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  const rows = Array.from(table.querySelectorAll("tr.r"));
  const groups = Array.from(table.tBodies);
  const homes = new Map(rows.map((row) => [row, row.parentNode]));
  const heads = Array.from(table.tHead.rows[0].cells);
  const columnOf = (title) => heads.findIndex((head) => head.textContent === title);
  const ARCH = columnOf("arch"), LIMITERS = columnOf("limited by");
  const REGISTERS = columnOf("registers");
  const SPILL_STORES = columnOf("spill stores"), SPILL_LOADS = columnOf("spill loads");
  const OCCUPANCY = columnOf("occupancy %");
  const STEP = 300;
  let column = -1, descending = true, limit = STEP;
  let picked = null; // the rows of a point or a bar of the overview; null: all

  document.documentElement.classList.add("js");
  for (const part of document.querySelectorAll(".script")) part.hidden = false;

  // ---- names: each holds only what differs from the one before

  function unpack(list) {
    let last = "";
    return list.map(([front, end, middle]) =>
      (last = last.slice(0, front) + middle + last.slice(last.length - end)));
  }
  let readable = null, mangled = null;
  const nameOf = (number) => (readable || (readable = unpack(data.names)))[number];
  const mangledOf = (number) => (mangled || (mangled = unpack(data.mangled)))[number];
  const numberOf = (row) => Number(row.id.slice(1));
  const text = (row, at) => row.cells[at].textContent;

  // ---- sorting

  const values = new Map();
  function valuesOf(at) {
    if (!values.has(at)) {
      const number = (cell) => parseFloat(cell.replace("≤", ""));
      values.set(at, new Map(rows.map((row) => {
        const cell = text(row, at), value = number(cell);
        return [row, heads[at].classList.contains("n") ? (isNaN(value) ? -1 : value) : cell];
      })));
    }
    return values.get(at);
  }

  function compare(a, b) {
    const of = valuesOf(column), left = of.get(a), right = of.get(b);
    const order = left < right ? -1 : left > right ? 1 : 0;
    return (descending ? -order : order) || numberOf(a) - numberOf(b);
  }

  const inOrder = (list) => column < 0 ? list.slice().sort((a, b) => numberOf(a) - numberOf(b)) : list.slice().sort(compare);

  // ---- showing

  const flat = document.createElement("tbody");
  flat.id = "flat";

  function wanted() {
    const words = get("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const arch = get("arch").value, limiter = get("limiter").value, spilling = get("spilling").checked;
    return (row) =>
      (!picked || picked.has(row)) &&
      (!arch || text(row, ARCH) === arch) &&
      (!limiter || text(row, LIMITERS).split(", ").includes(limiter)) &&
      (!spilling || spills(row)) &&
      words.every((word) => text(row, 0).toLowerCase().includes(word) ||
        nameOf(data.rows[numberOf(row)][0]).toLowerCase().includes(word));
  }
  const spills = (row) => [SPILL_STORES, SPILL_LOADS].some((at) => at >= 0 && parseInt(text(row, at), 10) > 0);

  const panelOf = (row) => row.nextElementSibling && row.nextElementSibling.className === "p" ? row.nextElementSibling : null;

  function place(body, list) {
    for (const row of list) {
      const panel = panelOf(row);
      body.append(row);
      if (panel) body.append(panel);
    }
  }

  function showGrouped(shown) {
    const byGroup = new Map(groups.map((group) => [group, []]));
    for (const row of inOrder(rows)) byGroup.get(homes.get(row)).push(row);
    const order = groups.slice();
    if (column >= 0) {
      const first = (group) => byGroup.get(group)[0];
      order.sort((a, b) => first(a) && first(b) ? compare(first(a), first(b)) : 0);
    }
    for (const group of order) {
      place(group, byGroup.get(group));
      group.hidden = !byGroup.get(group).some((row) => shown.has(row));
      table.append(group);
    }
    for (const row of rows) setHidden(row, !shown.has(row));
    get("more").hidden = true;
  }

  function setHidden(row, hidden) {
    if (row.hidden !== hidden) row.hidden = hidden;
    const panel = hidden || !row.classList.contains("open") ? null : panelOf(row);
    if (panel) panel.hidden = hidden;
    else if (hidden && row.classList.contains("open")) close(row);
  }

  function showFlat(shown) {
    for (const row of Array.from(flat.querySelectorAll("tr.r"))) place(homes.get(row), [row]);
    const list = inOrder(rows.filter((row) => shown.has(row)));
    for (const row of list.slice(0, limit)) setHidden(row, false);
    place(flat, list.slice(0, limit));
    table.append(flat);
    get("more").hidden = list.length <= limit;
  }

  function show() {
    const grouped = get("grouped").checked, filter = wanted();
    const shown = new Set(rows.filter(filter));
    table.classList.toggle("flat", !grouped);
    table.classList.toggle("searching", shown.size < rows.length);
    if (grouped) {
      flat.remove();
      showGrouped(shown);
    } else {
      showFlat(shown);
    }
    get("count").value = shown.size === rows.length ? rows.length + " records" : shown.size + " of " + rows.length + " records";
  }

  // ---- panels

  function element(name, attributes, ...children) {
    const svg = ["svg", "path", "text", "circle", "rect"].includes(name);
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const key of Object.keys(attributes || {})) made.setAttribute(key, attributes[key]);
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  const LIMITS = ["warps", "registers", "shared memory", "blocks", "barriers"];
  const AXES = [["threads", "threads per block"], ["registers", "registers per thread"],
    ["smem_bytes", "bytes of shared memory per block"]];
  const WIDTH = 280, HEIGHT = 100, LEFT = 42, TOP = 8;

  function usedCell(used, perSm, unit) {
    const width = Math.floor(used * 1000 / perSm) / 10;
    return element("td", {}, element("svg", { class: "used", width: 100, height: 10, "aria-hidden": "true" },
      element("rect", { class: "all", width: 100, height: 10 }), element("rect", { width, height: 10 })), " " + used + unit);
  }

  function limitsTable(launch) {
    const body = element("tbody");
    LIMITS.forEach((name, at) => {
      const [perBlock, perSm, blocks, binds] = launch[8 + at], unit = at === 2 ? " B" : "", none = blocks < 0;
      body.append(element("tr", binds ? { class: "binds" } : {},
        element("th", { scope: "row" }, name, binds ? " " : null, binds ? element("b", {}, "limits") : null),
        element("td", { class: "n" }, none ? "-" : perBlock + unit),
        element("td", { class: "n" }, none ? "-" : perSm + unit),
        element("td", { class: "n" }, none ? "no limit" : String(blocks)),
        none ? element("td", {}, "-") : usedCell(perBlock * launch[18], perSm, unit)));
    });
    return element("table", { class: "limits" }, element("caption", {}, "Limits"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "limiter"),
        ...["per block", "per SM", "blocks"].map((title) => element("th", { scope: "col", class: "n" }, title)),
        element("th", { scope: "col" }, "used of the SM"))), body);
  }

  function steps(curve) {
    const list = [];
    for (let at = 0; at < curve.length; at += 3) list.push({ to: curve[at], blocks: curve[at + 1], warps: curve[at + 2] });
    return list;
  }

  // One decimal; halves go to the even digit, as everywhere in the report.
  function percent(part, whole) {
    const tenths = 1000 * part / whole, down = Math.floor(tenths), rest = tenths - down;
    return ((rest > 0.5 || (rest === 0.5 && down % 2) ? down + 1 : down) / 10).toFixed(1);
  }

  function chart(axis, curve, arch, value, warps) {
    const [key, title] = AXES[axis], most = arch[2], end = arch[3 + axis], list = steps(curve);
    const x = (at) => (LEFT + Math.min(at, end) * WIDTH / end).toFixed(1);
    const y = (at) => (TOP + (most - at) * HEIGHT / most).toFixed(1);
    let path = "M" + x(0) + " " + y(list.length ? list[0].warps : 0), said = [], from = axis === 2 ? 0 : 1;
    for (const step of list) {
      path += "V" + y(step.warps) + "H" + x(step.to);
      said.push(from + " to " + step.to + ": " + percent(step.warps, most) + " %");
      from = step.to + 1;
    }
    const svg = element("svg", { viewBox: "0 0 " + (LEFT + WIDTH + 8) + " " + (TOP + HEIGHT + 20), role: "img", "data-axis": key,
      "aria-label": "Occupancy against " + title + ". " + said.join(", ") });
    for (let quarter = 0; quarter <= 4; quarter++) {
      const height = TOP + HEIGHT - quarter * HEIGHT / 4;
      svg.append(element("path", { class: "grid", d: "M" + LEFT + " " + height + "h" + WIDTH }));
      if (quarter % 2 === 0) svg.append(element("text", { x: LEFT - 4, y: height + 4, class: "y" }, quarter * 25 + " %"));
    }
    svg.append(element("text", { x: LEFT, y: TOP + HEIGHT + 14 }, "0"),
      element("text", { x: LEFT + WIDTH, y: TOP + HEIGHT + 14, class: "y" }, String(end)),
      element("path", { class: "curve", d: path }));
    if (value !== null) svg.append(element("circle", { r: 5, cx: x(value), cy: y(warps) }));
    return element("figure", {}, element("figcaption", {}, title, value === null ? null : ": ",
      value === null ? null : element("b", {}, String(value))), svg);
  }

  const list = (title, words) => [element("h3", {}, title),
    element("ul", {}, ...words.split("\n").filter(Boolean).map((line) => element("li", {}, line)))];

  function panel(row) {
    const [name, number, source, log, line, facts, next] = data.rows[numberOf(row)];
    const cell = element("div");
    cell.append(element("p", { class: "name" }, element("code", {}, nameOf(name))),
      element("p", { class: "name muted" }, element("code", {}, mangledOf(name))),
      element("p", { class: "muted" }, (source < 0 ? "" : data.words[source] + "; ") + data.words[log] + (line ? ":" + line : "")));
    if (number >= 0) {
      const launch = data.launches[number], arch = data.archs[launch[0]], curves = launch.slice(13, 16);
      const now = [launch[1] ? null : launch[2], launch[3], launch[4] + launch[5]];
      const at = now.map((value, axis) => {
        const step = value === null ? null : steps(data.curves[curves[axis]]).find((one) => value <= one.to);
        return step ? step.warps : 0;
      });
      cell.append(element("p", {}, element("b", {}, data.words[launch[7]])), element("p", {}, data.words[facts]),
        ...(data.words[next] ? list("Next", data.words[next]) : []),
        element("div", { class: "facts" }, limitsTable(launch),
          element("div", { class: "steps" }, ...list("Registers", data.words[launch[16]]),
            ...list("Shared memory", data.words[launch[17]]))),
        ...Array.from(document.querySelectorAll("#p" + numberOf(row) + " > .places"), (places) => places.cloneNode(true)),
        element("div", { class: "charts" },
          ...curves.map((curve, axis) => chart(axis, data.curves[curve], arch, now[axis], at[axis]))));
    }
    return element("tr", { class: "p" }, element("td", { colspan: heads.length }, cell));
  }

  function close(row) {
    const shown = panelOf(row);
    if (shown) shown.remove();
    row.classList.remove("open");
    row.cells[0].firstElementChild.setAttribute("aria-expanded", "false");
  }

  function open(row) {
    if (panelOf(row)) return;
    row.after(panel(row));
    row.classList.add("open");
    row.cells[0].firstElementChild.setAttribute("aria-expanded", "true");
  }

  // A link from elsewhere: its row may be in a closed template, or filtered away.
  function follow() {
    const row = /^#k\d+$/.test(location.hash) ? get(location.hash.slice(1)) : null;
    if (!row) return;
    if (row.hidden || (!get("grouped").checked && row.parentNode !== flat)) {
      get("filter").value = get("arch").value = get("limiter").value = "";
      get("spilling").checked = false;
      get("grouped").checked = true;
      pick(null);
    }
    const box = homes.get(row).querySelector(".f input");
    if (box && row.parentNode !== flat) box.checked = true;
    open(row);
    row.scrollIntoView({ block: "start" });
  }

  // ---- what the reader does

  function fill(select, at, split) {
    const all = new Set(rows.flatMap((row) => split ? text(row, at).split(", ") : [text(row, at)]).filter(Boolean));
    for (const value of Array.from(all).sort()) select.append(element("option", { value }, value.replace("_", " ")));
  }

  heads.forEach((head, at) => {
    const button = element("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const same = column === at, first = at > ARCH && at < LIMITERS && at !== OCCUPANCY;
      descending = same ? !descending : first;
      column = at;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      show();
    });
  });
  table.addEventListener("click", (event) => {
    const link = event.target.closest("tr.r > th > a");
    if (!link) return;
    event.preventDefault();
    const row = link.closest("tr");
    if (panelOf(row)) close(row);
    else {
      open(row);
      history.replaceState(null, "", "#" + row.id);
    }
  });

  // ---- the overview: a point or a bar shows its records; arrow keys go from point to point

  function rowsOf(link) {
    const first = get(link.getAttribute("href").slice(1)), { registers, occupancy, records } = link.dataset;
    if (records) return records === "1" ? [first] : rows.filter((row) => homes.get(row) === homes.get(first));
    const digits = (cell) => cell.replace(/[≤^]/g, "");
    return rows.filter((row) => text(row, REGISTERS) === registers && digits(text(row, OCCUPANCY)) === occupancy);
  }

  function pick(link) {
    for (const other of document.querySelectorAll("#overview .picked")) other.classList.remove("picked");
    picked = link ? new Set(rowsOf(link)) : null;
    if (link) link.classList.add("picked");
    get("all").hidden = !link;
    limit = STEP;
    show();
  }

  const points = Array.from(document.querySelectorAll(".scatter a"));
  points.forEach((point, at) => {
    point.setAttribute("tabindex", at === points.length - 1 ? "0" : "-1");
    point.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = points[(at + step + points.length) % points.length];
      point.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
  for (const link of document.querySelectorAll(".scatter a, .bars a"))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      pick(link);
      get("kernels").scrollIntoView({ block: "start" });
    });
  get("all").addEventListener("click", () => pick(null));

  let timer = 0;
  for (const id of ["filter", "arch", "limiter", "spilling", "grouped"])
    get(id).addEventListener("input", () => {
      clearTimeout(timer);
      limit = STEP;
      timer = setTimeout(show, id === "filter" ? 120 : 0);
    });
  document.querySelector(".controls").addEventListener("submit", (event) => event.preventDefault());
  get("more").addEventListener("click", () => {
    limit += STEP;
    show();
  });
  window.addEventListener("hashchange", follow);
  fill(get("arch"), ARCH, false);
  fill(get("limiter"), LIMITERS, true);
  get("count").value = rows.length + " records";
  follow();
})();
