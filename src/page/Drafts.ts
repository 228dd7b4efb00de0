/** Keeps text that was written and not sent in the browser, so that it survives a reload. */

const prefix = "vibe:"

/**
 * Texts that the browser could not store; they are kept until the page is closed. A browser can forbid storage, and its
 * storage can be full.
 */
const unkept = new Map<string, string>()

export const readDraft = (name: string): string => {
  try {
    return unkept.get(name) ?? localStorage.getItem(prefix + name) ?? ""
  } catch {
    return ""
  }
}

/** Returns true if the browser could store the text: a browser stores some five million characters. */
export const writeDraft = (name: string, text: string): boolean => {
  try {
    if (text === "") localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, text)
    unkept.delete(name)
    if (unkept.size === 0) removeEventListener("beforeunload", ask)
    return true
  } catch {
    if (text === "") unkept.delete(name)
    else unkept.set(name, text)
    if (unkept.size > 0) addEventListener("beforeunload", ask)
    return false
  }
}

/** Has the browser ask before it closes the page. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()
