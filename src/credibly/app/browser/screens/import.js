// Import: the first rows with the role of each column, guessed and changeable, and what can be judged by it.

import { addScreen } from "../screens.js";
import { card, choice, draw, field, finding, findingList, ranked, segments } from "../parts.js";
import { readingOf } from "../study_file.js";
import { countText, make, shownText } from "../words.js";

const ROLES = {
  "": "other", truth: "truth", probability: "probability", score: "score", label: "label", value: "number", outcome: "scored elsewhere",
  row: "case", model: "model name", fold: "fold", repeat: "repeat", part: "part", group: "group", time: "time", weight: "weight",
};
const PLAIN_KIND = "predictions"; // of classes, numbers and outcomes
const PREDICTED_ROLES = ["probability", "score", "label", "value"];
const SPREAD = { width: 128, height: 22 };
/** What was seen of files, by their ids. */
const previews = new Map();

addScreen({
  id: "import",
  title: "What the columns are",
  group: "",
  order: 1,
  icon: "M2 3h12v10H2ZM2 6h12M6 3v10",
  applies: (study) => (study.alone ? "This page was made of predictions that were read already." : ""),
  render(place, bench) {
    const { study } = bench;
    if (!study.problem) bench.spells("evaluate", {});
    if (study.files.length) {
      place.append(make("h1", { tabindex: -1 }, `${study.models.length} models from ${study.files.length} files, ${study.about}.`),
        make("p", { class: "lead" }, "Made of several files. To change what a column is, open that file alone first."), useButton(bench));
      return;
    }
    if (study.waits) {
      place.append(make("h1", { tabindex: -1 }, "Not yet: another file belongs to this one."), make("p", { class: "lead", id: "problem" }, study.problem), make("p", {}, addButton(bench)));
      return;
    }
    if (!previews.has(study.id)) previews.set(study.id, bench.server.call("preview", { id: study.id }));
    previews.get(study.id).catch(() => previews.delete(study.id));
    bench.fill(place, bench.busy(previews.get(study.id)), (seen) => importScreen(bench, seen));
  },
});

/** @param {any} bench @param {any} seen */
function importScreen(bench, seen) {
  const { study } = bench;
  const columns = countText(seen.names.length + seen.more);
  const guessed = study.kind ? `Recognised by the columns of ${study.name}.` : Object.keys(study.suggested).length
    ? `The names of ${study.name} did not say which column is which, so the roles were guessed from the values.`
    : `Read from ${study.name}.`;
  return [
    make("div", { class: "row between" }, make("h1", { tabindex: -1, role: "status" }, verdict(study, seen)),
      make("span", { class: "row" }, addButton(bench), useButton(bench))),
    make("p", { class: "lead" }, `${guessed} ${countText(seen.n)} rows and ${columns} columns. Change what is wrong; the sentence follows.`),
    ...(study.problem ? [make("p", { class: "notice trouble", id: "problem", role: "alert" }, study.problem)] : []),
    ...(mayBeData(study) ? [make("p", { class: "notice" }, "No column looks like a prediction of a model. If these are data to learn from, ",
      make("button", { class: "link", id: "try-schemes", onclick: () => trySchemes(bench) }, "try schemes on them"), ".")] : []),
    previewTable(bench, seen),
    make("div", { class: "columns three" }, ...[classCard(bench), readingCard(bench, seen), judgedCard(bench)].filter(Boolean)),
  ];
}

/** Whether nothing but its values made a column a prediction, or nothing at all. @param {any} study */
const mayBeData = (study) => !study.kind && (Boolean(study.suggested.score)
  || (Boolean(study.problem) && !["models", "outcome", ...PREDICTED_ROLES].some((role) => study.roles[role]?.length)));

/** Learn from the file instead. @param {any} bench */
async function trySchemes(bench) {
  const data = await bench.tried(() => bench.server.call("data/opened", { id: bench.study.id }));
  if (data) bench.store.set({ screen: "schemes", "schemes.data": data.id, "schemes.target": "", "schemes.ignore": "", "schemes.run": "" });
}

