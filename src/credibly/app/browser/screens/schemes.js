// Try schemes: data, schemes as cards, splits, how long it takes, a run that can be stopped, and what came of it.

import { copied } from "../drawer.js";
import { addScreen } from "../screens.js";
import { card, choice, field, findingList, meterRow, withCode } from "../parts.js";
import { countText, make, readNumber } from "../words.js";

const SPLITS = [
  ["10", "10 folds", "Each case is tested once. Good for a first look."],
  ["10x10", "10 times 10 folds", "Ten cuts at random. Best for comparing schemes on small data."],
  ["holdout", "One holdout", "A third is kept for testing. Quick, for large data."],
  ["bootstrap", "Bootstrap", "Out of bag, .632 and .632+. For very few cases."],
  ["time_ordered", "In order of time", "Trained on older cases, tested on newer ones. Needs a column of time."],
];
const NO_ROLES = { target: "", positive: "", group: "", time: "", ignore: "" };
const FIRST_CHOSEN = "zero-r|naive-bayes|tree";
const SPARE = 700; // milliseconds without a change before a plan is timed
const LOOKS = 700; // milliseconds between looks at a run

addScreen({
  id: "schemes",
  title: "Try schemes",
  group: "make",
  order: 110,
  icon: "M6 2v4L2.5 13h11L10 6V2M5 2h6",
  alone: true,
  door: { title: "I have data and want to try schemes", text: "A table with a column to predict. Schemes are trained and judged on cases they have not seen, all on the same splits.", action: "Choose data" },
  state: { data: "", target: "", positive: "", group: "", time: "", ignore: "", chosen: FIRST_CHOSEN, splits: "10", run: "", fp: "", fn: "" },
  applies: () => "",
  render(place, bench) {
    const trial = new Trial(bench);
    place.append(make("h1", { tabindex: -1 }, "Try schemes"),
      make("p", { class: "lead" }, "Every scheme gets the same splits; no case is judged by a model that has seen it."),
      make("div", { class: "columns lead-left" }, make("div", { class: "stacked" }, trial.places.data, trial.places.schemes, trial.places.splits),
        make("div", { class: "stacked" }, trial.places.plan, trial.places.runs)));
    return { update: (now, change) => trial.update(now, change) };
  },
});

/** What is to be tried, and the run that tries it. */
class Trial {
  /** @param {any} bench */
  constructor(bench) {
    this.bench = bench;
    this.places = Object.fromEntries(["data", "schemes", "splits", "plan", "runs"].map((name) => [name, make("div")]));
    this.data = null;
    this.offered = null;
    this.timing = null;
  }

  /** @param {any} now @param {any} change */
  async update(now, change) {
    if (!Object.keys(change).some((key) => key.startsWith("schemes.") || key === "screen")) return;
    this.now = now;
    this.offered ??= await this.bench.tried(() => this.bench.server.call("schemes"));
    if (!this.offered) return;
    const wanted = now["schemes.data"];
    if (wanted && this.data?.id !== wanted) this.data = await this.bench.tried(() => this.bench.server.call(`data/${wanted}`));
    if (!wanted) this.data = null;
    this.places.data.replaceChildren(dataCard(this));
    this.places.schemes.replaceChildren(schemesCard(this));
    this.places.splits.replaceChildren(splitsCard(this));
    if (now["schemes.run"]) this.follow(now["schemes.run"]);
    else this.plan();
    this.listRuns();
  }

  /** @param {object} change */
  set(change) {
    const told = Object.fromEntries(Object.entries(change).map(([name, value]) => [`schemes.${name}`, value]));
    this.bench.store.set({ ...told, ...("run" in change ? {} : { "schemes.run": "" }) });
  }

  /** @param {string} name */
  get(name) {
    return this.now[`schemes.${name}`];
  }

  get chosen() {
    const others = this.offered.schemes.filter((s) => !s.tasks.includes(this.task)).map((s) => s.name);
    return this.get("chosen").split("|").filter((name) => name && !others.includes(name));
  }

  /** What is predicted: classes or numbers. */
  get task() {
    const target = this.data?.columns.find((c) => c.name === (this.get("target") || this.data.target));
    return target?.kind === "numbers" ? "numeric" : "classification";
  }

  /** The columns that nothing is learnt from. */
  get ignored() {
    return this.get("ignore").split("|").filter(Boolean);
  }

  /** What is asked for, as the server takes it. */
  get asked() {
    const told = ["positive", "group", "time"].filter((name) => this.get(name)).map((name) => [name, this.get(name)]);
    const ignore = this.ignored.length ? { ignore: this.ignored } : {};
    return { data: [this.data.id], schemes: this.chosen, resampling: this.get("splits"), rng: 1, target: this.get("target") || this.data.target, ...ignore, ...Object.fromEntries(told) };
  }

