// The screens of the workbench: each is one module in the folder `screens`, which declares itself here.

/** @typedef {{update?: (now: any, change: any) => void, redraw?: () => void}} Shown What a screen that was rendered can do.
 *  `update` is called when it is shown and whenever something that is chosen changes while it is shown. */

/** @typedef {object} Screen
 *  @property {string} id in the address; `screens/ID.html`, if there is one, is its markup
 *  @property {string} title in the rail
 *  @property {"judge"|"tell"|"make"|""} group of the rail; "" for screens that are not listed
 *  @property {number} order of the rail
 *  @property {string} icon path of a picture of 16 by 16
 *  @property {(study: any, now: any) => string} applies why it cannot be shown of a study; "" where it can
 *  @property {{title: string, text: string, action: string}} [door] how it is offered on the first screen
 *  @property {boolean} [alone] whether it needs no study
 *  @property {boolean} [rare] whether the rail lists it only where it can be shown
 *  @property {Record<string, string|number|null>} [state] what is chosen on it alone, with first values; in the
 *   address, and in what is chosen, each is called ID.NAME
 *  @property {(place: HTMLElement, bench: any) => Shown|void} render fills its place, once for each study */

/** @type {Screen[]} */
export const screens = [];

/** Declare a screen. @param {Screen} screen */
export function addScreen(screen) {
  screens.push(screen);
  screens.sort((a, b) => a.order - b.order);
}

/** @param {string} id */
export const screenOf = (id) => screens.find((s) => s.id === id);

/** Return the first values of what is chosen on screens. */
export const firstOfScreens = () => Object.fromEntries(
  screens.flatMap((s) => Object.entries(s.state ?? {}).map(([name, value]) => [`${s.id}.${name}`, value])));
