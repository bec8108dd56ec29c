// Few labels: what labels of some cases and a judge of all of them say together.

import { addScreen } from "../screens.js";
import { card, choice, estimateCell, estimateTexts, field, knowCard, forest, table } from "../parts.js";
import { countText, make, shownText } from "../words.js";

addScreen({
  id: "few_labels",
  title: "Few labels",
  group: "judge",
  order: 15,
  icon: "M2 13V3l6 5 6-5v10M8 8v5",
  rare: true,
  state: { measure: "", stratum: "", judge: "", sampled: "" },
  applies: (study) => {
    if (study.alone || !study.unlabelled) return "Every case has its truth; this is for files in which people labelled only some.";
    return study.models.length > 1 ? "Few labels are judged for one model at a time." : "";
  },
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Few labels");
    const controls = make("div", { class: "row end" });
    const result = make("div", { class: "stacked" });
    place.append(heading, controls, result);
    return { update(now, change) {
      if (!Object.keys(change).some((k) => k.startsWith("few_labels.") || k === "screen")) return;
      const asked = { measure: now["few_labels.measure"], judge: now["few_labels.judge"], stratum: now["few_labels.stratum"], sampled_with: now["few_labels.sampled"], confidence_level: now.level };
      controls.replaceChildren(...labelControls(bench, now));
      bench.fill(result, bench.ask("few-labels", asked), (found) => {
        heading.textContent = shownText(worthSentence(found));
        return labelPanels(bench, found);
      });
    } };
  },
});

/** @param {any} bench @param {any} now */
function labelControls(bench, now) {
  const { study, store } = bench;
  const columns = [["", "none"], ...study.case_columns.map((c) => [c, c])];
  const of = (key) => choice(columns, now[`few_labels.${key}`], (value) => store.set({ [`few_labels.${key}`]: value }));
  const measure = make("input", { value: now["few_labels.measure"], placeholder: "the share itself", onchange: (event) => store.set({ "few_labels.measure": event.target.value.trim() }) });
  return [field("What is estimated, such as accuracy", measure), field("The judge's truth, for a measure", of("judge")), field("Cases were drawn within", of("stratum")), field("With the probability", of("sampled"))];
}

/** @param {any} found */
function worthSentence(found) {
  const [best] = found.estimates;
  const { value, interval } = estimateTexts(best);
  const worth = best.effective_labels ? ` ${countText(found.n_labelled)} labels and the judge are worth ${countText(Math.round(best.effective_labels))} labels alone.` : "";
  return `${found.what}: ${value} (${interval}).${worth}`;
}

/** @param {any} bench @param {any} found */
function labelPanels(bench, found) {
  const rows = found.estimates.map((e, i) => ({ name: e.title, e, mark: i, best: i === 0 }));
  const cells = found.estimates.map((e) => [e.title, estimateCell(e), e.weight === null ? "" : estimateTexts({ value: e.weight }).value, e.effective_labels === null ? "" : countText(Math.round(e.effective_labels))]);
  const more = found.labels_to_halve
    ? `About ${countText(found.labels_to_halve)} labels would halve the interval.`
    : `Labels of these cases alone cannot halve the interval. Judge and label more cases.`;
  return [card(found.what, `${countText(found.n_labelled)} of ${countText(found.n_cases)} cases labelled`, forest({ title: "", rows })), card("What labels are worth", "", table("Estimates", ["from", "estimate", "weight of the judge", "labels it is worth"], cells, { right: [2, 3] }), make("p", {}, more)),
    make("p", { class: "quiet" }, "This holds where the labelled cases were chosen at random, or as said above."), ...knowCard(bench, found.findings)];
}
