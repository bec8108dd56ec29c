// Draws the figures of a report, lets models be hidden by the legend, and shows one threshold on all curves.
(() => {
  "use strict";
  /** @type {{specs: object[], configs: Record<string, object>}} */
  const data = JSON.parse(document.getElementById("figures").textContent);
  const places = [...document.querySelectorAll("[data-figure]")];
  const here = document.getElementById("here");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  /** @type {any[]} */
  let views = [];

  /** Give each figure a layer of one point, moved when a threshold is pointed at. */
  function marked(spec) {
    const copy = structuredClone(spec);
    const curve = copy.layer.find((l) => l.data.values.some((v) => v.threshold !== undefined));
    if (curve) {
      copy.layer.push({
        data: { name: "here", values: [] },
        mark: { type: "point", size: 130, strokeWidth: 2, clip: true },
        encoding: { x: { ...curve.encoding.x }, y: { ...curve.encoding.y }, color: curve.encoding.color ?? { value: "gray" } },
      });
    }
    return copy;
  }

  /** Return the point of each series whose threshold is nearest. */
  function nearest(spec, threshold) {
    const found = new Map();
    for (const layer of spec.layer) {
      for (const row of layer.data.values ?? []) {
        if (typeof row.threshold !== "number") continue;
        const gap = Math.abs(row.threshold - threshold);
        const best = found.get(row.series);
        if (!best || gap < best.gap) found.set(row.series, { gap, row });
      }
    }
    return [...found.values()].map((f) => f.row);
  }

  function show(threshold) {
    views.forEach(({ view, spec, linked }) => {
      if (!linked) return;
      const points = threshold === null ? [] : nearest(spec, threshold);
      view.change("here", vega.changeset().remove(() => true).insert(points)).run();
    });
    here.textContent = threshold === null ? "" : `Threshold ${threshold.toPrecision(4)}: the same on every curve`;
  }

  async function draw() {
    views.forEach((v) => v.finalize());
    const config = data.configs[dark.matches ? "dark" : "light"];
    views = [];
    for (const place of places) {
      const spec = data.specs[Number(place.dataset.figure)];
      const room = place.clientWidth;
      const made = marked(spec);
      if (room && made.width > room - 90) made.width = Math.max(160, room - 90);
      const result = await vegaEmbed(place, { ...made, config }, { actions: false, renderer: "svg", ast: true });
      const linked = made.layer.some((l) => l.data.name === "here");
      views.push({ view: result.view, spec, linked, finalize: () => result.finalize() });
      result.view.addEventListener("mousemove", (_, item) => {
        const threshold = item?.datum?.threshold;
        if (typeof threshold === "number") show(threshold);
      });
      result.view.addEventListener("mouseout", () => show(null));
    }
    document.body.dataset.drawn = "yes";
  }

  dark.addEventListener("change", draw);
  draw();
})();
