// Pictures: Vega draws axes and curves when these change; what moves with the slider is drawn over them.

import { byId, shownText } from "./words.js";

/** @typedef {{view: any, spec: any}} Drawn */
/** @typedef {{kind: "cross"|"dot"|"line"|"band"|"text", x: number, y?: number, x2?: number, y2?: number, colour?: string,
 *  dashed?: boolean, text?: string}} Shape In the units of the chart's axes. */

const SVG = "http://www.w3.org/2000/svg";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const PLAIN = { clip: true, aria: false, invalid: null }; // nothing to be worked out for each point
let THEMES = {};
let ground = ""; // of the page, read once a drawing

/** Say once which colours there are. @param {any} themes */
export const useThemes = (themes) => { THEMES = themes; };
export const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
export const themeNow = () => THEMES[isDark() ? "dark" : "light"];

/** Tell when colours change: by the system, or by the button for it. @param {() => void} listener */
export function onThemeChange(listener) {
  dark.addEventListener("change", listener);
  byId("theme").onclick = () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    listener();
  };
}

/** Return the colour of a series. @param {number} i */
export const colourOf = (i) => themeNow().range.category[i % themeNow().range.category.length];

/** A picture in a place of the page, drawn again when the theme or the room changes. */
export class Chart {
  /** @param {HTMLElement} place @param {() => any} specOf what Vega-Lite is to draw */
  constructor(place, specOf) {
    this.place = place;
    this.specOf = specOf;
    this.data = {};
    this.shapes = [];
    this.view = null;
    this.timer = 0;
    this.asked = false;
    this.drawing = Promise.resolve();
    this.inside = document.createElement("div");
    this.inside.ariaHidden = "true"; // the place has a text alternative
    this.over = document.createElementNS(SVG, "svg");
    this.over.setAttribute("class", "over");
    this.over.setAttribute("aria-hidden", "true");
    place.replaceChildren(this.inside, this.over);
  }

  /** Draw again: one drawing at a time, and one for all that ask before it has begun. */
  draw() {
    if (this.asked) return this.drawing;
    this.asked = true;
    this.drawing = this.drawing.then(() => { this.asked = false; return this.drawNow(); });
    return this.drawing;
  }

  async drawNow() {
    const width = this.place.clientWidth;
    if (!width) return; // hidden: drawn when it is shown
    this.width = width;
    const columns = Math.max(1, Math.floor(width / LEGEND_ROOM));
    const drawn = this.specOf();
    const names = drawn.layer.at(-1).encoding.color?.scale.domain ?? [];
    this.place.style.setProperty("--legend", `${LEGEND_ROW * Math.max(0, Math.ceil(names.length / columns) - 1)}px`); // or the curves would have less room
    const height = this.place.clientHeight;
    ground = getComputedStyle(document.body).backgroundColor;
    const fit = { autosize: { type: "fit", contains: "padding" }, width, height };
    const theme = themeNow();
    const legend = { ...theme.legend, columns };
    const spec = { ...drawn, ...fit, config: { ...theme, legend }, datasets: { ...this.data } };
    const options = { actions: false, renderer: "canvas", ast: true, defaultStyle: false, tooltip: false };
    const { view } = await vegaEmbed(this.inside, spec, options);
    this.view?.finalize();
    this.view = view;
    this.mark(this.shapes);
  }

