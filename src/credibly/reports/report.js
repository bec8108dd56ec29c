// Draws the figures of a report, lets models be hidden, and shows one threshold on all curves.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("figures").textContent);
  const here = document.getElementById("here");
  const tip = document.getElementById("tip");
  const boxes = [...document.querySelectorAll("#models input")];
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const listed = boxes.map((b) => b.value);
  const NEAR = 30; // pixels between the pointer and what it points at
  const WIDEST = 320, BESIDE = 72; // pixels of a small picture's frame, and of what stands beside it
  const shown = "indexof(hidden, datum.series) < 0";
  let views = [];

  /** Turn columns, of which a constant one is a single value, into rows. */
  function rows({ n, columns }) {
    const names = Object.keys(columns);
    return Array.from({ length: n }, (_, i) =>
      Object.fromEntries([["i", i], ...names.map((k) => [k, Array.isArray(columns[k]) ? columns[k][i] : columns[k]])]));
  }

  const isLine = (layer) => ["line", "area"].includes(layer.mark.type);
  const text = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value));

  /** Make a figure that can hide a model, with a layer of points that mark the threshold pointed at. */
  function prepared(spec, room) {
    const copy = structuredClone(spec);
    copy.params = [{ name: "hidden", value: [] }];
    for (const layer of copy.layer) {
      const values = rows(layer.data);
      layer.data = { values };
      if (values.some((v) => v.series !== undefined)) layer.transform = [{ filter: shown }];
      // A line is one mark, whose tooltip would always tell its first point.
      if (isLine(layer)) delete layer.encoding.tooltip;
    }
    const curve = copy.layer.find((l) => l.data.values.some((v) => typeof v.threshold === "number"));
    if (curve) {
      const { x, y, color } = curve.encoding;
      copy.layer.push({
        data: { name: "here", values: [] },
        transform: [{ filter: shown }],
        mark: { type: "point", size: 130, strokeWidth: 2 },
        encoding: { x, y, color: color ?? { value: "gray" } },
      });
    }
    fit(copy, room);
    shareKey(copy);
    return { spec: copy, linked: Boolean(curve) };
  }

  /** Let a figure take the room of its column; a square one stays a square. */
  function fit(copy, room) {
    if (!room || typeof copy.width !== "number") return;
    const square = copy.width === copy.height;
    copy.width = Math.max(150, Math.min(Math.max(copy.width, WIDEST), room - BESIDE));
    if (square) copy.height = copy.width;
  }

  /** Leave out a key that says no more than the one of all pictures. */
  function shareKey(copy) {
    for (const { color } of copy.layer.map((l) => l.encoding)) {
      const names = color?.scale?.domain ?? [];
      if (color?.legend && !color.legend.labelExpr && names.length && names.every((n) => listed.includes(n))) color.legend = null;
    }
  }

  /** Give each model in the key of all pictures the colour that it has in them. */
  function colourKey() {
    for (const box of boxes) {
      const found = views.find(({ spec }) => spec.layer.some((l) => l.encoding.color?.scale?.domain?.includes(box.value)));
      if (found) box.parentElement.querySelector("i").style.borderTopColor = found.view.scale("color")(box.value);
    }
  }

  /** Mark the section that is being read in the contents. */
  function markSection() {
    const links = [...document.querySelectorAll(".contents a")];
    const sections = links.map((a) => document.getElementById(a.hash.slice(1)));
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const line = Math.min(240, window.innerHeight / 3);
    const passed = sections.filter((s) => s.getBoundingClientRect().top <= line).length;
    const current = links[atEnd ? links.length - 1 : Math.max(0, passed - 1)];
    if (!current || current.ariaCurrent === "true") return;
    links.forEach((a) => a.removeAttribute("aria-current"));
    current.ariaCurrent = "true";
    const row = current.closest("nav");
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = current.offsetLeft - row.offsetLeft - 24;
  }

  const hidden = () => boxes.filter((b) => !b.checked).map((b) => b.value);
  const points = (spec) => spec.layer.filter(isLine).flatMap((l) => l.data.values)
    .filter((v) => typeof v.x === "number" && typeof v.y === "number");

  /** Return the point of each series whose threshold is nearest. */
  function atThreshold(spec, threshold) {
    const found = new Map();
    for (const row of points(spec)) {
      if (typeof row.threshold !== "number") continue;
      const gap = Math.abs(row.threshold - threshold);
      const best = found.get(row.series);
      if (!best || gap < best.gap) found.set(row.series, { gap, row });
    }
    return [...found.values()].map((f) => f.row);
  }

  /** Return the point of a line that lies nearest to the pointer. */
  function pointedAt({ view, spec, place }, event) {
    const svg = place.querySelector("svg");
    const box = svg.getBoundingClientRect();
    const size = box.width / Number(svg.getAttribute("width"));
    const [left, top] = view.origin();
    const at = [(event.clientX - box.left) / size - left, (event.clientY - box.top) / size - top];
    const gone = hidden();
    let best = null;
    for (const row of points(spec)) {
      if (gone.includes(row.series)) continue;
      const gap = Math.hypot(view.scale("x")(row.x) - at[0], view.scale("y")(row.y) - at[1]);
      if (gap <= NEAR && (!best || gap < best.gap)) best = { gap, row };
    }
    return best?.row ?? null;
  }

  function showThreshold(threshold) {
    for (const { view, spec, linked } of views) {
      if (!linked) continue;
      const marks = threshold === null ? [] : atThreshold(spec, threshold);
      view.data("here", structuredClone(marks)).run();
    }
    here.textContent = threshold === null ? "" : `Threshold ${text(threshold)}, marked on every curve`;
  }

  function showTip(row, spec, event) {
    tip.hidden = row === null;
    if (row === null) return;
    const titles = { x: spec.layer[0].encoding.x?.axis?.title ?? "x", y: spec.layer[0].encoding.y?.axis?.title ?? "y" };
    tip.textContent = ["series", "text", "x", "y", "threshold"].filter((k) => row[k] !== undefined && row[k] !== null)
      .map((k) => (k === "series" || k === "text" ? row[k] : `${titles[k] ?? k}: ${text(row[k])}`)).join("\n");
    tip.style.left = `${Math.max(0, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(0, Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 4))}px`;
  }

  function listen(drawn) {
    drawn.place.onmousemove = (event) => {
      const row = pointedAt(drawn, event);
      showTip(row, drawn.spec, event);
      showThreshold(drawn.linked && typeof row?.threshold === "number" ? row.threshold : null);
    };
    drawn.place.onmouseleave = () => { tip.hidden = true; showThreshold(null); };
  }

  function hide() {
    const gone = hidden();
    views.forEach(({ view }) => view.signal("hidden", gone).run());
    document.querySelectorAll("figure[data-model]").forEach((f) => { f.hidden = gone.includes(f.dataset.model); });
  }

  /** Draw a figure at the end of a place, in the colours of a screen or of paper. */
  async function drawn(place, spec, theme, use) {
    const inside = document.createElement("div");
    inside.className = use;
    inside.ariaHidden = "true"; // the place has a text alternative, which says more than its marks
    place.append(inside);
    const config = data.configs[theme];
    const { view } = await vegaEmbed(inside, { ...spec, config }, { actions: false, renderer: "svg", ast: true });
    return view;
  }

  async function draw() {
    views.forEach(({ view }) => view.finalize());
    const theme = dark.matches ? "dark" : "light";
    views = [];
    for (const place of document.querySelectorAll("[data-figure]")) {
      const { spec, linked } = prepared(data.specs[Number(place.dataset.figure)], place.clientWidth);
      place.replaceChildren();
      views.push({ view: await drawn(place, spec, theme, "screen"), spec, linked, place });
      listen(views.at(-1));
      place.classList.toggle("twice", dark.matches);
      if (dark.matches) // paper is white
        views.push({ view: await drawn(place, spec, "light", "paper"), spec, linked: false, place });
    }
    hide();
    colourKey();
    markSection();
    document.body.dataset.drawn = "yes";
  }

  boxes.forEach((b) => b.addEventListener("change", hide));
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
  window.addEventListener("scroll", markSection, { passive: true });
  document.getElementById("print")?.addEventListener("click", () => window.print());
  dark.addEventListener("change", draw);
  draw();
})();
