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
