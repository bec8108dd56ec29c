// In detail: what else there is to see of a kind of prediction, as its declaration offers it.

import { addScreen } from "../screens.js";
import { isDark } from "../charts.js";
import { card, table } from "../parts.js";
import { make } from "../words.js";
import { pictureCard } from "./pictures.js";

const KINDS_ALONE = "There is nothing more of this kind of prediction than the other screens show.";

addScreen({
  id: "details",
  title: "In detail",
  group: "judge",
  order: 25,
  icon: "M2 3h12M2 7h6v6H2ZM11 7h3M11 10h3M11 13h3",
  rare: true,
  applies: (study) => (study.kind && study.details ? "" : KINDS_ALONE),
  render(place, bench) {
    const result = make("div", { class: "stacked" });
    place.append(make("h1", { tabindex: -1 }, "In detail"), result);
    const show = () => bench.fill(result, bench.ask("details", { theme: isDark() ? "dark" : "light", confidence_level: bench.store.now.level }), ({ details }) => details.map(detailCard));
    show();
    return { redraw: show };
  },
});

/** @param {any} found */
function detailCard({ title, says, tables, picture }) {
  const shown = tables.map((t) => table(t.title || title, t.header, t.body));
  return card(title, "", ...(says ? [make("p", {}, says)] : []),
    make("div", { class: "columns" }, make("div", {}, ...shown), ...(picture ? [pictureCard(picture, !shown.length)] : [])));
}
