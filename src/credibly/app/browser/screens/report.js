// Report: one file that needs no network, to read, to print, to file.

import { addScreen } from "../screens.js";
import { card, field } from "../parts.js";
import { download } from "../exports.js";
import { saveStudy } from "../study_file.js";
import { make, shownText } from "../words.js";
import { costsOf } from "./overview.js";

const FORMATS = [["html", "Web page", "report.html"], ["word", "Word", "report.docx"], ["markdown", "Markdown", "report.md"], ["latex", "LaTeX tables", "report.tex"], ["json", "JSON", "report.json"], ["model-card", "Model card", "card.md"]];

addScreen({
  id: "report",
  title: "Report",
  group: "tell",
  order: 100,
  icon: "M4 1h6l3 3v11H4ZM10 1v3h3M6 8h5M6 11h5",
  state: { title: "", note: "", left: "", measure: "" },
  applies: (study) => (study.alone ? "A report needs the server of this page." : ""),
  render(place, bench) {
    const contents = make("div");
    const saved = make("p", { role: "status" });
    place.append(make("h1", { tabindex: -1 }, "Report"), make("p", { class: "lead" }, "One file that needs no network: to read, to print, to file."),
      make("div", { class: "columns" }, make("div", { class: "stacked" }, wordsCard(bench), saveCard(bench, saved), studyCard(bench)), contents));
    return { update(now, change) {
      if (!["tp", "fp", "fn", "tn", "told", "report.left"].some((k) => k in change)) return;
      bench.fill(contents, bench.ask("report-sections", askedOf(bench, { ...now, "report.left": "" })), (found) => [sectionsCard(bench, found.sections, now)]);
    } };
  },
});

/** What is reported, as the server takes it. @param {any} bench @param {any} now */
function askedOf(bench, now) {
  const left = now["report.left"] ? now["report.left"].split("|") : [];
  return {
    costs: bench.study.classes.length === 2 ? costsOf(now) : null, confidence_level: now.level,
    ...(now["report.title"] ? { title: now["report.title"] } : {}), ...(now["report.note"] ? { note: now["report.note"] } : {}),
    ...(left.length ? { leave_out: left } : {}),
  };
}

/** @param {any} bench */
function wordsCard(bench) {
  const { store } = bench;
  const title = make("input", { value: store.now["report.title"], placeholder: `Evaluation of ${bench.study.name}`, maxlength: 200, onchange: (event) => store.set({ "report.title": event.target.value.trim() }) });
  const note = make("textarea", { rows: 4, maxlength: 1900, placeholder: "Why this was done and what you would decide.", onchange: (event) => store.set({ "report.note": event.target.value.trim() }) });
  note.value = store.now["report.note"];
  return card("Your words", "", field("Title", title), field("In your words (optional)", note));
}

/** @param {any} bench @param {HTMLElement} saved */
function saveCard(bench, saved) {
  const save = async (format, name) => {
    saved.textContent = "Writing ...";
    const { now } = bench.store;
    const body = Object.fromEntries(Object.entries({ id: bench.study.id, ...askedOf(bench, now), format, positive: now.positive || null }).filter(([, v]) => v !== null));
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

/** @param {any} bench @param {string[]} sections @param {any} now */
function sectionsCard(bench, sections, now) {
  const left = now["report.left"] ? now["report.left"].split("|") : [];
  const tick = (name) => make("label", { class: "tick" }, make("input", { type: "checkbox", checked: !left.includes(name), onchange: (event) => {
    const next = event.target.checked ? left.filter((n) => n !== name) : [...left, name];
    bench.store.set({ "report.left": next.join("|") });
  } }), make("span", {}, name));
  return card("Sections", "in this order", ...sections.map(tick));
}
