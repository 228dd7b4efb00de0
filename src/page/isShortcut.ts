/** Whether a key is a shortcut of the page: it is pressed outside of texts and dialogs, without Ctrl, Alt or Meta. */
export const isShortcut = ({ altKey, ctrlKey, defaultPrevented, metaKey, target }: KeyboardEvent): boolean =>
  !(defaultPrevented || altKey || ctrlKey || metaKey) &&
  document.querySelector("dialog[open]") === null &&
  !(
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox])"))
  )
