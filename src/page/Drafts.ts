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