  /** Time one fit of each scheme, once nothing has changed for a while; an earlier timing is given up. */
  plan() {
    clearTimeout(this.clock);
    this.timing?.abort();
    if (!this.data || !this.chosen.length) {
      this.places.plan.replaceChildren(card("What this will take", "", make("p", { class: "quiet" }, this.data ? "Choose a scheme." : "Choose data first.")));
      return;
    }
    const place = make("div");
    const start = make("button", { type: "button", class: "main", id: "run", onclick: () => this.start() }, "Run");
    this.places.plan.replaceChildren(card("What this will take", "", place, make("p", {}, start)));
    this.clock = setTimeout(() => {
      this.timing = new AbortController();
      const { signal } = this.timing;
      this.bench.fill(place, this.bench.server.call("forecast", this.asked, { signal }), forecastNodes);
    }, SPARE);
  }

  async start() {
    this.timing?.abort();
    const run = await this.bench.tried(() => this.bench.server.call("run", this.asked));
    if (run) this.set({ run: run.id });
  }

  /** Show how far a run is until it ends. @param {string} id */
  async follow(id) {
    clearTimeout(this.clock);
    const run = await this.bench.server.call(`runs/${id}`).catch(() => null);
    if (this.get("run") !== id) return;
    if (!run) {
      this.set({ run: "" });
      return;
    }
    this.places.plan.replaceChildren(runCard(this, run));
    if (run.state === "running" && this.places.plan.isConnected) this.clock = setTimeout(() => this.follow(id), LOOKS);
    else this.listRuns();
  }

  /** @param {string} what @param {string} id */
  async act(what, id) {
    if (await this.bench.tried(() => this.bench.server.call(`runs/${what}`, { id }))) this.follow(id);
  }

  /** Open the predictions of a run, with the costs that were told. @param {string} id */
  async open(id) {
    const study = await this.bench.tried(() => this.bench.server.call("runs/open", { id }));
    if (!study) return;
    const costs = Object.fromEntries(["fp", "fn"].map((cell) => [cell, readNumber(this.get(cell))]).filter(([, cost]) => cost !== null && Number.isFinite(cost)));
    this.bench.open(study, { screen: study.problem ? "import" : "overview" });
    if (Object.keys(costs).length) this.bench.store.set({ ...costs, told: "yes" });
  }

  async listRuns() {
    const found = await this.bench.busy(this.bench.server.call("runs")).catch(() => ({ runs: [] }));
    const others = found.runs.filter((run) => run.id !== this.get("run"));
    this.places.runs.replaceChildren(...(others.length ? [card("Earlier runs", "", ...others.map((run) => runRow(this, run)))] : []));
  }
}

/** @param {Trial} trial */
function dataCard(trial) {
  const { data, bench } = trial;
  const take = async ([file]) => {
    const sent = await bench.files.sendData(file);
    if (sent) trial.set({ data: sent.id, ...NO_ROLES });
  };
  const bundled = async (name) => {
    const found = name && await bench.tried(() => bench.server.call("data/bundled", { name }));
    if (found) trial.set({ data: found.id, ...NO_ROLES, positive: found.positive });
  };
  const names = [["", "choose ..."], ...trial.offered.datasets.map((name) => [name, name])];
  const source = make("div", { class: "row end" }, bench.files.button("Open data", !data, take),
    field("Or data that come with Credibly", choice(names, data?.bundled ? data.name : "", bundled)));
  if (!data) return card("1. Data", "", source);
  return card("1. Data", `${data.name}: ${countText(data.rows)} rows, ${countText(data.columns.length)} columns`, source, columnFields(trial), learntFrom(trial), firstRows(data));
}

/** @param {Trial} trial */
function columnFields(trial) {
  const { data } = trial;
  const target = data.columns.find((c) => c.name === (trial.get("target") || data.target));
  const others = [["", "no such column"], ...data.columns.filter((c) => c !== target).map((c) => [c.name, c.name])];
  const fields = [field("To predict", choice(data.columns.map((c) => [c.name, targetText(c)]), target.name, (v) => trial.set({ target: v, positive: "" })))];
  if (target.kind === "classes" && target.values.length === 2) {
    const classes = [["", "choose ..."], ...target.values.map(([name]) => [name, name])];
    fields.push(field("Look for", choice(classes, trial.get("positive"), (v) => trial.set({ positive: v }))));
    for (const [cell, text] of [["fp", "A false alarm costs"], ["fn", "A miss costs"]]) {
      fields.push(field(text, make("input", { inputmode: "decimal", value: trial.get(cell), placeholder: "unknown", onchange: (event) => trial.set({ [cell]: event.target.value.trim() }) })));
    }
  }
  if (data.bundled) return make("div", { class: "fields" }, ...fields.slice(1));
  fields.push(field("Cases that belong together", choice(others, trial.get("group"), (v) => trial.set({ group: v }))));
  fields.push(field("Time", choice(others, trial.get("time"), (v) => trial.set({ time: v, ...(v ? { splits: "time_ordered" } : {}) }))));
  return make("div", { class: "fields" }, ...fields);
}