  /** Show other data, after the numbers of the page: Vega takes longer than a frame.
   *  @param {Record<string, object[]>} data */
  show(data) {
    Object.assign(this.data, data);
    if (!this.view || this.width !== this.place.clientWidth) return this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.drawing = this.drawing.then(() => this.showNow()); });
    return this.drawing;
  }

  async showNow() {
    for (const [name, rows] of Object.entries(this.data)) this.view.data(name, structuredClone(rows));
    await this.view.runAsync();
    this.mark(this.shapes);
  }

  /** Draw what moves. @param {Shape[]} shapes */
  mark(shapes) {
    this.shapes = shapes;
    if (this.view) this.over.replaceChildren(this.group(shapes));
  }

  /** @param {Shape[]} shapes */
  group(shapes) {
    const [left, top] = this.corner();
    const [x, y] = [this.view.scale("x"), this.view.scale("y")];
    const group = element("g", { transform: `translate(${left},${top})` });
    const room = { width: this.view.width(), height: this.view.height(), x, y };
    for (const shape of shapes) group.append(...drawShape(shape, room).filter(Boolean));
    return group;
  }

  /** Return where the axes meet the picture's upper left. */
  corner() {
    const [[left, top], padding] = [this.view.origin(), this.view.padding()];
    return [left + padding.left, top + padding.top];
  }

  /** Return the x of a pointer. @param {PointerEvent} event */
  across(event) {
    if (!this.view) return NaN;
    const box = this.over.getBoundingClientRect();
    const at = this.view.scale("x").invert(event.clientX - box.left - this.corner()[0]);
    const [low, high] = this.view.scale("x").domain();
    return Math.min(Math.max(at, low), high);
  }

  /** Return the whole picture, what moves included, as SVG. */
  async svg() {
    const text = await this.view.toSVG();
    const picture = new DOMParser().parseFromString(text, "image/svg+xml");
    picture.documentElement.prepend(element("rect", { width: "100%", height: "100%", fill: ground }));
    picture.documentElement.append(this.group(this.shapes));
    return new XMLSerializer().serializeToString(picture);
  }
}

/** @param {string} tag @param {Record<string, any>} attributes */
function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** Draw one shape in pixels. @param {Shape} shape @param {any} room */
function drawShape(shape, room) {
  const x = room.x(shape.x);
  const y = shape.y === undefined ? 0 : room.y(shape.y);
  if (!Number.isFinite(x) || !Number.isFinite(y)) return [];
  const stroke = shape.colour ?? themeNow().style.ink.color;
  const dashes = shape.dashed ? "5 4" : "none";
  const line = (x1, y1, x2, y2, width = 1.5) =>
    element("line", { x1, y1, x2, y2, stroke, "stroke-width": width, "stroke-dasharray": dashes });
  if (shape.kind === "cross") {
    const ring = element("circle", { cx: x, cy: y, r: 4, fill: "none", stroke, "stroke-width": 1.5 });
    return [line(x - 9, y, x + 9, y, 2.5), line(x, y - 9, x, y + 9, 2.5), ring];
  }
  if (shape.kind === "dot") return [element("circle", { cx: x, cy: y, r: 4.5, fill: stroke })];
  if (shape.kind === "band") {
    const width = Math.max(room.x(shape.x2) - x, 1);
    return [element("rect", { x, y: 0, width, height: room.height, fill: stroke, opacity: 0.13 })];
  }
  if (shape.kind === "text") return [writing(shape, x, y, room, stroke)];
  if (shape.y === undefined) return [line(x, 0, x, room.height)];
  const ends = clipped(x, y, room.x(shape.x2), room.y(shape.y2), room);
  return ends ? [line(...ends)] : [];
}

/** Write beside a place, on the side where there is room, with the ground around the letters. */
function writing(shape, x, y, room, fill) {
  const atEnd = x > 0.6 * room.width;
  const made = element("text", {
    x: x + (atEnd ? -7 : 7), y: Math.max(y - 7, 11), "text-anchor": atEnd ? "end" : "start",
    "font-size": 11.5, "font-family": "system-ui, 'DejaVu Sans', sans-serif",
    fill, stroke: ground, "stroke-width": 4, "paint-order": "stroke",
  });
  made.textContent = shownText(shape.text);
  return made;
}

/** Return the part of a line that lies within the picture, by Liang and Barsky. */
function clipped(x1, y1, x2, y2, room) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [from, to] = [0, 1];
  for (const [p, q] of [[-dx, x1], [dx, room.width - x1], [-dy, y1], [dy, room.height - y1]]) {
    if (p === 0 && q < 0) return null;
    if (p < 0) from = Math.max(from, q / p);
    if (p > 0) to = Math.min(to, q / p);
  }
  return from < to ? [x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy] : null;
}

