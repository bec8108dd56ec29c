// Errors: the rows that models get wrong, with the user's own columns.

import { addScreen } from "../screens.js";
import { card, choice, meterRow, table } from "../parts.js";
import { MINUS, countText, make, shownText } from "../words.js";
import { download } from "../exports.js";


addScreen({
  id: "errors",
  title: "Errors by row",
  group: "judge",
  order: 70,
  icon: "M3 3l10 10M13 3 3 13",
  state: { wrong: null, truth: "", sort: "", falling: "" },
  applies: (study) => {
    if (study.alone) return "Rows need the server of this page.";
    if (study.task === "classification" && !study.provides.includes("label")) return "There are only scores, without labels, so no row is right or wrong. Threshold and costs shows what a threshold does.";
    return "";
  },
  render(place, bench) {
    const keys = ["wrong", "truth"].map((k) => `errors.${k}`);
    let found = null;
    const show = (now) => bench.fill(place, askRows(bench, now), (answer) => { found = answer; return errors(bench, answer, bench.store.now); });
    return { update(now, change) {
      if (keys.some((k) => k in change)) show(now);
      else if (found && ("errors.sort" in change || "errors.falling" in change)) place.replaceChildren(...errors(bench, found, now));
    } };
  },
});

/** Rows that so many models get wrong; until somebody says how many, as many as get any row wrong. @param {any} bench @param {any} now */
async function askRows(bench, now) {
  const of_class = bench.study.task === "classification" ? now["errors.truth"] : null;
  const { wrong_in } = await bench.ask("worst-cases", { most: 1 });
  const chosen = wrong_in.length ? now["errors.wrong"] ?? Math.max(wrong_in.findLastIndex((n) => n > 0), 0) : null;
  return { ...await bench.ask("worst-cases", { wrong_in: chosen, of_class }), chosen };
}

/** @param {any} bench @param {any} found @param {any} now */
function errors(bench, found, now) {
  const numeric = !found.wrong_in.length;
  const side = numeric ? [] : [countsCard(bench, found)];
  return [
    make("h1", { tabindex: -1 }, sentenceOf(bench, found)),
    ...(numeric ? [] : [make("p", { class: "lead" }, bench.study.task === "outcome" ? "Look at what they have in common." : "Look at them: they may be mislabelled, or of a kind that the columns do not show.")]),
    make("div", { class: side.length ? "columns side-left" : "" }, ...side, rowsCard(bench, found, now)),
  ];
}

/** @param {any} bench @param {any} found */
function sentenceOf(bench, found) {
  const { models } = bench.study;
  if (!found.wrong_in.length) return `The worst of ${countText(found.n)} cases.`;
  const all = found.wrong_in.at(-1);
  if (!all && found.chosen && models.length > 1) return `No case is wrong in all ${models.length} models; ${countText(found.wrong_in[found.chosen])} ${found.wrong_in[found.chosen] === 1 ? "is" : "are"} in ${found.chosen}.`;
  const failed = bench.study.task === "outcome";
  const of = found.of_class === null ? "" : ` of class ${shownText(String(found.of_class))}`;
  const cases = `${countText(all)} of ${countText(known(found))} cases${of} ${failed ? "failed" : all === 1 ? "is wrong" : "are wrong"}`;
  const where = models.length === 2 ? "both models" : `all ${models.length} models`;
  return models.length > 1 ? `${cases} in ${where}.` : `${cases}.`;
}

/** How many cases have a truth, or an outcome. @param {any} found */
const known = (found) => found.wrong_in.reduce((a, b) => a + b, 0);

/** @param {any} bench @param {any} found */
function countsCard(bench, found) {
  const { models } = bench.study;
  const most = Math.max(1, ...found.wrong_in);
  const name = (k) => (models.length === 1 ? ["right", "wrong"][k] : k === models.length ? `all ${k}` : k ? String(k) : "none");
  const option = (n, k) => make("label", { class: "tick" },
    make("input", { type: "radio", name: "wrong-in", checked: k === found.chosen, onchange: () => bench.store.set({ "errors.wrong": k }) }), meterRow(name(k), n / most, countText(n)));
  const options = found.wrong_in.map(option).reverse();
  const unknown = found.n - known(found);
  const said = `${countText(unknown)} ${unknown === 1 ? "case has" : "cases have"} no ${bench.study.task === "outcome" ? "outcome" : "truth"}, and ${unknown === 1 ? "is" : "are"} not counted.`;
  return card(models.length > 1 ? "Wrong in how many models" : "Labels", "", ...options, ...(unknown ? [make("p", { class: "quiet" }, said)] : []));
}

/** @param {any} bench @param {any} found @param {any} now */
function rowsCard(bench, found, now) {
  const { study, store } = bench;
  const [sort, falling] = [now["errors.sort"], now["errors.falling"] === "yes"];
  const place = found.columns.indexOf(sort);
  const value = (x) => (x === null || x === undefined ? -Infinity : x);
  const compare = (a, b) => { const [x, y] = [value(a[place]), value(b[place])]; return (x > y ? 1 : x < y ? -1 : 0) * (falling ? -1 : 1); };
  const rows = place < 0 ? found.rows : [...found.rows].sort(compare);
  const head = found.columns.map((name) => make("button", { class: "link", onclick: () => store.set({ "errors.sort": name, "errors.falling": sort === name && !falling ? "yes" : "" }) },
    make("bdi", {}, name), sort === name ? (falling ? " \u2193" : " \u2191") : ""));
  const numbers = found.columns.map((_, i) => i).filter((i) => i && typeof found.rows[0]?.[i] === "number");
  const cells = rows.map((row) => row.map((x) => cellText(x)));
  const classes = study.task === "classification"
    ? [choice([["", "every class"], ...study.classes.map((c) => [String(c), `truth ${shownText(String(c))}`])], now["errors.truth"], (v) => store.set({ "errors.truth": v }))] : [];
  for (const each of classes) each.setAttribute("aria-label", "Class");
  const more = study.case_columns.filter((name) => !found.columns.includes(name)).length;
  const shown = found.rows.length < found.picked ? `${countText(found.rows.length)} of ${countText(found.picked)} shown; the file has all` : `${countText(found.picked)} ${found.picked === 1 ? "row" : "rows"}`;
  return card("Rows", shown, make("div", { class: "row" }, ...classes, make("button", { onclick: () => saveAll(bench, found, now) }, "Save these rows (CSV)")),
    rows.length ? table("Rows", head, cells, { class: "rows", right: numbers }) : make("p", { class: "quiet" }, "There are none."),
    make("p", { class: "quiet" }, `Worst first: how far predictions lie from what happened. Press a heading to sort what is shown.${more ? ` The file has ${countText(more)} columns more.` : ""}`));
}

/** @param {any} x */
const cellText = (x) => (x === null || x === undefined ? "empty" : typeof x === "number" ? plainNumber(x) : String(x));

/** A number of the user's file as it stands there; of what was computed, four decimals. @param {number} x */
const plainNumber = (x) => String(Number(x.toFixed(Math.abs(x) < 1 ? 6 : 4))).replace("-", MINUS);

/** @param {any} bench @param {any} found @param {any} now */
async function saveAll(bench, found, now) {
  const body = { id: bench.study.id, whole: true, ...bench.view() };
  if (found.wrong_in.length) body.wrong_in = found.chosen;
  if (now["errors.truth"]) body.of_class = now["errors.truth"];
  const answer = await bench.tried(() => bench.server.call("worst-cases", body));
  if (answer) download("rows.csv", await answer.text(), "text/csv");
}
