// The focus stays with a control when the part of the page that holds it is made again.

const TELLING = ["name", "value", "type", "href", "aria-label", "data-column", "data-option", "data-class", "data-model"];

/** Say which control this is among those that can take its place. @param {Element} control */
const markOf = (control) => control.id || [control.tagName, ...TELLING.map((name) => control.getAttribute(name)),
  control.closest("label")?.textContent ?? "", control.tagName === "SELECT" ? "" : control.textContent].join("|");

/** Give the focus back to whatever took the place of the control that had it. */
export function keepFocus() {
  let held = null;
  const hold = (control) => { held = control && { control, mark: markOf(control), tag: control.tagName }; };
  document.addEventListener("focusin", (event) => hold(event.target));
  document.addEventListener("pointerdown", () => hold(null));
  new MutationObserver(() => {
    if (!held || held.control.isConnected || document.activeElement !== document.body) return;
    const same = [...document.getElementsByTagName(held.tag)].find((each) => markOf(each) === held.mark && each.checkVisibility());
    same?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}
