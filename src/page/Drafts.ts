/** What was written and not sent, kept by the browser over a reload. */

const prefix = "vibe:"

export const readDraft = (name: string): string => {
  try {
    return localStorage.getItem(prefix + name) ?? ""
  } catch {
    // A browser can forbid it.
    return ""
  }
}

/** Whether it could be kept: a browser keeps some five million characters. */
export const writeDraft = (name: string, text: string): boolean => {
  try {
    if (text === "") localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, text)
    return true
  } catch {
    return false
  }
}
