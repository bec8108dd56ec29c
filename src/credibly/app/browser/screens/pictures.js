// Pictures: any picture that the library makes of these predictions.

import { addScreen } from "../screens.js";
import { isDark } from "../charts.js";
import { choice, field } from "../parts.js";
import { download } from "../exports.js";
import { make, shownText } from "../words.js";

addScreen({
  id: "pictures",
  title: "Pictures",
  group: "judge",
  order: 45,
  icon: "M2 3h12v10H2ZM2 11l4-4 3 3 2-2 3 3M10 6h1",
  state: { kind: "" },
  applies: (study) => (study.alone ? "Pictures need the server of this page." : ""),
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Pictures");
    const controls = make("div", { class: "row end" });
    const result = make("div");
    place.append(heading, controls, result);
    const show = (now) => bench.fill(result, bench.ask("plot", { kind: now["pictures.kind"], model: now.model, theme: isDark() ? "dark" : "light" }), (found) => {
      heading.textContent = shownText(found.model ? `${found.title} of ${found.model}` : found.title);
      return [pictureCard(found)];
    });
    bench.fill(controls, bench.busy(bench.server.call("plots")), ({ plots }) => {
      const kinds = [["", "the usual one"], ...plots.map((p) => [p.name, p.title])];
      return [field("Picture", choice(kinds, bench.store.now["pictures.kind"], (kind) => bench.store.set({ "pictures.kind": kind })))];
    });
    return { update: (now, change) => { if ("pictures.kind" in change || "model" in change) show(now); }, redraw: () => show(bench.store.now) };
  },
});

/** A picture of the library. @param {{svg: string, alt: string}} found */
export const pictureOf = ({ svg, alt }) => make("img", { alt: shownText(alt), class: "picture", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` });

/** A picture of the library, to look at and to save. @param {{svg: string, alt: string}} found
 *  @param {boolean} said whether what it shows is said below it too */
export function pictureCard({ svg, alt }, said = true) {
  const save = make("button", { onclick: () => download("picture.svg", svg, "image/svg+xml") }, "Save (SVG)");
  return make("section", { class: "card" }, pictureOf({ svg, alt }), ...(said ? [make("p", { class: "quiet" }, alt)] : []), make("p", {}, save));
}
