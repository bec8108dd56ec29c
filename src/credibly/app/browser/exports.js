// What can be taken away: the selected rows, pictures, and the scenario that the command line runs again.

import { unpack } from "./state.js";

/** Offer a file. @param {string} name @param {Blob|string} content @param {string} type */
export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const FORMULA = /^(?:[=@\t\r]|[+-].)/s; // a plus or minus alone may name a class
const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Write a cell of CSV, in which no spreadsheet sees a formula: as csv_text.py. @param {any} value */
export function csvCell(value) {
  const plain = String(value);
  const text = FORMULA.test(plain) && !PLAIN_NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Return the rows of the top of the list, highest score first, as CSV that can be evaluated again.
 *  Of cases that share the last score the first in the file are taken.
 *  @param {any} pageData @param {import("./state.js").Model} model @param {any} q */
export function rowsText(pageData, model, q) {
  const rows = Array.isArray(model.list.row) ? model.list.row : unpack(model.list.row);
  const [positive, sizes] = [unpack(model.list.positive), unpack(model.list.sizes)];
  const weight = model.list.weight ? unpack(model.list.weight) : null;
  const lines = [["row", "truth", "label", model.kind, ...(weight ? ["weight"] : [])].join(",")];
  let first = 0;
  for (let place = 0; place < q.cut; place++) {
    const size = place === q.cut - 1 ? Math.round(q.taken * sizes[place]) : sizes[place];
    for (let i = first; i < first + size; i++) {
      const truth = positive[i] ? pageData.positive : pageData.negative;
      const cells = [rows[i], truth, pageData.positive, model.table.score[place], ...(weight ? [weight[i]] : [])];
      lines.push(cells.map(csvCell).join(","));
    }
    first += sizes[place];
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** Return the scenario: what `credibly cost-benefit FILE --scenario scenario.json` reads.
 *  @param {any} pageData @param {import("./state.js").Chosen} now @param {boolean} several */
export function scenarioText(pageData, now, several) {
  const scenario = {
    credibly_scenario: 1,
    title: pageData.title,
    positive: pageData.positive,
    ...(several ? { model: now.model } : {}),
    costs: { tp: now.tp, fp: now.fp, fn: now.fn, tn: now.tn },
    unit: now.unit,
    at: `${now.by}=${now.at}`,
    population: now.population,
    prevalence: now.prevalence,
    confidence_level: now.level,
  };
  return `${JSON.stringify(scenario, null, 2)}\n`;
}

/** Turn a picture into a PNG of twice the pixels. @param {string} svg */
export async function pngOf(svg) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  } finally {
    URL.revokeObjectURL(address);
  }
}
