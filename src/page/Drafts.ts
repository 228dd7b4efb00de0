/** What was written and not sent, kept by the browser over a reload. */

const prefix = "vibe:"

/** What the browser could not keep is here until the page is closed: it can forbid that, and is full at some time. */
const unkept = new Map<string, string>()

export const readDraft = (name: string): string => {
  try {
    return unkept.get(name) ?? localStorage.getItem(prefix + name) ?? ""
  } catch {
    return ""
  }
}

/** Whether it could be kept: a browser keeps some five million characters. */
export const writeDraft = (name: string, text: string): boolean => {
  try {
    if (text === "") localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, text)
    unkept.delete(name)
    return true
  } catch {
    unkept.set(name, text)
    return false
  }
}
