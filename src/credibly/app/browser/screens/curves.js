// Curves: every curve at the same threshold.

import { Explorer } from "../explorer.js";
import { addScreen } from "../screens.js";
import { needsScores, wireSaving, withWorld } from "./threshold.js";

addScreen({
  id: "curves",
  title: "Curves",
  group: "judge",
  order: 40,
  icon: "M2 2v12h12M2 14C4 6 8 3 14 3",
  applies: needsScores,
  render: withWorld((place, world) => {
    const explorer = new Explorer(world);
    for (const name of ["roc", "precision_recall", "cost"]) world.bench.spells("curve", { name }, name);
    for (const each of place.querySelectorAll(".save")) wireSaving(each, () => explorer.charts[each.dataset.chart]);
    return {
      update: (now, change) => explorer.update(now, change),
      redraw: () => { explorer.stale = true; Object.values(explorer.charts).forEach((c) => c.draw()); },
    };
  }),
});