const PLAIN_ZERO = { labelExpr: "datum.value == 0 ? '0' : datum.label" }; // not 0k beside 1k

/** An axis of numbers. @param {string} title @param {{domain?: number[], format?: string, zero?: boolean}} more */
export const axis = (title, { domain, format, zero = false } = {}) => ({
  type: "quantitative",
  scale: { zero, nice: !domain, ...(domain ? { domain } : {}) },
  axis: { title, titleLimit: 230, tickCount: 6, ...(format ? { format } : {}), ...(format === "~s" ? PLAIN_ZERO : {}) },
});

const LEGEND = { title: null, orient: "bottom", labelLimit: 150 };
const [LEGEND_ROOM, LEGEND_ROW] = [130, 14]; // of a name in it
export const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [1, 3], [12, 4]]; // of models, beside colours
const BESIDE = { type: "line", strokeDash: [5, 4], strokeWidth: 1.5, style: "beside", ...PLAIN };
const HULL = { type: "line", strokeWidth: 1, opacity: 0.75, style: "ink", ...PLAIN };

/** Curves of models over reference lines. @param {any} x @param {any} y @param {string[]} names @param {boolean} hull */
export function curvesSpec(x, y, names, hull = false) {
  const path = (more) => ({ x: { field: "x", ...x }, y: { field: "y", ...y }, order: null, ...more });
  const legend = names.length > 1 ? LEGEND : null;
  const color = { field: "series", type: "nominal", scale: { domain: names }, legend };
  const strokeDash = { field: "series", type: "nominal", scale: { domain: names, range: DASHES }, legend };
  const curve = { type: "line", strokeWidth: 2, strokeJoin: "round", ...PLAIN };
  return () => ({
    layer: [
      { data: { name: "beside" }, mark: BESIDE, encoding: path({ detail: { field: "line", type: "nominal" } }) },
      ...(hull ? [{ data: { name: "hull" }, mark: HULL, encoding: path({}) }] : []),
      { data: { name: "curves" }, mark: curve, encoding: path({ color, strokeDash }) },
    ],
  });
}

const CLASS_COLOURS = ["#9aa5b1", "#4a5663"]; // greys that show on light and dark

/** Bars of two classes. @param {any} x @param {any} y @param {string[]} names */
export const barsSpec = (x, y, names) => () => ({
  layer: [{
    data: { name: "bars" },
    mark: { type: "bar", opacity: 0.55, ...PLAIN },
    encoding: {
      x: { field: "x", ...x }, x2: { field: "right" }, y: { field: "y", ...y, stack: null }, y2: { datum: 0 },
      color: { field: "series", type: "nominal", scale: { domain: names, range: CLASS_COLOURS }, legend: LEGEND }, // colours are models elsewhere
    },
  }],
});

/** Groups with intervals, a curve, and the line on which they should lie. @param {any} x @param {any} y */
export const groupsSpec = (x, y) => () => {
  const place = (field) => ({ x: { field: "x", ...x }, y: { field, ...y } });
  const color = colourOf(0);
  const line = { type: "line", strokeWidth: 1.5, opacity: 0.6, color, ...PLAIN };
  const rule = { type: "rule", strokeWidth: 1.5, style: "ink", ...PLAIN };
  const point = { type: "point", filled: true, size: 45, opacity: 1, color, ...PLAIN, clip: false }; // those at 1 are whole
  return {
    layer: [
      { data: { name: "beside" }, mark: BESIDE, encoding: place("y") },
      { data: { name: "curves" }, mark: line, encoding: { ...place("y"), order: null } },
      { data: { name: "groups" }, mark: rule, encoding: { ...place("low"), y2: { field: "high" } } },
      { data: { name: "groups" }, mark: point, encoding: place("y") },
    ],
  };
};
