/** The keyboard in all views of the page. */

/**
 * Returns true if a key is a shortcut of the page: it is pressed outside of texts and dialogs, without Ctrl, Alt or
 * Meta.
 */
export const isShortcut = ({ altKey, ctrlKey, defaultPrevented, metaKey, target }: KeyboardEvent): boolean =>
  !(defaultPrevented || altKey || ctrlKey || metaKey) &&
  document.querySelector("dialog[open]") === null &&
  !isField(target)

/** Returns true if keys that are typed in the element belong to it. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])"))

/**
 * Moves the focus among the results of a search, `by` lines from the one that has it. Above the first of them it calls
 * `onLeave`, which goes back to the search; below the last it stays.
 */
export const stepFocus = (results: Iterable<HTMLElement>, by: number, onLeave: () => void): void => {
  const all = [...results]
  const to = all.findIndex((result) => result.matches(":focus")) + by
  if (to < 0) onLeave()
  else all[to]?.focus()
}

/** Returns true if an element is there and can have the focus, as far as that is known without a layout. */
const canFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element.matches("[tabindex]")

/**
 * Keeps the focus on the page. A browser gives the focus of an element that is removed, disabled or hidden to the whole
 * document, so the next Tab would begin at the top again. The nearest element around it that takes the
 * focus gets it, or else the view.
 */
export const keepFocus = (): void => {
  /** The element that had the focus last, with those around it, the nearest first. */
  let path: ReadonlyArray<Element> = []
  addEventListener("focusin", ({ target }) => {
    const found: Array<Element> = []
    for (let each = target instanceof Element ? target : null; each !== null; each = each.parentElement)
      found.push(each)
    path = found
  })
  const isLost = (records: ReadonlyArray<MutationRecord>): boolean => {
    const [last] = path
    const { activeElement } = document
    if (last === undefined || (activeElement !== document.body && activeElement !== last)) return false
    if (!last.isConnected || last.matches(":disabled")) return true
    // Only panes are hidden while they stay on the page. To ask for the style costs too
    // much while an answer is written.
    const isPane = ({ target, type }: MutationRecord) =>
      type === "attributes" && target instanceof HTMLElement && target.matches(PANES)
    return records.some(isPane) && !last.checkVisibility()
  }
  new MutationObserver((records) => {
    if (!isLost(records)) return
    // Nothing outside of an open dialog can have the focus.
    const dialog = document.querySelector("dialog[open]")
    const isReachable = (each: Element) => canFocus(each) && each.checkVisibility() && (dialog?.contains(each) ?? true)
    const whole =
      dialog === null
        ? (document.querySelector("main [data-focus]") ?? document.querySelector("main"))
        : dialog.querySelector("button, input")
    const next = path.slice(1).find(isReachable) ?? whole
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["class", "data-pane", "disabled"],
  })
}

const PANES = ".pane, .panes, [data-pane]"