/** @param {any} column */
function targetText(column) {
  const few = column.kind === "classes" ? column.values.slice(0, 3).map(([name, n]) => `${name} ${n}`).join(", ") : "numbers";
  return `${column.name}: ${few}${column.values.length > 3 ? " ..." : ""}`;
}

/** From which columns is learnt: identifiers are to be left out. @param {Trial} trial */
function learntFrom(trial) {
  const { data, ignored } = trial;
  const taken = [trial.get("target") || data.target, trial.get("group"), trial.get("time")];
  const inputs = data.columns.map((c) => c.name).filter((name) => !taken.includes(name));
  if (data.bundled || inputs.length < 2) return "";
  const flip = (name) => trial.set({ ignore: (ignored.includes(name) ? ignored.filter((n) => n !== name) : [...ignored, name]).join("|") });
  const tick = (name) => make("label", { class: "tick" }, make("input", { type: "checkbox", value: name, checked: !ignored.includes(name), onchange: () => flip(name) }), make("bdi", {}, name));
  const about = ignored.length ? `without ${ignored.join(", ")}` : "all others; leave out what names the case, such as a number of the customer";
  return make("details", { open: Boolean(ignored.length) }, make("summary", {}, `Columns to learn from: ${about}`), make("div", { class: "row" }, ...inputs.map(tick)));
}

/** @param {any} data */
function firstRows(data) {
  const shown = data.columns.slice(0, 12);
  const rows = shown[0]?.first.map((_, i) => make("tr", {}, ...shown.map((c) => make("td", {}, c.first[i])))) ?? [];
  const head = make("tr", {}, ...shown.map((c) => make("th", { scope: "col" }, make("bdi", {}, c.name), make("span", { class: "interval" }, c.missing ? `${countText(c.missing)} empty` : c.kind))));
  const rest = data.columns.length - shown.length;
  return make("details", {}, make("summary", {}, "Look at the first rows"),
    make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "First rows" }, make("table", { class: "preview" }, make("thead", {}, head), make("tbody", {}, ...rows))),
    ...(rest > 0 ? [make("p", { class: "quiet" }, `and ${rest} columns more`)] : []));
}

/** @param {Trial} trial */
function schemesCard(trial) {
  const { chosen } = trial;
  const able = trial.offered.schemes.filter((s) => s.tasks.includes(trial.task));
  const known = able.map((s) => s.name);
  const written = chosen.filter((name) => !known.includes(name));
  const set = (names) => trial.set({ chosen: names.join("|") });
  const flip = (name) => set(chosen.includes(name) ? chosen.filter((n) => n !== name) : [...chosen, name]);
  const box = (name, title, text) => make("label", { class: `option${chosen.includes(name) ? " chosen" : ""}` },
    make("input", { type: "checkbox", value: name, checked: chosen.includes(name), onchange: () => flip(name) }),
    make("span", {}, make("b", {}, title), " ", make("code", {}, name), make("span", { class: "quiet" }, ...withCode(text))));
  const more = make("input", { maxlength: 190, placeholder: "knn(k=5)", "aria-label": "Another scheme, with parameters" });
  const add = make("form", { class: "row", onsubmit: (event) => { event.preventDefault(); if (more.value.trim()) set([...chosen, more.value.trim()]); } },
    more, make("button", { type: "submit" }, "Add a scheme"), make("span", { class: "quiet" }, "with parameters, such as knn(k=5) or tree(max_depth=3)"));
  return card("2. Schemes", `${chosen.length} chosen of ${able.length}`,
    make("div", { class: "options" }, ...able.map((s) => box(s.name, s.title, s.summary)), ...written.map((name) => box(name, name.split("(")[0], "as it was written"))), add);
}

