// Experiments: schemes over datasets, who wins, average ranks with their critical difference, and what to doubt.

import { addScreen } from "../screens.js";
import { card, chanceWords, choice, draw, estimateTexts, field, findingList, measureTitle } from "../parts.js";
import { make } from "../words.js";
import { copied } from "../drawer.js";
import { download } from "../exports.js";

const MARKS = { better: "+", worse: "\u2212" };
const RANKS = { width: 560, left: 20, right: 540, top: 46, step: 22 };

addScreen({
  id: "experiments",
  title: "Experiments",
  group: "make",
  order: 120,
  icon: "M2 2h12v12H2ZM2 6h12M2 10h12M6 2v12",
  alone: true,
  door: { title: "I have results of experiments", text: "From Weka's Experimenter, a table with one row per fit, or runs made here. See who wins, by how much, and whether that may be chance.", action: "Open results" },
  state: { of: "", measure: "", base: "" },
  applies: () => "",
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Experiments");
    const lead = make("p", { class: "lead" }, "Schemes over datasets: who wins, by how much, and whether that may be chance.");
    const opened = make("div");
    const result = make("div", { class: "stacked" });
    const planned = make("div");
    place.append(heading, lead, opened, result, planned);
    bench.fill(planned, bench.busy(bench.server.call("schemes")), (offered) => [experimentForm(bench, offered, !bench.store.now["experiments.of"])]);
    return { update(now, change) {
      if (!Object.keys(change).some((key) => key.startsWith("experiments.") || key === "screen")) return;
      bench.fill(opened, bench.busy(bench.server.call("runs")), (found) => [openedResults(bench, found, now)]);
      if (!now["experiments.of"]) {
        result.replaceChildren();
        return;
      }
      bench.fill(result, bench.busy(bench.server.call("analyse", askedAnalysis(now))), (found) => {
        heading.textContent = rankSentence(found);
        lead.textContent = `${found.heading}.`;
        return [make("div", { class: "columns lead-left" }, valuesCard(bench, found, now), make("div", { class: "stacked" }, ...rankCards(found), card("What to doubt", "", findingList(found.findings))))];
      });
    } };
  },
});

/** Schemes and datasets to be run together. @param {any} bench @param {any} offered @param {boolean} open */
function experimentForm(bench, offered, open) {
  const box = (value, group, checked, ...text) => make("label", { class: "option" }, make("input", { type: "checkbox", name: group, value, checked }), make("span", {}, ...(text.length ? text : [value])));
  const able = offered.schemes.filter((s) => s.tasks.includes("classification"));
  const splits = choice([["10", "10 folds"], ["10x10", "10 times 10 folds"], ["5", "5 folds"]], "10", () => {});
  const group = (title, ...boxes) => make("fieldset", {}, make("legend", { class: "quiet" }, title), make("div", { class: "options small-options" }, ...boxes));
  const own = make("div", { class: "options small-options" });
  const take = async (files) => {
    for (const file of files) {
      const sent = await bench.files.sendData(file);
      if (sent) own.append(box(sent.id, "own", true, make("bdi", {}, sent.name), make("span", { class: "quiet" }, `predicts ${sent.target}`)));
    }
  };
  const form = make("form", { class: "stacked", onsubmit: (event) => { event.preventDefault(); runExperiment(bench, form, splits.value); } },
    group("Datasets", ...offered.datasets.map((name) => box(name, "dataset", false))),
    make("div", { class: "row" }, bench.files.button("Add your own data", false, take), make("span", { class: "quiet" }, "Several files may be chosen. The column to predict is guessed; Try schemes lets you choose it.")), own,
    group("Schemes", ...able.map((s) => box(s.name, "scheme", s.name === "zero-r"))),
    make("div", { class: "row end" }, field("Splits", splits), make("button", { type: "submit" }, "Run the experiment")));
  return make("details", { class: "card", open }, make("summary", {}, "Make an experiment"), form);
}

/** @param {any} bench @param {HTMLFormElement} form @param {string} resampling */
async function runExperiment(bench, form, resampling) {
  const chosen = (name) => [...form.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value);
  const run = await bench.tried(async () => {
    const found = chosen("own");
    for (const name of chosen("dataset")) found.push((await bench.server.call("data/bundled", { name })).id);
    return bench.server.call("run", { data: found, schemes: chosen("scheme"), resampling, rng: 1 });
  });
  if (run) bench.store.set({ screen: "schemes", "schemes.run": run.id });
}

/** @param {any} now */
function askedAnalysis(now) {
  const told = ["measure", "base"].filter((name) => now[`experiments.${name}`]).map((name) => [name, now[`experiments.${name}`]]);
  return { id: now["experiments.of"], ...Object.fromEntries(told) };
}

