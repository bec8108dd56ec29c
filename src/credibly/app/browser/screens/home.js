// Home: what this is, three doors, what a file looks like, and what was opened.

import { addScreen, screens } from "../screens.js";
import { icon } from "../parts.js";
import { countText, make } from "../words.js";

const SAMPLE = {
  head: ["case", "outcome", "forest", "logistic", "purpose"],
  rows: [["0", "good", "0.11", "0.027", "radio/tv"], ["1", "bad", "0.64", "0.631", "radio/tv"], ["2", "good", "0.04", "0.034", "education"]],
  roles: ["which case, if you have it", "what happened", "what each model said", "", "anything else to slice by"],
};

const LIKE_OTHERS = [".txt", ".tab", ".xlsm", ".ndjson", ".pq"]; // endings that need no mention

addScreen({
  id: "home",
  title: "Home",
  group: "",
  order: 0,
  icon: "M2 8 8 2l6 6v6H2Z",
  alone: true,
  applies: () => "",
  render(place, bench) {
    place.append(
      make("h1", { tabindex: -1 }, "Decide whether to believe a learned model."),
      make("p", { class: "lead" }, "How well will it do? Is it really better? Where should it operate? From any tool's predictions, without programming."),
      make("div", { class: "doors" }, ...doors(bench)),
      make("div", { class: "columns" }, sampleCard(bench), make("div", { class: "stacked" }, examplesCard(bench), openedCard(bench))),
    );
  },
});

/** @param {any} bench */
function doors(bench) {
  const open = door("M4 1h6l3 3v11H4ZM10 1v3h3", "I have predictions", "A file with what happened and what a model said. See how good it is, what it costs, and what to doubt.",
    bench.files.button("Open a file", true));
  const others = screens.filter((s) => s.door).map((s) => door(s.icon, s.door.title, s.door.text, bench.link(s.id, s.door.action, {}, "button")));
  return [open, ...others];
}

/** @param {string} path @param {string} title @param {string} text @param {Node} action */
const door = (path, title, text, action) => make("section", { class: "card" },
  icon(path), make("h2", {}, title), make("p", { class: "quiet" }, text), make("p", {}, action));

/** @param {any} bench */
function sampleCard(bench) {
  const { formats, limit } = bench.known.server;
  const endings = formats.flatMap((f) => f.suffixes).filter((each) => !LIKE_OTHERS.includes(each)).join(" ");
  const line = (cells, tag) => make("tr", {}, ...cells.map((c) => make(tag, tag === "th" ? { scope: "col" } : {}, c)));
  const table = make("table", {}, make("thead", {}, line(SAMPLE.head, "th")),
    make("tbody", {}, ...SAMPLE.rows.map((row) => line(row, "td"))),
    make("tfoot", {}, make("tr", {}, ...SAMPLE.roles.map((text) => make("td", { class: "small" }, text)))));
  return make("section", { class: "drop" }, make("h2", {}, "What a file of predictions looks like"),
    make("p", { class: "quiet" }, "One row per case. Names and order of columns do not matter: you say on the next screen which is which. Drop it anywhere on this page."),
    make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "A file of predictions" }, table),
    make("p", { class: "quiet", title: formats.map((f) => f.title).join(", ") }, `${endings}, Weka's output, TREC's judgements and runs, and logs of pytest, Inspect and lm-evaluation-harness; at most ${countText(limit / 1e6)} MB. ` +
      "The file stays on this machine, and is removed when the page's server ends."));
}

/** @param {any} bench */
function examplesCard(bench) {
  const row = ({ name, about }) => make("div", { class: "study-row" }, make("span", {}, make("b", {}, name), make("span", { class: "quiet block" }, about)),
    make("button", { "aria-label": `Open the example ${name}`, onclick: () => bench.files.example(name) }, "Open"));
  return make("section", { class: "card" }, make("h2", {}, "Start from an example"), make("div", {}, ...bench.known.server.examples.map(row)));
}

/** @param {any} bench */
function openedCard(bench) {
  const list = make("div");
  const asked = Promise.all([bench.server.call("predictions"), bench.server.call("recent")]);
  bench.fill(list, bench.busy(asked), ([{ sets }, { studies }]) => openedRows(bench, sets, studies));
  return make("section", { class: "card" }, make("h2", {}, "Opened on this machine"), list);
}

/** What is open now, and what was at earlier starts. @param {any} bench @param {any[]} sets @param {any[]} studies */
function openedRows(bench, sets, studies) {
  const now = sets.map((set) => set.name);
  const before = studies.filter((study) => !now.includes(study.name));
  if (!sets.length && !before.length) return [make("p", { class: "quiet" }, "Nothing yet. Predictions that you open are listed here.")];
  const earlier = make("div", {}, make("h3", {}, "Earlier"), ...before.map((study) => earlierRow(bench, study)),
    make("p", { class: "quiet" }, "Names and a fingerprint were kept, no data: choose the file, and its columns are read as then. ",
      make("button", { class: "link", onclick: () => bench.tried(async () => { await bench.server.call("recent", null, { method: "DELETE" }); earlier.remove(); }) }, "Forget these"), "."));
  return [...sets.map((set) => row(bench, set)).reverse(), ...(before.length ? [earlier] : [])];
}

/** @param {any} bench @param {any} study */
const earlierRow = (bench, study) => make("div", { class: "study-row" },
  make("span", {}, make("bdi", {}, study.name), " ", make("span", { class: "quiet" }, `${study.about}, ${study.day}`)),
  bench.files.button("Choose the file", false, (files) => { bench.files.kept = study; return bench.files.take(files); }));

/** @param {any} bench @param {any} set */
function row(bench, set) {
  const close = async () => { if (await bench.tried(() => bench.server.call(`predictions/${set.id}`, null, { method: "DELETE" }))) made.remove(); };
  const made = make("div", { class: "study-row" },
    make("span", {}, make("button", { class: "link", onclick: () => bench.open(set) }, make("bdi", {}, set.name)), " ",
      make("span", { class: "quiet" }, set.problem ? "its columns are not known yet" : set.about)),
    make("button", { class: "plain small", "aria-label": `Close ${set.name}`, onclick: close }, "Close"));
  return made;
}