/** @param {Trial} trial */
function splitsCard(trial) {
  const now = trial.get("splits");
  const options = SPLITS.map(([value, title, text]) => make("label", { class: `option${value === now ? " chosen" : ""}` },
    make("input", { type: "radio", name: "splits", value, checked: value === now, onchange: () => trial.set({ splits: value }) }),
    make("span", {}, make("b", {}, title), make("span", { class: "quiet" }, text))));
  return card("3. Splits", "", make("div", { class: "options", role: "radiogroup", "aria-label": "Splits" }, ...options));
}

/** Write seconds as people say them. @param {number} seconds */
export function secondsText(seconds) {
  if (seconds < 1) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
  if (seconds < 120) return `${Number(seconds.toPrecision(2))} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Number((seconds / 3600).toPrecision(2))} hours`;
}

/** @param {any} found a forecast */
function forecastNodes(found) {
  const total = found.outlooks.reduce((sum, o) => sum + o.left * o.seconds, 0) || 1;
  const rows = found.outlooks.map((o) => meterRow(make("bdi", {}, o.scheme), (o.left * o.seconds) / total, o.error ? "fails" : secondsText((o.left * o.seconds) / found.n_jobs)));
  const failing = found.outlooks.filter((o) => o.error).map((o) => make("p", { class: "notice trouble" }, `${o.scheme} fails: ${o.error}`));
  return [make("p", { class: "big" }, make("span", { class: "value" }, `about ${secondsText(found.seconds)}`)),
    make("p", { class: "quiet" }, `${countText(found.fits)} fits, ${found.resampling}`), ...rows, ...failing,
    make("p", { class: "quiet" }, "From one fit of each scheme, timed here. Starting takes a few seconds more. Seed 1: the same again, to the last digit."),
    ...(found.findings.length ? [make("h3", {}, "Before you run"), findingList(found.findings)] : []),
    make("details", {}, make("summary", {}, "Show the command"), ...copied("Command line", found.shell), ...copied("Python", found.python))];
}

/** @param {Trial} trial @param {any} run */
function runCard(trial, run) {
  const over = run.done + run.failed;
  const words = { running: "Running", done: "Done", stopped: "Stopped" }[run.state];
  const left = run.left_seconds === null ? "" : `, about ${secondsText(run.left_seconds)} left`;
  const button = (text, act, main = false, id = "") => make("button", { type: "button", class: main ? "main" : "", id: id || false, onclick: act }, text);
  const compare = () => trial.bench.store.set({ screen: "experiments", "experiments.of": run.id, "experiments.measure": "", "experiments.base": "" });
  const finished = run.datasets.length > 1 ? [button("Compare the schemes", compare, true, "results")] : [button("Open the results", () => trial.open(run.id), true, "results")];
  const actions = {
    running: [button("Stop", () => trial.act("stop", run.id))],
    done: [...finished, button("Change the plan", () => trial.set({ run: "" }))],
    stopped: [button("Continue", () => trial.act("resume", run.id), true), ...(over ? [button("Open what is done", () => trial.open(run.id))] : []), button("Change the plan", () => trial.set({ run: "" }))],
  }[run.state];
  const rows = run.rows.map((r) => meterRow(make("bdi", {}, run.datasets.length > 1 ? `${r.scheme}, ${r.dataset}` : r.scheme), (r.done + r.failed) / (r.done + r.failed + r.missing), `${r.done} of ${r.done + r.failed + r.missing}${r.failed ? `, ${r.failed} failed` : ""}`));
  const said = run.total ? `${countText(over)} of ${countText(run.total)} fits${run.failed ? `, ${run.failed} failed` : ", none failed"}${left}` : run.state === "stopped" ? "Nothing was fitted yet." : "Starting: the data are read and the splits are drawn.";
  const made = card(words, run.name, make("p", { role: "status" }, said), ...rows, ...(run.trouble ? [make("p", { class: "notice trouble" }, run.trouble)] : []), make("p", { class: "row" }, ...actions),
    make("p", { class: "quiet" }, run.state === "running" ? "Stopping keeps what is done; the run goes on from there." : ""));
  made.dataset.state = run.state;
  return made;
}

/** @param {Trial} trial @param {any} run */
function runRow(trial, run) {
  const remove = async () => { if (await trial.bench.tried(async () => { await trial.bench.server.call(`runs/${run.id}`, null, { method: "DELETE" }); return true; })) trial.listRuns(); };
  return make("div", { class: "study-row" },
    make("span", {}, make("button", { class: "link", onclick: () => trial.set({ run: run.id }) }, make("bdi", {}, run.name)), " ",
      make("span", { class: "quiet" }, `${run.schemes.join(", ")}; ${run.done} of ${run.total} fits`)),
    make("button", { class: "plain small", "aria-label": `Remove the run on ${run.name}`, onclick: remove }, "Remove"));
}
