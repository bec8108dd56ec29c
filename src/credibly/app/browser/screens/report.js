// Report: one file that needs no network, to read, to print, to file.

import { addScreen } from "../screens.js";
import { card, choice, field } from "../parts.js";
import { download } from "../exports.js";
import { saveStudy } from "../study_file.js";
import { make, shownText } from "../words.js";
import { costsOf } from "./overview.js";

const FORMATS = [["html", "Web page", "report.html"], ["word", "Word", "report.docx"], ["markdown", "Markdown", "report.md"], ["latex", "LaTeX tables", "report.tex"], ["json", "JSON", "report.json"], ["model-card", "Model card", "card.md"]];

/** What changes what is reported. */
const MATTERS = ["tp", "fp", "fn", "tn", "told", "report.left", "report.order", "report.title", "report.note", "report.by"];

addScreen({
  id: "report",
  title: "Report",
  group: "tell",
  order: 100,
  icon: "M4 1h6l3 3v11H4ZM10 1v3h3M6 8h5M6 11h5",
  state: { title: "", note: "", left: "", order: "", by: "" },
  applies: (study) => (study.alone ? "A report needs the server of this page." : ""),
  render(place, bench) {
    const contents = make("div");
    const preview = make("div", { class: "preview" });
    const saved = make("p", { role: "status" });
    place.append(make("h1", { tabindex: -1 }, "Report"), make("p", { class: "lead" }, "One file that needs no network: to read, to print, to file."),
      make("div", { class: "columns lead-right" }, make("div", { class: "stacked" }, wordsCard(bench), contents, saveCard(bench, saved), studyCard(bench)), preview));
    return { update(now, change) {
      if (!MATTERS.some((key) => key in change)) return;
      bench.fill(contents, bench.ask("report-sections", { ...askedOf(bench, now), leave_out: null, order: null }), ({ sections }) => [sectionsCard(bench, sections, now)]);
      showPreview(bench, preview, now);
    } };
  },
});

/** Show the report itself: it changes with what is chosen. @param {any} bench @param {HTMLElement} place @param {any} now */
function showPreview(bench, place, now) {
  const made = bench.server.call("report-preview", { id: bench.study.id, ...withoutNothing({ ...askedOf(bench, now), ...bench.view() }) });
  bench.fill(place, bench.busy(made), ({ id }) => [make("iframe", { title: "Preview of the report", src: `preview/${id}?${new URLSearchParams({ token: bench.known.server.token })}` })]);
}

/** @param {any} given */
const withoutNothing = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ""));

/** Titles that are kept as one text. @param {string} text */
const titlesIn = (text) => (text ? text.split("|") : []);

/** What is reported, as the server takes it. @param {any} bench @param {any} now */
function askedOf(bench, now) {
  const [left, order] = [titlesIn(now["report.left"]), titlesIn(now["report.order"])];
  return {
    costs: bench.study.classes.length === 2 ? costsOf(now) : null, confidence_level: now.level,
    ...(now["report.title"] ? { title: now["report.title"] } : {}), ...(now["report.note"] ? { note: now["report.note"] } : {}),
    ...(now["report.by"] ? { by: [now["report.by"]] } : {}), ...(left.length ? { leave_out: left } : {}), ...(order.length ? { order } : {}),
  };
}

/** @param {any} bench */
function wordsCard(bench) {
  const { store } = bench;
  const title = make("input", { value: store.now["report.title"], placeholder: `Evaluation of ${bench.study.name}`, maxlength: 200, onchange: (event) => store.set({ "report.title": event.target.value.trim() }) });
  const note = make("textarea", { rows: 4, maxlength: 1900, placeholder: "Why this was done and what you would decide.", onchange: (event) => store.set({ "report.note": event.target.value.trim() }) });
  note.value = store.now["report.note"];
  const columns = bench.study.case_columns;
  const by = choice([["", "whichever are worst"], ...columns.map((name) => [name, name])], store.now["report.by"], (name) => store.set({ "report.by": name }));
  return card("Your words", "", field("Title", title), field("In your words (optional)", note), ...(columns.length ? [field("Slices by", by)] : []));
}

/** @param {any} bench @param {HTMLElement} saved */
function saveCard(bench, saved) {
  const save = async (format, name) => {
    saved.textContent = "Writing ...";
    const { now } = bench.store;
    const body = withoutNothing({ id: bench.study.id, ...askedOf(bench, now), format, ...bench.view() });
    const answer = await bench.tried(() => bench.server.call("report", body));
    if (answer) download(name, await answer.blob());
    saved.textContent = answer ? `The report was written to ${name}.` : "The report was not written.";
  };
  const buttons = FORMATS.map(([format, text, name], i) => make("button", { class: i ? false : "main", onclick: () => save(format, name) }, text));
  return card("Save as", "", make("div", { class: "row" }, ...buttons), saved, make("p", { class: "quiet" }, "Print the web page, or save it as PDF, from your browser."));
}

/** The study itself, to go on with another day. @param {any} bench */
function studyCard(bench) {
  const said = make("p", { role: "status" });
  const withData = make("input", { type: "checkbox" });
  const save = async () => {
    const name = await bench.tried(() => saveStudy(bench, withData.checked));
    said.textContent = name ? `The study was written to ${shownText(name)}. Open it like any file.` : "";
  };
  return card("Keep this study", "", make("p", { class: "quiet" }, "What the columns are, costs, thresholds and everything else that is chosen, with a fingerprint of the data."),
    make("label", { class: "tick" }, withData, make("span", {}, "With a copy of the data")), make("p", {}, make("button", { onclick: save }, "Save the study file")), said);
}

/** Which sections, and in which order. @param {any} bench @param {string[]} sections @param {any} now */
function sectionsCard(bench, sections, now) {
  const left = titlesIn(now["report.left"]);
  const order = [...new Set([...titlesIn(now["report.order"]).filter((name) => sections.includes(name)), ...sections])];
  const keep = (name, kept) => bench.store.set({ "report.left": (kept ? left.filter((n) => n !== name) : [...left, name]).join("|") });
  const move = (at, by) => {
    if (!(at + by in order)) return;
    const next = [...order];
    next.splice(at + by, 0, ...next.splice(at, 1));
    bench.store.set({ "report.order": next.join("|") === sections.join("|") ? "" : next.join("|") });
  };
  const button = (name, at, by, way) => make("button", { class: "plain small", "aria-disabled": String(!(at + by in order)), "aria-label": `Move ${name} ${way}`, onclick: () => move(at, by) }, way === "up" ? "\u2191" : "\u2193");
  const row = (name, at) => make("li", { class: "study-row", onkeydown: (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.altKey && by) { event.preventDefault(); move(at, by); }
  } }, make("label", { class: "tick" }, make("input", { type: "checkbox", value: name, checked: !left.includes(name), onchange: (event) => keep(name, event.target.checked) }), make("span", {}, name)),
    make("span", {}, button(name, at, -1, "up"), button(name, at, 1, "down")));
  return card("Sections", "Alt and arrows move them", make("ol", { class: "findings sections" }, ...order.map(row)));
}