/** @param {any} bench @param {any} found @param {any} now */
function openedResults(bench, found, now) {
  const choose = (id) => bench.store.set({ "experiments.of": id, "experiments.measure": "", "experiments.base": "" });
  const take = async ([file]) => {
    const sent = await bench.tried(() => bench.server.send(`results?${new URLSearchParams({ name: file.name })}`, file, () => {}));
    if (sent) choose(sent.id);
  };
  const runs = found.runs.filter((run) => run.done).map((run) => [run.id, `run on ${run.name}: ${run.schemes.length} schemes, ${run.done} of ${run.total} fits`]);
  const all = [["", "choose ..."], ...found.results.map((r) => [r.id, r.name]), ...runs];
  return card("Results", "Weka's Experimenter (CSV, ARFF), or a table with one row per fit", make("div", { class: "row end" },
    bench.files.button("Open results", !now["experiments.of"], take),
    ...(all.length > 1 ? [field("Opened here", choice(all, now["experiments.of"], choose))] : [])));
}

/** Two schemes have no ranks: one is better, or they cannot be told apart. @param {any} over */
function pairSentence(over) {
  const falls = over.direction === "lower" ? -1 : 1;
  const [better, other] = falls * over.difference >= 0 ? over.names : [...over.names].reverse();
  return over.rejected ? `${better} does better than ${other} over ${over.n} datasets.` : `${better} and ${other} do not differ clearly over ${over.n} datasets.`;
}

/** Say who ranks first, and whether that may be chance. @param {any} found */
function rankSentence(found) {
  const over = found.over_datasets;
  if (!over) {
    const sign = found.direction === "lower" ? 1 : -1;
    const best = found.cells.filter((c) => typeof c.value === "number").sort((a, b) => sign * (a.value - b.value))[0];
    return best ? `${best.scheme} does best on ${best.dataset}.` : "Nothing can be compared yet.";
  }
  if (!over.schemes) return pairSentence(over);
  const first = over.schemes[0];
  const alike = over.groups.find((group) => group.includes(first)) ?? [first];
  const others = over.schemes.filter((name) => name !== first && alike.includes(name));
  const chance = typeof over.whole.pvalue === "number" && over.whole.pvalue > 1 - over.confidence_level ? " The order may be chance." : "";
  if (!others.length) return `${first} ranks first over ${over.datasets} datasets, clearly ahead of the others.`;
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  const named = others.length === over.schemes.length - 1 ? "any other" : `${others.slice(0, 3).join(", ")}${more}`;
  return `${first} ranks first over ${over.datasets} datasets; it is not clearly better than ${named}.${chance}`;
}

/** @param {any} bench @param {any} found @param {any} now */
function valuesCard(bench, found, now) {
  const schemes = [...new Set(found.cells.map((c) => c.scheme))];
  const controls = make("div", { class: "row end" },
    field("Measure", choice(found.measures.map((m) => [m, measureTitle(m, bench.titles)]), found.measure, (v) => bench.store.set({ "experiments.measure": v }))),
    field("Compared with", choice(schemes.map((s) => [s, s]), found.base, (v) => bench.store.set({ "experiments.base": v }))));
  const save = make("button", { type: "button", class: "main", id: "save-experiment", onclick: async () => {
    const answer = await bench.tried(() => bench.server.call("analyse/report", askedAnalysis(now)));
    if (answer) download("experiment.html", await answer.blob());
  } }, "Save the report");
  return card(measureTitle(found.measure, bench.titles), `${found.direction} is better`, controls, valuesTable(found, schemes),
    make("p", { class: "quiet" }, `+ and \u2212: better and worse than ${found.base} on that dataset by a test at ${Math.round(100 * (1 - found.confidence_level))} %, each dataset by itself. Bold: best of the row.`),
    make("p", {}, save), make("details", {}, make("summary", {}, "Show the command"), ...copied("Command line", found.shell), ...copied("Python", found.python)));
}

/** @param {any} found @param {string[]} schemes */
function valuesTable(found, schemes) {
  const datasets = [...new Set(found.cells.map((c) => c.dataset))];
  const sign = found.direction === "lower" ? -1 : 1;
  const head = make("tr", {}, make("th", { scope: "col" }, "dataset"), ...schemes.map((s) => make("th", { scope: "col" }, make("bdi", {}, s))));
  const rows = datasets.map((dataset) => {
    const cells = schemes.map((s) => found.cells.find((c) => c.dataset === dataset && c.scheme === s));
    const best = Math.max(...cells.map((c) => (typeof c?.value === "number" ? sign * c.value : -Infinity)));
    return make("tr", {}, make("th", { scope: "row" }, make("bdi", {}, dataset)), ...cells.map((c) => make("td", {}, cellOf(c, sign * (c?.value ?? NaN) === best))));
  });
  const about = (title, text) => make("tr", {}, make("th", { scope: "row" }, title), ...schemes.map((s) => make("td", { class: "quiet" }, text(s))));
  const overview = (s) => found.overviews.find((o) => o.scheme === s);
  const counted = (s, verdict) => found.cells.filter((c) => c.scheme === s && c.verdict === verdict).length;
  const feet = datasets.length > 1 ? [about("mean", (s) => valueText(overview(s)?.mean)), about("average rank", (s) => overview(s)?.average_rank?.toFixed(2) ?? "")] : [];
  feet.push(about("better, worse", (s) => (s === found.base ? "base" : `${counted(s, "better")}, ${counted(s, "worse")}`)));
  return make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `${found.measure} of schemes on datasets` },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows, ...feet)));
}

