// Gate: may one model replace another, may it not, or is that not known yet.

import { addScreen } from "../screens.js";
import { card, choice, estimateTexts, field, forest, knowCard, measureTitle, numberInput } from "../parts.js";
import { copied } from "../drawer.js";
import { countText, make, shownText, withMinus } from "../words.js";
import { measuresFor } from "./compare.js";

const MOST_NAMED = 12; // cases that are listed
const BY = { pass: "may replace", fail: "may not replace", undecided: "is not yet shown to be as good as" };
const REACHES = { pass: "reaches", fail: "does not reach", undecided: "is not yet shown to reach" };

addScreen({
  id: "gate",
  title: "Release gate",
  group: "judge",
  order: 65,
  icon: "M2 14V4l6-2 6 2v10M8 2v12M5 8h1m4 0h1",
  state: { baseline: "", measure: "", margin: null, against: null, sequential: "" },
  applies: (study) => (study.alone ? "A gate needs the server of this page." : ""),
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Release gate");
    const lead = make("p", { class: "lead" });
    const controls = make("div", { class: "row end" });
    const result = make("div", { class: "stacked" });
    place.append(heading, lead, controls, result);
    return { update(now, change) {
      if (!["model", "gate.baseline", "gate.measure", "gate.margin", "gate.against", "gate.sequential"].some((k) => k in change)) return;
      controls.replaceChildren(...controlsAt(bench, now));
      if (bench.study.models.length < 2 && now["gate.against"] === null) {
        [heading.textContent, lead.textContent] = ["What must it reach?", "There is one model: say the value below which it must not fall, or add the file of another model under its name at the left."];
        result.replaceChildren();
        return;
      }
      bench.fill(result, bench.ask("gate", askedGate(bench, now)), (found) => {
        heading.textContent = shownText(verdictWords(bench, found, now));
        lead.textContent = shownText(withMinus(found.sentence));
        return panelsOf(bench, found, now);
      });
    } };
  },
});

/** The model that is to be replaced. @param {any} bench @param {any} now */
const baselineOf = (bench, now) => {
  const others = bench.study.models.filter((m) => m !== now.model);
  return others.includes(now["gate.baseline"]) ? now["gate.baseline"] : others[0];
};

/** @param {any} bench @param {any} now */
function askedGate(bench, now) {
  const against = now["gate.against"];
  const rival = against === null ? [baselineOf(bench, now)] : [];
  return {
    models: bench.study.models.length > 1 ? [now.model, ...rival] : null, measure: now["gate.measure"], margin: now["gate.margin"], against,
    sequential: now["gate.sequential"] === "yes" && against === null ? true : null, confidence_level: now.level,
  };
}

/** @param {any} bench @param {any} now */
function controlsAt(bench, now) {
  const { study, store } = bench;
  const others = study.models.filter((m) => m !== now.model);
  const measures = [["", "the usual measure"], ...measuresFor(study).map((m) => [m, measureTitle(m, bench.titles)])];
  const ways = [["", "at one look"], ["yes", "after every case"]];
  return [
    ...(others.length ? [field(`May ${now.model} replace`, choice(others.map((m) => [m, m]), baselineOf(bench, now), (value) => store.set({ "gate.baseline": value })))] : []),
    field("By", choice(measures, now["gate.measure"], (value) => store.set({ "gate.measure": value }))),
    field("It may be worse by", numberInput(store, "gate.margin", "such as 0.02", (x) => x >= 0)),
    field(others.length ? "Or must reach" : "It must reach", numberInput(store, "gate.against", "a value")),
    field("Decided", choice(ways, now["gate.sequential"], (value) => store.set({ "gate.sequential": value }))),
  ];
}

/** @param {any} bench @param {any} found @param {any} now */
function verdictWords(bench, found, now) {
  const against = now["gate.against"];
  const who = bench.study.models.length > 1 ? now.model : "The model";
  return against === null ? `${who} ${BY[found.verdict]} ${baselineOf(bench, now)}.` : `${who} ${REACHES[found.verdict]} ${against}.`;
}

/** @param {any} bench @param {any} found @param {any} now */
function panelsOf(bench, found, now) {
  const { models } = bench.study;
  const sign = found.direction === "lower" ? 1 : -1;
  const allowed = [0, sign * found.margin].sort((a, b) => a - b);
  const row = { name: now.model, e: { value: found.difference, interval: found.limits }, mark: Math.max(models.indexOf(now.model), 0) };
  const rival = now["gate.against"] === null ? baselineOf(bench, now) : String(now["gate.against"]);
  const picture = forest({ title: `${bench.scoreTitle() || measureTitle(found.measure, bench.titles)} minus that of ${rival}`, rows: [row], difference: true, zone: found.margin ? allowed : null, better: found.direction });
  const values = make("dl", { class: "stats" }, ...found.names.map((name, i) => plainStat(name, estimateTexts({ value: found.values[i] }).value)),
    plainStat("margin", String(found.margin)), plainStat("cases", countText(found.n)), ...(found.needed ? [plainStat("cases that would settle it", countText(found.needed))] : []));
  const text = make("div");
  const write = make("button", { onclick: () => bench.fill(text, bench.busy(bench.server.call("gate", { id: bench.study.id, ...sent(askedGate(bench, now)), ...bench.view(), markdown: true })),
    ({ markdown }) => copied("Markdown", [markdown])) }, "Write it for a pull request");
  return [card("The difference", found.margin ? "shaded: allowed" : "no loss is allowed: a margin says how much would not matter", picture, values),
    ...(found.flips ? [flipsCard(found.flips)] : []), card("To pass on", "", make("p", {}, write), text), ...knowCard(bench, found.findings)];
}

/** @param {string} name @param {string} text */
const plainStat = (name, text) => make("div", {}, make("dt", {}, make("bdi", {}, name)), make("dd", {}, make("span", { class: "value" }, text)));

/** @param {any} given */
const sent = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ""));

/** Which cases changed sides. @param {any} flips */
function flipsCard(flips) {
  const list = (title, n, cases) => make("div", {}, make("h3", {}, `${title}: ${countText(n)}`),
    make("p", { class: "quiet" }, cases.length ? `${cases.slice(0, MOST_NAMED).join(", ")}${cases.length > MOST_NAMED ? " ..." : ""}` : "none"));
  return card("Cases that changed", `${countText(flips.same)} did not`, make("div", { class: "columns" }, list("Gained", flips.n_gained, flips.gained), list("Lost", flips.n_lost, flips.lost)));
}
