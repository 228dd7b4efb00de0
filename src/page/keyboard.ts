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
