// Tasks: models over many tasks, gains and losses together, ranks, and no worse anywhere.

import { addScreen } from "../screens.js";
import { card, chanceWords, choice, estimateCell, estimateTexts, field, forest, knowCard, numberInput, table } from "../parts.js";
import { countText, make, shownText } from "../words.js";

const WEIGHTS = [["task", "each task alike"], ["case", "each case alike"]];

const TASKS = ["task", "benchmark", "dataset", "category", "subset"]; // names of columns that need no asking

addScreen({
  id: "tasks",
  title: "Over many tasks",
  group: "judge",
  order: 67,
  icon: "M2 3h4v4H2ZM10 3h4v4h-4ZM2 10h4v4H2ZM10 10h4v4h-4Z",
  rare: true,
  state: { by: "", against: "", weights: "task", margin: null },
  applies: (study) => {
    if (study.alone || study.models.length < 2) return "Tasks are compared between two models or more.";
    return study.case_columns.length ? "" : "No column says which task a case belongs to.";
  },
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Over many tasks");
    const controls = make("div", { class: "row end" });
    const result = make("div", { class: "stacked" });
    place.append(heading, controls, result);
    return { update(now, change) {
      if (!["model", "tasks.by", "tasks.against", "tasks.weights", "tasks.margin"].some((k) => k in change)) return;
      controls.replaceChildren(...taskControls(bench, now));
      if (!taskColumn(bench.study, now)) return void result.replaceChildren(make("p", { class: "quiet" }, "Which column says to which task, dataset or site a case belongs? The models are then compared on each and over all."));
      bench.fill(result, bench.ask("benchmarks", askedTasks(bench, now)), (found) => {
        heading.textContent = shownText(standingSentence(found, now.level));
        return taskPanels(bench, found, now);
      });
    } };
  },
});

/** The column of the tasks. @param {any} study @param {any} now */
const taskColumn = (study, now) => now["tasks.by"] || study.case_columns.find((c) => TASKS.includes(c.toLowerCase())) || "";

/** The model that the others are compared with: as in the library, the last. @param {any} study @param {any} now */
const rivalOf = (study, now) => (study.models.includes(now["tasks.against"]) ? now["tasks.against"] : study.models.at(-1));

/** @param {any} bench @param {any} now */
const askedTasks = (bench, now) => ({
  by: taskColumn(bench.study, now), against: rivalOf(bench.study, now), weights: now["tasks.weights"], margin: now["tasks.margin"], confidence_level: now.level, rng: 1,
});

/** @param {any} bench @param {any} now */
function taskControls(bench, now) {
  const { study, store } = bench;
  const same = (names) => names.map((name) => [name, name]);
  return [
    field("Tasks are in the column", choice([...(taskColumn(study, now) ? [] : [["", "choose a column ..."]]), ...same(study.case_columns)], taskColumn(study, now), (value) => store.set({ "tasks.by": value }))),
    field("Compare all with", choice(same(study.models), rivalOf(study, now), (value) => store.set({ "tasks.against": value }))),
    field("What counts", choice(WEIGHTS, now["tasks.weights"], (value) => store.set({ "tasks.weights": value }))),
    field("No worse anywhere by more than", numberInput(store, "tasks.margin", "such as 0.05", (x) => x > 0)),
  ];
}

/** @param {any} found @param {number} level */
function standingSentence({ standings, overall, title }, level) {
  const [first, second] = standings;
  const pair = overall.find((d) => [d.model, d.against].includes(first.model) && [d.model, d.against].includes(second?.model));
  const sure = pair && pair.adjusted_pvalue < 1 - level;
  const rank = first.rank_low === first.rank_high ? "" : `, though its place may be ${first.rank_low} to ${first.rank_high}`;
  return `${first.model} is first by ${title.toLowerCase()}${sure ? `, and its lead over ${second.model} is more than chance` : rank}.`;
}

/** @param {any} bench @param {any} found @param {any} now */
function taskPanels(bench, found, now) {
  const { models } = bench.study;
  const mark = (name) => Math.max(models.indexOf(name), 0);
  const standing = forest({ title: found.title, rows: found.standings.map((s) => ({ name: s.model, e: s, mark: mark(s.model), best: s === found.standings[0] })), better: found.better });
  const ranks = table("Ranks", ["model", found.title, "place"], found.standings.map((s) => [make("bdi", {}, s.model), estimateCell(s), s.rank_low === s.rank_high ? String(s.rank_low) : `${s.rank_low} to ${s.rank_high}`]));
  const pairs = [...Map.groupBy(found.tasks, (d) => `${d.model} minus ${d.against}`)];
  const mine = pairs.filter(([, rows]) => rows[0].model === now.model || rows[0].against === now.model);
  const each = (mine.length ? mine : pairs).map(([title, rows]) => card(title, "on each task", forest({ title: found.title, rows: rows.map((d) => ({ name: d.task, e: { value: d.difference, interval: d.interval }, mark: mark(d.model) })), difference: true, better: found.better }),
    differences(rows, "task", (d) => d.task)));
  return [make("div", { class: "columns" }, card("All tasks together", `${WEIGHTS.find(([w]) => w === found.weights)[1]}`, standing, ranks),
    card("Is one really better?", "over all tasks; the intervals of a table hold together", differences(found.overall, "models", (d) => `${d.model} minus ${d.against}`), ...found.no_worse.map((each_) => make("p", {}, noWorse(each_))))),
  make("div", { class: "columns" }, ...each), ...knowCard(bench, found.findings)];
}

/** @param {any} told */
const noWorse = (told) => `${told.model} is ${told.verdict === "yes" ? "" : "not shown to be "}no worse than ${told.against} by more than ${told.margin} on any task${told.verdict === "yes" ? "" : `; it comes closest to being worse on ${told.task}`}.`;

/** @param {any[]} rows @param {string} head @param {(d: any) => string} name */
const differences = (rows, head, name) => table(`Differences by ${head}`, [head, "cases", "difference", "p, adjusted", "verdict"],
  rows.map((d) => [make("bdi", {}, name(d)), countText(d.cases), estimateCell({ ...d, value: d.difference }), chanceWords(d.adjusted_pvalue), d.verdict]), { right: [1] });