/** @param {any} study @param {any} seen */
function verdict(study, seen) {
  if (!seen.n) return "Not yet: there are columns and no rows.";
  if (study.problem) return "Not yet: give some columns a role first.";
  const models = study.models.length > 1 ? `, predicted by ${study.models.length} models` : "";
  const once = study.models.length === 1 || study.options.models; // a row of the file is a case
  if (study.kind) return `${study.about}: ${shownText(study.kinds[study.kind].title).toLowerCase()}.`;
  const share = study.spread && once ? ` (${study.spread.replaceAll(": ", ":\u00a0")})` : ""; // a class and its number stay on one line
  return `${study.cases}${share}${models}.`;
}

/** The role of each column, as it was read. @param {any} study */
function rolesOf(study) {
  const found = Object.create(null); // columns may be called as what objects have
  for (const [role, columns] of Object.entries(study.roles)) {
    for (const column of [columns].flat()) found[column] = role === "models" ? "probability" : role;
  }
  return found;
}

/** What a column can be, and which roles predict. @param {any} study */
function offered(study) {
  if (!study.kind) return { titles: ROLES, predicted: PREDICTED_ROLES };
  const { roles } = study.kinds[study.kind];
  const titles = Object.fromEntries(Object.keys(roles).map((name) => [name, name.replaceAll("_", " ")]));
  return { titles: { "": "other", ...titles }, predicted: Object.keys(roles).filter((name) => roles[name] && name !== "truth") };
}

/** @param {any} bench @param {any} seen */
function previewTable(bench, seen) {
  const roles = rolesOf(bench.study);
  const { titles, predicted } = offered(bench.study);
  const heads = seen.columns.map((c) => {
    const role = roles[c.name] ?? "";
    const kind = role === "truth" ? "is-truth" : predicted.includes(role) ? "is-prediction" : false;
    const options = Object.entries(titles).map(([value, text]) => make("option", { value, selected: value === role }, text));
    const known = Object.keys(titles).includes(role) ? [] : [make("option", { value: role, selected: true }, role)];
    const select = make("select", { "data-column": c.name, "aria-label": `Role of ${c.name}`, onchange: () => change(bench, c.name) }, ...known, ...options);
    return make("th", { scope: "col", class: kind }, make("span", { class: "column", title: c.name }, make("bdi", {}, c.name)), spread(c.bars), select, make("span", { class: "small" }, c.about));
  });
  const lacking = (row) => seen.names.some((name, i) => row[i + 1] === null && roles[name]);
  const body = seen.rows.map((row) => make("tr", { class: lacking(row) && bench.study.options.complete ? "left-out" : false },
    make("td", { class: "small" }, String(row[0])), ...row.slice(1).map((cell) => make("td", {}, cell === null ? make("i", { class: "small" }, "empty") : cell))));
  const table = make("table", { class: "preview" }, make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "small" }, "row"), ...heads)), make("tbody", {}, ...body));
  const more = seen.more ? ` ${countText(seen.more)} more columns are not shown.` : "";
  return make("section", { class: "card", id: "roles" }, make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "First rows" }, table),
    make("p", { class: "small" }, `Rows are counted from 0. Bars show how the values are spread.${more}`));
}

