// Import: what the columns of a file are.

import { addScreen } from "../screens.js";
import { byId, make } from "../words.js";

const SEVERAL_COLUMNS = ["probability", "baseline"]; // roles that may take several columns
const ROLES = ["truth", "label", "score", "probability", "value", "weight", "row", "model", "repeat", "fold", "part", "group", "time"];

addScreen({
  id: "import",
  title: "What the columns are",
  group: "",
  order: 1,
  icon: "M2 3h12v10H2ZM2 6h12M6 3v10",
  applies: (study) => (study.alone ? "This page was made of predictions that were read already." : ""),
  render(place, bench) {
    const { study } = bench;
    place.append(make("h1", { tabindex: -1 }, study.problem ? "Not yet: something has to be said first." : `${study.name} was read.`),
      ...(study.problem ? [make("p", { class: "notice trouble", id: "problem" }, study.problem)] : []), rolesForm(bench));
  },
});

/** @param {any} bench */
function rolesForm(bench) {
  const { study } = bench;
  const roleOf = {};
  for (const [role, columns] of Object.entries(study.roles ?? {})) for (const column of [columns].flat()) roleOf[column] = role;
  const fields = study.columns.map((column) => {
    const options = ROLES.map((role) => make("option", { value: role, selected: roleOf[column] === role }, role));
    return make("label", {}, column, make("select", { "data-column": column }, make("option", { value: "" }, "not used"), ...options));
  });
  fields.push(make("label", {}, "positive class", positiveField(study)));
  return make("form", { class: "card", id: "roles", onsubmit: (event) => { event.preventDefault(); readAgain(bench, event.target); } },
    make("div", { class: "fields" }, ...fields), make("p", {}, make("button", { type: "submit", class: "main" }, "Use these predictions")));
}

/** @param {any} bench @param {HTMLElement} form */
async function readAgain(bench, form) {
  const roles = {};
  const selects = [...form.querySelectorAll("select[data-column]")];
  for (const select of selects.filter((s) => s.value)) {
    const column = select.dataset.column;
    roles[select.value] = roles[select.value] === undefined ? column : [roles[select.value], column].flat();
  }
  const twice = Object.entries(roles).find(([role, columns]) => Array.isArray(columns) && !SEVERAL_COLUMNS.includes(role));
  if (twice) {
    bench.complain(`Only one column can be the ${twice[0]}.`);
    return;
  }
  const ignore = selects.filter((s) => !s.value).map((s) => s.dataset.column);
  const positive = form.querySelector("[name=positive]")?.value;
  const body = { id: bench.study.id, roles, ignore, ...(positive ? { positive } : {}) };
  const set = await bench.tried(() => bench.server.call("roles", body));
  if (set) bench.open(set, { keep: true, screen: set.problem ? "import" : "overview" });
}

/** A choice among the classes, or a field to write one in where they are not known yet. @param {any} study */
function positiveField(study) {
  if (!study.classes?.length) return make("input", { name: "positive", autocomplete: "off" });
  const options = study.classes.map((c) => make("option", { value: String(c), selected: String(c) === String(study.positive) }, String(c)));
  const ask = study.positive === null ? [make("option", { value: "" }, "choose ...")] : [];
  return make("select", { name: "positive" }, ...ask, ...options);
}
