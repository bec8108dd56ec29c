// A study as a file: what the columns are, what is chosen, and a fingerprint of the data; the data only where asked for.

import { download } from "./exports.js";
import { toHash } from "./state.js";

const KIND = "credibly_study";
const VERSION = 1;

/** Write the study down. @param {any} bench @param {boolean} withData */
export async function saveStudy(bench, withData) {
  const { study, store } = bench;
  const data = withData ? await textOf(await bench.server.call(`predictions/${study.id}/file`)) : null;
  const { name, options, fingerprint } = study;
  const made = { [KIND]: VERSION, name, options, fingerprint, state: toHash(store.now, store.first), data };
  const file = `${name.replace(/\.[^.]*$/, "") || "study"}.study.json`;
  download(file, `${JSON.stringify(made, null, 1)}\n`, "application/json");
  return file;
}

/** Return the study that a file holds, or nothing where it holds something else. @param {File} file */
export async function studyIn(file) {
  if (!/\.json$/i.test(file.name)) return null;
  let found = null;
  try {
    found = JSON.parse(await file.text());
  } catch {
    found = /\.study\.json$/i.test(file.name) ? { [KIND]: null } : null;
  }
  const version = found?.[KIND];
  if (version === undefined) return null;
  if (typeof version === "number" && version > VERSION) throw new Error(`${file.name} was saved by a newer version of Credibly. Update this one to open it.`);
  if (version !== VERSION || !isWhole(found)) throw new Error(`${file.name} is a study file, but not as it was saved. Save the study again.`);
  return found;
}

/** Say whether a study is what `saveStudy` writes. @param {any} kept */
function isWhole(kept) {
  const isObject = kept.options && typeof kept.options === "object" && !Array.isArray(kept.options);
  return isObject && typeof kept.name === "string" && typeof kept.state === "string" && (kept.data === null || isPacked(kept.data));
}

/** @param {any} text */
function isPacked(text) {
  try {
    return typeof text === "string" && Boolean(atob(text));
  } catch {
    return false;
  }
}

/** Return the data that came along, as a file. @param {any} kept */
export function dataOf(kept) {
  const bytes = Uint8Array.from(atob(kept.data), (c) => c.charCodeAt(0));
  return new File([bytes], kept.name);
}

/** Part what was said of a file: how to read it, and what its columns are. @param {any} options */
export function readingOf({ ignore, positive, percent, complete, classes, threshold, weight_kind, tolerance, format, better, kind, ...roles }) {
  return { ignore, positive, percent, complete, classes, threshold, weight_kind, tolerance, format, better, kind, roles };
}

/** Go on with a study on data that were opened: the same roles, the same choices. @param {any} bench @param {any} kept @param {any} set */
export async function resume(bench, kept, set) {
  const { roles, ...known } = readingOf(kept.options ?? {});
  const body = Object.fromEntries(Object.entries({ ...known, roles }).filter(([, v]) => v !== undefined && v !== null));
  const again = await bench.tried(() => bench.server.call("roles", { id: set.id, ...body }));
  if (!again) { // its columns are to be told again
    bench.open(set, { screen: "import" });
    return;
  }
  bench.open(again, { hash: kept.state });
  if (again.fingerprint !== kept.fingerprint) {
    bench.complain(`These are not the data that the study of ${kept.name} was made with: the predictions differ. Its roles and choices were used all the same.`);
  }
}

/** @param {Response} answer */
async function textOf(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}
