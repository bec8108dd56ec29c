// Curves: every curve at the same threshold.

import { Explorer } from "../explorer.js";
import { addScreen } from "../screens.js";
import { needsScores, wireSaving } from "./threshold.js";

addScreen({
  id: "curves",
  title: "Curves",
  group: "judge",
  order: 40,
  icon: "M2 2v12h12M2 14C4 6 8 3 14 3",
  applies: needsScores,
  render(place, bench) {
    const shown = { update() {} };
    const markup = [...place.childNodes];
    bench.fill(place, bench.world(), (world) => {
      place.replaceChildren(...markup);
      const explorer = new Explorer(world);
      for (const each of place.querySelectorAll(".save")) wireSaving(each, () => explorer.charts[each.dataset.chart]);
      shown.update = (now, change) => explorer.update(now, change);
      shown.stale = () => { explorer.stale = true; };
      shown.redraw = () => { explorer.stale = true; Object.values(explorer.charts).forEach((c) => c.draw()); };
      shown.update(world.store.now, world.store.now);
    });
    return shown;
  },
});
