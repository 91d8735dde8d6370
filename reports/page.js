"use strict";
// All cells, from the JSON inside the page. Text from the run only ever becomes text nodes.
(async () => {
const root = document.documentElement, $ = id => document.getElementById(id);
const PAGE = 200;
root.classList.add("js");

// ---- the run: pack.h says how it is written down ----
async function inflate(id) {
  const bytes = Uint8Array.from(atob($(id).textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// For each row a number that is the same just where the texts in all key columns are.
function numberKeys(keys, columns, rows) {
  let numbers = new Uint32Array(rows);
  for (const key of keys) {
    const ids = columns[key].ids, seen = new Map();
    numbers = numbers.map((number, row) => {
      const pair = number * 0x4000000 + ids[row];
      if (!seen.has(pair)) seen.set(pair, seen.size);
      return seen.get(pair);
    });
  }
  return numbers;
}

// A column: the texts that occur in it, and for each row the number of its text, counted from 1; 0 where it has none.
function readColumn(spec, fresh, next, columns, rows, has) {
  const [name, keys] = spec, texts = [], ids = new Uint32Array(rows), last = new Uint32Array(rows), found = new Map();
  const numbers = numberKeys(keys, columns, rows), first = columns[keys[0]];
  const take = text => {
    if (!found.has(text)) found.set(text, texts.push(text));
    return found.get(text);
  };
  for (let row = 0, used = 0; row < rows; row++) {
    if (!has(row)) continue;
    const code = next(), before = last[numbers[row]];
    ids[row] = last[numbers[row]] = code > 1 ? code - 1 : take(code ? fresh[used++] : before ? texts[before - 1] : first.texts[first.ids[row] - 1]);
  }
  return { name, texts, ids };
}

function readColumns(pieces, codes) {
  const spec = JSON.parse(pieces[0]), columns = [];
  let at = 0, shapes = null;
  const next = () => {
    let value = 0, byte, shift = 0;
    do { byte = codes[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte & 128);
    return value;
  };
  for (const [c, column] of spec.columns.entries()) {
    const having = shapes && shapes.texts.map(text => JSON.parse(text).includes(column[0]));
    const has = shapes ? row => having[shapes.ids[row] - 1] : () => true;
    columns.push(readColumn(column, pieces[c + 3].split("\n"), next, columns, spec.rows, has));
    shapes = columns[0];
  }
  return { columns, rows: spec.rows };
}

// A cell's members in their order, each with the columns of its parts.
function shapesOf(columns) {
  return columns.length ? columns[0].texts.map(text => JSON.parse(text).map(name => ({ name, parts: columns.filter((c, i) => i && c.name === name) }))) : [];
}

function readCells({ columns, rows }) {
  const shapes = shapesOf(columns), cells = [];
  for (const column of columns) if (columns.filter(c => c.name === column.name).length === 1) column.values = column.texts.map(text => JSON.parse(text));
  for (let row = 0; row < rows; row++) {
    const cell = { index: row };
    for (const { name, parts } of shapes[columns[0].ids[row] - 1])
      cell[name] = parts[0].values ? parts[0].values[parts[0].ids[row] - 1] : JSON.parse(parts.map(part => part.texts[part.ids[row] - 1]).join(""));
    cells.push(cell);
  }
  return cells;
}

// The very bytes of the results file.
function writeJson(pieces, { columns, rows }) {
  const shapes = shapesOf(columns), lines = [];
  for (let row = 0; row < rows; row++)
    lines.push("{" + shapes[columns[0].ids[row] - 1].map(({ name, parts }) =>
      JSON.stringify(name) + ":" + parts.map(part => part.texts[part.ids[row] - 1]).join("")).join(",") + "}");
  return pieces[1] + lines.join(",\n") + pieces[2];
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const nameTheme = () => { $("theme").textContent = dark() ? "Light" : "Dark"; };
$("theme").onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; nameTheme(); };
nameTheme();

const pieces = new TextDecoder().decode(await inflate("data")).split("\0");
const packed = readColumns(pieces, new Uint8Array(await inflate("codes")));
const run = JSON.parse(pieces[1] + pieces[2]);
run.cells = readCells(packed);
const families = cell => cell.dataset === null ? "coverage map" : run.datasets[cell.dataset].values;
const labels = run.variants.map(v => `${v.name}@${v.backend} ${v.type}`);
const figure = value => value === undefined ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value);
const good = new Set(["correctly rounded", "faithful", "within bound", "varies as claimed", "bound says nothing", "not checked"]);

// Three digits, as C's %.3g.
function show(value) {
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value), sign = value < 0 ? "−" : "";
  if (size === Infinity) return sign + "∞";
  if (size && (size < 1e-4 || size >= 1e3 && !Number.isInteger(size) || size >= 1e9)) return sign + size.toExponential(2);
  return sign + Number(size.toPrecision(size >= 1e3 ? 12 : 3));
}
const ulps = value => show(figure(value)) + (Math.abs(figure(value)) === 1 ? " ulp" : " ulps");
const columns = [
  { key: "finding", title: "Finding", of: c => c.head },
  { key: "variant", title: "Variant", of: c => labels[c.variant] },
  { key: "values", title: "Values", of: families },
  { key: "n", title: "n", of: c => c.n, number: true },
  { key: "shape", title: "Shape", of: c => c.shape },
  { key: "schedule", title: "Schedule", of: c => c.schedule },
  { key: "err", title: "err/bound", of: c => figure(c.error_over_bound), number: true },
  { key: "ulps", title: "ulps", of: c => Math.abs(figure(c.ulps)), print: c => figure(c.ulps), number: true },
  { key: "patterns", title: "Patterns", of: c => (c.patterns || []).length, number: true },
  { key: "got", title: "Got", of: c => c.got_hex || "", code: true },
];

// ---- state: filters, order and the open cell, all in the URL fragment ----
const filters = $("filters");
let state = {}, rows = [], shown = PAGE, last = "";

function readState() {
  const hash = location.hash.slice(1), link = /^c(\d+)$/.exec(hash);
  if (link && run.cells[link[1]]) { // from the map or a table: what is filtered stays
    state.cell = run.cells[link[1]].id;
    return true;
  }
  if (!hash.includes("=")) return false;
  state = Object.fromEntries(new URLSearchParams(hash));
  if (/^\d+$/.test(state.variant || "") && labels[state.variant]) state.variant = labels[state.variant];
  return true;
}

function writeState() {
  const kept = Object.entries(state).filter(entry => entry[1]);
  last = "#" + new URLSearchParams(kept);
  history.replaceState(null, "", last);
}

function wanted(cell) {
  return (!state.variant || labels[cell.variant] === state.variant) && (!state.values || families(cell) === state.values) &&
    (!state.finding || (state.finding === "any failure" ? !good.has(cell.head) : cell.findings.includes(state.finding))) &&
    (!state.text || cell.id.toLowerCase().includes(state.text.toLowerCase()));
}

function compare(column, direction) {
  return (a, b) => {
    const x = column.of(a), y = column.of(b);
    if (!column.number) return direction * (x < y ? -1 : x > y ? 1 : 0) || a.index - b.index;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a.index - b.index; // NaN last
    return direction * (x < y ? -1 : x > y ? 1 : 0) || a.index - b.index;
  };
}

// Failures, then known ones, then by err/bound; what is the best possible sum after that; where the bound says nothing or nobody could look, last.
const markOf = cell => good.has(cell.head) ? "good" : cell.known ? "known" : "bad";
const rank = cell => !good.has(cell.head) ? (cell.known ? 1 : 0) : cell.head === "bound says nothing" || cell.head === "not checked" ? 4 : cell.head === "correctly rounded" ? 3 : 2;
const nearest = compare(columns.find(column => column.key === "err"), -1);
function worstFirst(a, b) {
  return rank(a) - rank(b) || nearest(a, b);
}

function renderRows() {
  const body = $("all").tBodies[0];
  body.replaceChildren(...rows.slice(0, shown).map(cell => element("tr", {}, ...columns.map(column => {
    const value = (column.print || column.of)(cell), printed = column.number ? show(value) : value;
    if (column.key === "finding") {
      const link = element("a", { href: "#c" + cell.index, textContent: cell.head, title: cell.id });
      link.className = markOf(cell);
      return element("td", {}, link);
    }
    return element("td", { className: column.number ? "r" : "" }, column.code ? element("code", {}, printed) : printed);
  }))));
  $("count").textContent = `${rows.length} of ${run.cells.length} cells` + (rows.length > shown ? `, the first ${shown} shown` : "");
  $("more").hidden = rows.length <= shown;
}

function renderHead() {
  const sort = state.sort || "", up = state.up === "1";
  $("all").tHead.replaceChildren(element("tr", {}, ...columns.map(column => {
    const button = element("button", { textContent: column.title, type: "button" });
    button.onclick = () => {
      const again = state.sort === column.key;
      state.up = (again ? state.up !== "1" : !column.number) ? "1" : "";
      state.sort = column.key;
      writeState();
      update();
      $("all").tHead.querySelectorAll("button")[columns.indexOf(column)].focus();
    };
    const head = element("th", { scope: "col", className: column.number ? "r" : "" }, button);
    if (sort === column.key) head.setAttribute("aria-sort", up ? "ascending" : "descending");
    return head;
  })));
}

function update() {
  for (const field of filters.elements) if (field.name && document.activeElement !== field) field.value = state[field.name] || "";
  rows = run.cells.filter(wanted);
  const column = columns.find(c => c.key === state.sort);
  rows.sort(column ? compare(column, state.up === "1" ? 1 : -1) : worstFirst);
  shown = PAGE;
  renderHead();
  renderRows();
  renderDetail();
}

// ---- one cell ----
function pair(list, name, value) {
  if (value !== undefined && value !== "") list.append(element("dt", {}, name), element("dd", {}, String(value)));
}

// What got_hex is too: of repeats that differ, `bits` is the first.
function worstBits(cell) {
  return cell.patterns.reduce((worst, p) => Math.abs(figure(p.ulps)) <= Math.abs(figure(worst.ulps)) ? worst : p).bits;
}

function renderDetail() {
  const cell = state.cell && run.cells.find(c => c.id === state.cell), box = $("detail");
  if (!cell) { box.replaceChildren(state.cell ? "This run has no cell " + state.cell : ""); return; }
  const list = element("dl", { className: "figures" }), dataset = run.datasets[cell.dataset] || {};
  const close = element("button", { textContent: "Close", type: "button" });
  close.onclick = () => { state.cell = ""; writeState(); renderDetail(); };
  pair(list, "findings", cell.findings.join(", "));
  pair(list, "found by", cell.detector);
  pair(list, "known because", cell.known_reason);
  pair(list, "values", families(cell) + (dataset.what_for ? ": " + dataset.what_for : ""));
  pair(list, "n", cell.n);
  if (cell.has_result) {
    pair(list, cell.patterns.length > 1 ? "worst result" : "got", `${cell.got_hex}  ${worstBits(cell)} = ${cell.got_decimal}`);
    pair(list, "exact, rounded once", `${cell.rounded_hex}  ${cell.rounded_bits} = ${cell.rounded_decimal}`);
    pair(list, "exact", dataset.exact_decimal);
    pair(list, "error", `${ulps(cell.ulps)}, relative ${show(figure(cell.relative_error))}, err/(u·A) ${show(figure(cell.error_over_uA))}`);
    pair(list, "err/bound", `${show(figure(cell.error_over_bound))}, bound ${cell.bound || ""} = ${cell.bound_decimal || ""}, bound/|s| ${show(figure(cell.bound_over_sum))}`);
    pair(list, "condition number", show(figure(dataset.condition)));
    pair(list, "patterns", cell.patterns.map(p => `${p.bits} × ${p.count} (${ulps(p.ulps)}, first at ${p.first_at})`).join("; "));
    pair(list, "times, ns", cell.ns.join(", "));
  }
  pair(list, cell.attack, cell.compared_with && (cell.differs ? "differs from " : "same bits as ") + cell.compared_with);
  pair(list, "claims broken", cell.broken.map(i => (run.variants[cell.variant].claims[i] || {}).claim).join(", "));
  const { variables, arguments: words } = run.variants[cell.variant];
  box.replaceChildren(element("h3", {}, labels[cell.variant] + ": " + cell.head),
    element("p", { className: "detail" }, cell.detail || ""), list,
    element("pre", { className: "paste" }, `${variables ? `${variables} ` : ""}reductio run --cell '${cell.id.replaceAll("'", "'\\''")}'${words ? ` ${words}` : ""}`), close);
}

// ---- wiring ----
function options(select, values) {
  for (const value of values) select.append(element("option", { value, textContent: value }));
}
options(filters.elements.variant, [...labels].sort());
options(filters.elements.values, [...new Set(run.cells.map(families))]);
options(filters.elements.finding, ["any failure", ...new Set(run.cells.flatMap(c => c.findings))]);
filters.oninput = () => {
  for (const field of filters.elements) if (field.name) state[field.name] = field.value;
  writeState();
  update();
};
filters.onsubmit = event => event.preventDefault();
filters.onreset = event => {
  event.preventDefault();
  for (const field of filters.elements) if (field.name) { state[field.name] = ""; field.value = ""; }
  writeState();
  update();
};
$("more").onclick = () => { shown += PAGE; renderRows(); };
$("download").onclick = () => {
  const url = URL.createObjectURL(new Blob([writeJson(pieces, packed)], { type: "application/json" }));
  element("a", { href: url, download: "results.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

function openTarget() {
  for (let at = document.getElementById(decodeURIComponent(location.hash.slice(1))); at; at = at.parentElement)
    if (at.localName === "details") at.open = true;
}
function follow() {
  if (location.hash === last) return;
  if (!readState()) { openTarget(); return; }
  writeState();
  update();
  const target = state.cell ? $("detail") : $("cells");
  target.scrollIntoView({ block: "start" });
  if (state.cell) target.focus({ preventScroll: true });
}
addEventListener("hashchange", follow);

// ---- a case, once it is opened: what each variant made of it ----
function worstByVariant(name) {
  const worst = new Map();
  for (const cell of run.cells)
    if (families(cell) === name && (!worst.has(cell.variant) || worstFirst(cell, worst.get(cell.variant)) < 0)) worst.set(cell.variant, cell);
  return [...worst.values()].sort(worstFirst);
}
function fillCase(details) {
  if (!details.open || details.querySelector(".worst")) return;
  const table = element("table", { className: "worst" }), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const title of ["variant", "finding of its worst cell", "n", "err/bound", "ulps", "got"]) head.append(element("th", { scope: "col" }, title));
  for (const cell of worstByVariant(details.querySelector("b").textContent)) {
    const link = element("a", { href: "#c" + cell.index, textContent: cell.head, title: cell.id, className: markOf(cell) });
    body.append(element("tr", {}, element("th", { scope: "row" }, labels[cell.variant]), element("td", {}, link),
      ...[cell.n, show(figure(cell.error_over_bound)), show(figure(cell.ulps)), cell.got_hex || ""].map(value => element("td", {}, String(value)))));
  }
  details.append(element("div", { className: "scroll" }, table));
}
for (const details of document.querySelectorAll("details.case")) details.addEventListener("toggle", () => fillCase(details));
addEventListener("beforeprint", () => { for (const at of document.querySelectorAll("details:not(.case)")) at.open = true; });

// ---- tooltips of the map ----
const tip = element("div", { id: "tip", hidden: true });
document.body.append(tip);
function showTip(event) {
  const link = event.target.closest && event.target.closest(".map td a");
  tip.hidden = !link;
  if (!link) return;
  const cell = run.cells[link.hash.slice(2)], box = link.getBoundingClientRect();
  tip.textContent = `${labels[cell.variant]} on ${families(cell)}, n = ${cell.n}: ${cell.head}` +
    (cell.has_result ? `, err/bound ${show(figure(cell.error_over_bound))}, ${ulps(cell.ulps)}` : "") + (cell.detail ? ". " + cell.detail : "");
  tip.style.left = Math.max(4, Math.min(box.left, innerWidth - 350)) + "px";
  tip.style.top = (box.bottom + 90 > innerHeight ? box.top - tip.offsetHeight - 4 : box.bottom + 4) + "px";
}
addEventListener("mouseover", showTip);
addEventListener("focusin", showTip);

if (readState()) { writeState(); update(); (state.cell ? $("detail") : $("cells")).scrollIntoView(); }
else { update(); openTarget(); }
root.dataset.ready = "yes";
})();
