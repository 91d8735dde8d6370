"use strict";
// All cells, from the JSON inside the page. Text from the run only ever becomes text nodes.
(async () => {
const root = document.documentElement, $ = id => document.getElementById(id);
const PAGE = 200;
root.classList.add("js");

async function readData() {
  const bytes = Uint8Array.from(atob($("data").textContent), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
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

const text = await readData();
const run = JSON.parse(text);
const families = cell => cell.dataset === null ? "coverage map" : run.datasets[cell.dataset].values;
const labels = run.variants.map(v => `${v.name}@${v.backend} ${v.type}`);
const figure = value => value === undefined ? NaN : value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value);
const good = new Set(["correctly rounded", "faithful", "within bound", "varies as claimed", "bound says nothing"]);
run.cells.forEach((cell, index) => { cell.index = index; });

// Three digits, as C's %.3g.
function show(value) {
  if (Number.isNaN(value)) return "–";
  const size = Math.abs(value), sign = value < 0 ? "−" : "";
  if (size === Infinity) return sign + "∞";
  if (size && (size < 1e-4 || size >= 1e3 && !Number.isInteger(size) || size >= 1e9)) return sign + size.toExponential(2);
  return sign + Number(size.toPrecision(size >= 1e3 ? 12 : 3));
}
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
  const hash = location.hash.slice(1);
  if (!hash.includes("=")) return false;
  state = Object.fromEntries(new URLSearchParams(hash));
  if (/^\d+$/.test(state.variant || "") && labels[state.variant]) state.variant = labels[state.variant];
  if (/^\d+$/.test(state.cell || "") && run.cells[state.cell]) state.cell = run.cells[state.cell].id;
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

// Failures, then known ones, then by err/bound; where the bound says nothing, last.
const rank = cell => !good.has(cell.head) ? (cell.known ? 1 : 0) : cell.head === "bound says nothing" ? 3 : 2;
const nearest = compare(columns.find(column => column.key === "err"), -1);
function worstFirst(a, b) {
  return rank(a) - rank(b) || nearest(a, b);
}

function renderRows() {
  const body = $("all").tBodies[0];
  body.replaceChildren(...rows.slice(0, shown).map(cell => element("tr", {}, ...columns.map(column => {
    const value = (column.print || column.of)(cell), printed = column.number ? show(value) : value;
    if (column.key === "finding") {
      const link = element("a", { href: "#cell=" + cell.index, textContent: cell.head, title: cell.id });
      link.className = good.has(cell.head) ? "good" : cell.known ? "known" : "bad";
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
    pair(list, "got", `${cell.got_hex}  ${cell.bits} = ${cell.got_decimal}`);
    pair(list, "exact, rounded once", `${cell.rounded_hex}  ${cell.rounded_bits} = ${cell.rounded_decimal}`);
    pair(list, "exact", dataset.exact_decimal);
    pair(list, "error", `${show(figure(cell.ulps))} ulps, relative ${show(figure(cell.relative_error))}, err/(u·A) ${show(figure(cell.error_over_uA))}`);
    pair(list, "err/bound", `${show(figure(cell.error_over_bound))}, bound ${cell.bound || ""} = ${cell.bound_decimal || ""}, bound/|s| ${show(figure(cell.bound_over_sum))}`);
    pair(list, "condition number", show(figure(dataset.condition)));
    pair(list, "patterns", cell.patterns.map(p => `${p.bits} × ${p.count} (${show(figure(p.ulps))} ulps, first at ${p.first_at})`).join("; "));
    pair(list, "times, ns", cell.ns.join(", "));
  }
  pair(list, cell.attack, cell.compared_with && (cell.differs ? "differs from " : "same bits as ") + cell.compared_with);
  pair(list, "claims broken", cell.broken.map(i => (run.variants[cell.variant].claims[i] || {}).claim).join(", "));
  const words = run.variants[cell.variant].arguments;
  box.replaceChildren(element("h3", {}, labels[cell.variant] + ": " + cell.head),
    element("p", { className: "detail" }, cell.detail || ""), list,
    element("pre", { className: "paste" }, `reductio run --cell '${cell.id.replaceAll("'", "'\\''")}'${words ? ` ${words}` : ""}`), close);
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
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
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
for (const link of document.querySelectorAll(".map a[data-c]")) link.href = "#cell=" + link.dataset.c;
addEventListener("beforeprint", () => { for (const at of document.querySelectorAll("details:not(.case)")) at.open = true; });

// ---- tooltips of the map ----
const tip = element("div", { id: "tip", hidden: true });
document.body.append(tip);
function showTip(event) {
  const link = event.target.closest && event.target.closest(".map a[data-c]");
  tip.hidden = !link;
  if (!link) return;
  const cell = run.cells[link.dataset.c], box = link.getBoundingClientRect();
  tip.textContent = `${labels[cell.variant]} on ${families(cell)}, n = ${cell.n}: ${cell.head}` +
    (cell.has_result ? `, err/bound ${show(figure(cell.error_over_bound))}, ${show(figure(cell.ulps))} ulps` : "") + (cell.detail ? ". " + cell.detail : "");
  tip.style.left = Math.max(4, Math.min(box.left, innerWidth - 350)) + "px";
  tip.style.top = (box.bottom + 90 > innerHeight ? box.top - tip.offsetHeight - 4 : box.bottom + 4) + "px";
}
addEventListener("mouseover", showTip);
addEventListener("focusin", showTip);

if (readState()) { writeState(); update(); (state.cell ? $("detail") : $("cells")).scrollIntoView(); }
else { update(); openTarget(); }
root.dataset.ready = "yes";
})();
