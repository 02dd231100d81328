// Sorts and filters the table of kernels and opens the panels of its rows. The script computes no content: a panel is a
// copy of parts that the page contains (report/page_panel.c).
"use strict";
(function () {
  const table = document.getElementById("table");
  if (!table) return;
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
  let picked = null; // the rows of the selected point or bar of the overview; null: all

  document.documentElement.classList.add("js");
  for (const part of document.querySelectorAll(".script")) part.hidden = false;

  const numberOf = (row) => Number(row.id.slice(1));

  // The HTML of a panel. A part that is already in a panel of the page exists only there.
  const parts = get("parts").textContent.split("<hr>");
  const partOf = (number) => parts[number] || get("t" + number).innerHTML;

  const names = new Map(); // in full, by part
  function namesOf(row) {
    const number = row.dataset.parts.split(" ")[0];
    if (!names.has(number)) {
      const template = element("template", {});
      template.innerHTML = partOf(number);
      names.set(number, template.content.textContent.toLowerCase());
    }
    return names.get(number);
  }
  const text = (row, at) => row.cells[at].textContent.trim();

  // Under its template a row shows its arguments, elsewhere its label; data-label has the one that is not shown.
  const linkOf = (row) => row.cells[0].firstElementChild;
  const labelOf = (row) => row.parentNode === flat ? text(row, 0) : linkOf(row).dataset.label || text(row, 0);
  function swapLabel(row) {
    const link = linkOf(row), shown = link.textContent;
    if (!link.dataset.label) return;
    link.textContent = link.dataset.label;
    link.dataset.label = shown;
  }

  // ---- sorting

  const collator = new Intl.Collator("en", { numeric: true }); // 8 before 16
  const values = new Map();
  function valuesOf(at) {
    if (!values.has(at)) {
      const number = (cell) => parseFloat(cell.replace("≤", ""));
      values.set(at, new Map(rows.map((row) => {
        const cell = at ? text(row, at) : labelOf(row), value = number(cell);
        return [row, heads[at].classList.contains("n") ? (isNaN(value) ? -1 : value) : cell];
      })));
    }
    return values.get(at);
  }

  function compare(a, b) {
    const of = valuesOf(column), left = of.get(a), right = of.get(b);
    const order = typeof left === "number" ? left - right : collator.compare(left, right);
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
      words.every((word) => labelOf(row).toLowerCase().includes(word) ||
        namesOf(row).includes(word));
  }
  const spills = (row) => [SPILL_STORES, SPILL_LOADS].some((at) => at >= 0 && parseInt(text(row, at), 10) > 0);

  const panelOf = (row) => row.nextElementSibling && row.nextElementSibling.className === "p" ? row.nextElementSibling : null;

  function place(body, list) {
    for (const row of list) {
      const panel = panelOf(row);
      if ((body === flat) !== (row.parentNode === flat)) swapLabel(row);
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

  function count(shown) {
    const noun = table.querySelector(".fn") ? " rows" : " kernel x arch";
    get("count").value = (shown === rows.length ? "" : shown + " of ") + rows.length + noun;
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
    count(shown.size);
  }

  // ---- panels

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const key of Object.keys(attributes)) made.setAttribute(key, attributes[key]);
    made.append(...children);
    return made;
  }

  function panel(row) {
    const cell = element("div", {});
    cell.innerHTML = row.dataset.parts.split(" ").map(partOf).join("");
    cell.prepend(element("p", { class: "muted" }, row.dataset.place));
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

  // A link from outside: its row may be in a closed template, or hidden by a filter.
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

  // ---- input of the reader

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

  // ---- the overview: a point or a bar shows its kernels; arrow keys move between points

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
  count(rows.length);
  follow();
})();
