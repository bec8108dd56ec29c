// The drawer: what a screen shows, as a command and as Python.

import { byId, make } from "./words.js";

export class Drawer {
  /** @param {any} bench */
  constructor(bench) {
    this.bench = bench;
    byId("drawer-close").onclick = () => byId("drawer").close();
    byId("drawer").onclick = (event) => { if (event.target === byId("drawer")) byId("drawer").close(); };
  }

  async open() {
    const { bench } = this;
    const place = byId("drawer-text");
    byId("drawer").showModal();
    const asked = [...(bench.asked.get(bench.store.now.screen)?.values() ?? [])];
    await bench.fill(place, this.spelled(asked), (said) => this.texts(said));
  }

  /** @param {{call: string, given: any}[]} asked */
  async spelled(asked) {
    const { bench } = this;
    if (!bench.server) return { shell: [bench.known.page_data.command], python: [] };
    return bench.server.call("spelled", { id: bench.study.id, calls: asked.map((a) => a.call), given: asked.map((a) => JSON.stringify(a.given)) });
  }

  /** @param {{shell: string[], python: string[]}} said */
  texts({ shell, python }) {
    if (!shell.length && !python.length) return [make("p", {}, "No command shows what this screen does.")];
    const about = make("p", { class: "quiet" }, "What this screen shows, for a script or a colleague. The numbers agree to the last digit.");
    return [about, ...copied("Command line", shell), ...copied("Python", python)];
  }
}

/** @param {string} title @param {string[]} lines */
export function copied(title, lines) {
  if (!lines.length) return [];
  const text = lines.join("\n");
  const button = make("button", { class: "plain quiet", onclick: () => copy(text, button) }, "Copy");
  return [make("div", { class: "head" }, make("h3", {}, title), button), make("pre", { tabindex: 0 }, text)];
}

/** @param {string} text @param {HTMLElement} button */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select and copy";
  }
}