/** @param {any} value */
const valueText = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : "undefined");

/** @param {any} c @param {boolean} isBest */
function cellOf(c, isBest) {
  if (!c) return make("span", { class: "small" }, "not run");
  const words = { better: "better", worse: "worse" }[c.verdict];
  const mark = words ? [" ", make("span", { "aria-hidden": "true" }, MARKS[c.verdict]), make("span", { class: "unseen" }, words)] : [];
  const { value, interval } = estimateTexts({ value: c.value, interval: c });
  return make("span", {}, make(isBest ? "b" : "span", {}, value), ...mark, make("span", { class: "interval" }, interval));
}

/** @param {any} found */
function rankCards(found) {
  const over = found.over_datasets;
  if (!over) return [];
  if (!over.schemes) {
    const texts = estimateTexts({ value: over.difference, interval: over.confidence_interval });
    return [card("Over all datasets", over.title, make("p", {}, `${over.names.join(" less ")}: ${texts.value} (${texts.interval}), p ${chanceWords(over.pvalue)}.`), ...(over.why_no_interval ? [make("p", { class: "quiet" }, `No interval: ${over.why_no_interval}.`)] : []))];
  }
  const said = over.groups.length ? "Schemes under one bar do not differ clearly" : "All differences are larger than the critical one";
  const chance = typeof over.whole.pvalue === "number" ? ` ${over.whole.title}: p ${over.whole.pvalue < 0.001 ? "below 0.001" : over.whole.pvalue.toFixed(3)}.` : "";
  return [card("Over all datasets", "average rank; 1 is best", rankPicture(over),
    make("p", { class: "quiet" }, `${said} at ${Math.round(100 * (1 - over.confidence_level))} % (${over.correction}).${chance}`))];
}

/** The ranks on a line, names below, and a bar over those that are not told apart. @param {any} over */
function rankPicture(over) {
  const { width, left, right, top, step } = RANKS;
  const k = over.schemes.length;
  const x = (rank) => left + ((rank - 1) / Math.max(1, k - 1)) * (right - left);
  const ink = { stroke: "currentColor", fill: "none" };
  const text = (at, y, anchor, said) => {
    const made = draw("text", { x: at, y, "text-anchor": anchor, "font-size": 12, fill: "currentColor" });
    made.append(said);
    return made;
  };
  const parts = [draw("line", { x1: left, x2: right, y1: top, y2: top, ...ink })];
  for (let rank = 1; rank <= k; rank++) parts.push(draw("line", { x1: x(rank), x2: x(rank), y1: top - 5, y2: top, ...ink }), text(x(rank), top - 9, "middle", String(rank)));
  if (over.critical_difference && over.critical_difference < k - 1) {
    parts.push(draw("line", { x1: left, x2: x(1 + over.critical_difference), y1: 17, y2: 17, ...ink }), text(left, 12, "start", `critical difference ${over.critical_difference.toFixed(2)}`));
  }
  over.groups.forEach((group, i) => {
    const ranks = group.map((name) => over.average_ranks[over.schemes.indexOf(name)]);
    parts.push(draw("line", { x1: x(Math.min(...ranks)) - 4, x2: x(Math.max(...ranks)) + 4, y1: top + 9 + 6 * i, y2: top + 9 + 6 * i, stroke: "var(--caution)", "stroke-width": 4 }));
  });
  const below = top + 20 + 6 * over.groups.length;
  const half = Math.ceil(k / 2);
  over.schemes.forEach((name, i) => {
    const onLeft = i < half;
    const y = below + step * (onLeft ? i : k - 1 - i) + 8;
    const end = onLeft ? left : right;
    parts.push(draw("path", { d: `M${x(over.average_ranks[i])} ${top}V${y}H${end}`, ...ink, "stroke-opacity": 0.55 }),
      text(end, y - 4, onLeft ? "start" : "end", `${name} ${over.average_ranks[i].toFixed(2)}`));
  });
  const height = below + step * half + 14;
  const alternative = over.schemes.map((name, i) => `${name} ${over.average_ranks[i].toFixed(2)}`).join(", ");
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "ranks", role: "img", "aria-label": `Average ranks: ${alternative}` }, ...parts);
}
