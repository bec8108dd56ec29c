// Checks: every question about the evaluation itself, what was found, and what to do.

import { addScreen } from "../screens.js";
import { card, field, finding, numberInput } from "../parts.js";
import { countText, make } from "../words.js";
import { costsOf, linkOf } from "./overview.js";

const ORDER = { problem: 0, caution: 1, note: 2, passed: 3, "not applicable": 4 };
const TITLES = { problem: "Problems", caution: "Cautions", note: "Notes", passed: "Passed", "not applicable": "Do not apply, or nothing is known" };

addScreen({
  id: "checks",
  title: "Checks",
  group: "judge",
  order: 90,
  icon: "M8 1 3 3v4c0 4 2 6 5 8 3-2 5-4 5-8V3ZM6 8l2 2 3-4",
  state: { prevalence: null, difference: null, planned: "", tuned: "" },
  applies: (study) => (study.alone ? "Checks need the server of this page." : ""),
  render(place, bench) {
    const list = make("div", { class: "stacked" });
    const heading = make("h1", { tabindex: -1 }, "Checks");
    place.append(heading, make("p", { class: "lead" }, "Questions about how the evaluation was made, which no measure answers."), list, askedCard(bench));
    const keys = ["prevalence", "difference", "planned", "tuned"].map((k) => `checks.${k}`);
    return { update(now, change) {
      if (!keys.some((k) => k in change)) return;
      bench.fill(list, askChecks(bench, now), (found) => { heading.textContent = countsSentence(found.counts); return groups(bench, found); });
    } };
  },
});

/** @param {any} bench @param {any} now */
function askChecks(bench, now) {
  const twoClasses = bench.study.classes.length === 2;
  return bench.ask("check", {
    costs: twoClasses ? costsOf(now) : null, prevalence: now["checks.prevalence"], difference: now["checks.difference"],
    planned_measure: now["checks.planned"], tuned_on: now["checks.tuned"],
  });
}

/** @param {any} counts */
function countsSentence(counts) {
  const some = (n, one) => `${countText(n)} ${one}${n === 1 ? "" : "s"}`;
  const bad = [counts.problem && some(counts.problem, "problem"), counts.caution && some(counts.caution, "caution")].filter(Boolean);
  const found = bad.length ? bad.join(" and ") : "No problem and no caution";
  return `${found} among ${countText(Object.values(counts).reduce((a, b) => a + b, 0))} checks; ${countText(counts.passed)} passed.`;
}

/** @param {any} bench @param {any} found */
function groups(bench, found) {
  bench.badge("checks", found.counts.problem + found.counts.caution);
  const byStatus = Object.groupBy(found.checks, (c) => c.status);
  return Object.keys(ORDER).filter((status) => byStatus[status]).map((status) => {
    const mine = byStatus[status].map((c) => item(bench, c));
    const about = countText(mine.length);
    const list = make("ul", { class: "findings" }, ...mine);
    if (ORDER[status] < 3) return card(TITLES[status], about, list);
    return make("section", { class: "card" }, make("details", {}, make("summary", {}, make("b", {}, TITLES[status]), ` ${about}`), list));
  });
}

/** @param {any} bench @param {any} c */
function item(bench, c) {
  const severity = c.status === "not applicable" ? "aside" : c.status;
  const doubted = ORDER[c.status] < 3;
  return finding({ severity, message: `${c.title}: ${c.message}`, action: doubted ? c.action : "" }, doubted ? linkOf(bench, c) : null);
}

/** What only people know, which decides some checks. @param {any} bench */
function askedCard(bench) {
  const { store } = bench;
  const text = (key) => make("input", { value: store.now[key], onchange: (event) => store.set({ [key]: event.target.value.trim() }) });
  return card("Asked once you say", "what the predictions do not show", make("div", { class: "fields" },
    field("Share of positives where it will be used, such as 0.02", numberInput(store, "checks.prevalence", "", (x) => x > 0 && x < 1)),
    field("A claimed difference of error rates", numberInput(store, "checks.difference", "")),
    field("The measure that was planned, such as auc", text("checks.planned")),
    field("The part that choices were made on", text("checks.tuned"))));
}