/** @param {number[]} bars heights from 0 to 1 */
function spread(bars) {
  const width = SPREAD.width / Math.max(bars.length, 1);
  const rect = (h, i) => draw("rect", { x: i * width + 0.5, width: Math.max(width - 1, 0.5), y: SPREAD.height * (1 - h), height: SPREAD.height * h });
  return draw("svg", { class: "spread", viewBox: `0 0 ${SPREAD.width} ${SPREAD.height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars.map(rect));
}

/** What is predicted: classes, numbers and outcomes, or another kind. @param {any} bench */
function kindField(bench) {
  const { study } = bench;
  const kinds = [[PLAIN_KIND, "Classes, numbers or outcomes"], ...Object.entries(study.kinds).map(([name, { title }]) => [name, title])];
  return field("Kind of prediction", choice(kinds, study.kind || PLAIN_KIND, (kind) => tell(bench, { kind, roles: {} })));
}

/** Which outcome is looked for, where there are some to choose from. @param {any} bench */
function classCard(bench) {
  const { study } = bench;
  if (study.kind) return null;
  if (study.task === "outcome") return card("What was scored", "", make("p", { class: "quiet" }, "Outcomes of cases that were scored elsewhere. Which is better?"),
    segments("Which is better", [["higher", "a higher one"], ["lower", "a lower one"]], study.options.better ?? "", (better) => tell(bench, { better })));
  if (study.task === "numeric" || !study.classes.length) return null;
  const chip = (c) => make("button", { class: "chip", "aria-pressed": String(String(c) === String(study.positive)), "data-class": String(c), onclick: () => tell(bench, { positive: String(c) }) }, make("bdi", {}, String(c)));
  return card("Which outcome do you look for?", "", make("p", { class: "quiet" }, "Probabilities and scores are of it; recall, precision and costs are about it."),
    make("div", { class: "chips" }, ...study.classes.slice(0, 30).map(chip)));
}

/** @param {any} bench @param {any} seen */
function readingCard(bench, seen) {
  const { study } = bench;
  const roles = study.kind ? {} : rolesOf(study);
  const predicted = seen.columns.filter((c) => PREDICTED_ROLES.includes(roles[c.name]));
  const several = !study.roles.model && [...Map.groupBy(predicted, (c) => roles[c.name]).values()].some((same) => same.length > 1);
  const greatest = Math.max(0, ...predicted.filter((c) => ["probability", "score"].includes(roles[c.name])).map((c) => c.greatest ?? 0));
  const isPercent = greatest > 1 && greatest <= 100;
  const missing = predicted.reduce((n, c) => n + c.missing, 0);
  const tick = (key, title, text) => make("label", { class: "tick" }, make("input", { type: "checkbox", "data-option": key, checked: Boolean(study.options[key]), onchange: (event) => tell(bench, { [key]: event.target.checked }) }),
    make("span", {}, make("b", {}, title), make("span", { class: "quiet" }, text)));
  const written = study.findings.filter((f) => f.code === "numbers-as-written").slice(0, 2).map((f) => make("p", { class: "quiet" }, f.message));
  const each = several && study.task !== "numeric" ? [make("p", { class: "quiet" }, "The columns that predict are"),
    segments("The columns that predict", [["models", "one per model"], ["classes", "one per class"]], study.options.models ? "models" : "classes", (v) => change(bench, "", v === "models"))] : [];
  return card("How to read it", "", kindField(bench),
    ...(isPercent || study.options.percent ? [tick("percent", "Percent, 0 to 100", "Divided by 100 to make probabilities.")] : []),
    ...(missing || study.options.complete ? [tick("complete", "Leave out cases without a score", missing ? `${countText(missing)} cells of predictions are empty.` : "They are left out of every model.")] : []),
    ...each, ...written);
}

/** @param {any} bench */
function judgedCard(bench) {
  const { study } = bench;
  if (study.problem) return card("What can be judged", "", make("p", { class: "quiet" }, "Nothing yet."));
  const kinds = { probability: "Probabilities: ranking, costs, calibration and log loss can be judged.", score: "Scores: ranking, thresholds and costs can be judged, calibration not.",
    label: "Labels: accuracy and the mistakes can be judged.", value: "Numbers: errors and how they are spread can be judged." };
  const best = study.kind ? "score" : ["probability", "score", "value", "label"].find((k) => study.provides.includes(k));
  if (study.kind) kinds.score = `Judged by ${study.scores.slice(0, 4).map((s) => s.title).join("; ")}${study.scores.length > 4 ? " and more" : ""}.`;
  return card("What can be judged", "", make("ul", { class: "findings" }, ...(best ? [finding({ severity: "passed", message: kinds[best] })] : [])), ...(ranked(study.findings).length ? [findingList(study.findings, () => null, 5)] : []));
}

/** @param {any} bench */
const useButton = (bench) => make("button", { class: "main", id: "use", disabled: Boolean(bench.study.problem), onclick: () => bench.store.set({ screen: "overview" }) }, "Use these predictions");

/** @param {any} bench */
const addButton = (bench) => bench.files.button("Add a model's file", false, async (files) => {
  const sets = [];
  for (const file of files) sets.push(await bench.tried(() => bench.files.send(file)));
  bench.files.progress("");
  if (sets.every(Boolean)) await bench.files.join([bench.study, ...sets]);
});

/** A role was chosen: read again with all that the headers say. @param {any} bench @param {string} column @param {boolean|null} perModel */
function change(bench, column, perModel = null) {
  const { study } = bench;
  if (study.kind) {
    tell(bench, { roles: rolesOfKind(study) }, column);
    return;
  }
  const selects = [...document.querySelectorAll("#roles select[data-column]")];
  const chosen = selects.find((s) => s.dataset.column === column)?.value ?? "";
  const roles = {};
  const predicted = {};
  for (const { value, dataset } of selects) {
    if (PREDICTED_ROLES.includes(value)) (predicted[value] ??= []).push(dataset.column);
    else if (value && (value !== chosen || dataset.column === column)) roles[value] = dataset.column; // the last word holds
  }
  const guessed = chosen === "truth" && (study.suggested.models || study.suggested.probability); // for another truth
  const asModels = perModel ?? Boolean(study.options.models ?? !isOfClasses(study, predicted));
  for (const [role, columns] of guessed ? [] : Object.entries(predicted)) {
    if (columns.length === 1) [roles[role]] = columns;
    else if (role === "probability" && !asModels) roles.probability = columns;
    else roles.models = columns;
  }
  const used = new Set([...Object.values(roles), ...Object.values(predicted)].flat()); // what was guessed may be guessed again
  const ignore = selects.map((s) => s.dataset.column).filter((name) => !used.has(name));
  tell(bench, { roles, ignore }, column);
}

/** What the headers say of a table of another kind. @param {any} study */
function rolesOfKind(study) {
  const several = study.kinds[study.kind].roles;
  const roles = Object.fromEntries(Object.entries(readingOf(study.options).roles).filter(([name]) => !(name in several)));
  for (const { value, dataset } of document.querySelectorAll("#roles select[data-column]")) {
    if (value && several[value]) (roles[value] ??= []).push(dataset.column);
    else if (value) roles[value] = dataset.column;
  }
  return roles;
}

/** Whether there is a column of probabilities for each class. @param {any} study @param {any} predicted */
const isOfClasses = (study, predicted) => study.classes.length > 0 && (predicted.probability ?? []).length === study.classes.length
  && study.classes.every((c) => predicted.probability.some((name) => name.toLowerCase().endsWith(String(c).toLowerCase())));

/** Read the file again with something else said of it. @param {any} bench @param {any} said @param {string} column */
async function tell(bench, said, column = "") {
  const { study } = bench;
  const { roles: told, ...known } = readingOf(study.options);
  const roles = { ...(said.roles ?? told) };
  if (said.percent && roles.score) [roles.probability, roles.score] = [roles.score, undefined]; // what is in percent is a probability
  const body = Object.fromEntries(Object.entries({ id: study.id, ...known, ...said, roles }).filter(([, v]) => v !== null && v !== undefined && v !== false));
  const set = await bench.tried(() => bench.server.call("roles", body));
  if (!set) return;
  bench.open(set, { keep: true, screen: "import" });
  if (column) setTimeout(() => document.querySelector(`#roles select[data-column="${CSS.escape(column)}"]`)?.focus());
}
