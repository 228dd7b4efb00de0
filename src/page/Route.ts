/** Reads and changes the place in the page: a view and its subject, as the fragment of the address. */
import { signal } from "@preact/signals"

export type Route =
  | { readonly view: "conversation"; readonly id: string | undefined; readonly leaf: string | undefined }
  | { readonly view: "forest"; readonly id: string | undefined }
  /** `at` is a path, `path:line`, or empty for the project. */
  | { readonly view: "index"; readonly at: string }
  /** An address that leads nowhere. */
  | { readonly view: "unknown"; readonly at: string }

/** Parses a fragment such as `#/c/ID/LEAF`, `#/forest/ID` or `#/index/PATH`. */
export const parse = (fragment: string): Route => {
  const [view = "", first, ...rest] = fragment
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode)
  if (view === "forest") return { view, id: first || undefined }
  if (view === "index") return { view, at: [first ?? "", ...rest].join("/") }
  if (view !== "c" && view !== "") return { view: "unknown", at: fragment }
  return { view: "conversation", id: first || undefined, leaf: rest[0] || undefined }
}

export const format = (route: Route): string => {
  const parts = (...given: ReadonlyArray<string | undefined>) =>
    `#/${given.flatMap((part) => (part === undefined ? [] : [encodeURIComponent(part)])).join("/")}`
  if (route.view === "unknown") return route.at
  if (route.view === "forest") return parts("forest", route.id)
  if (route.view === "index") return `#/index/${route.at.split("/").map(encodeURIComponent).join("/")}`
  return route.id === undefined ? parts("c") : parts("c", route.id, route.leaf)
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const route = signal<Route>(parse(location.hash))

/** The fragment that `route` was read from. */
let read = location.hash

addEventListener("hashchange", () => {
  read = location.hash
  route.value = parse(read)
})

/** Goes to a place like a link, with an entry in the history of the browser. */
export const go = (to: Route): void => {
  location.hash = format(to)
}

/**
 * Goes to a place without an entry in the history of the browser. Does nothing if the user has just followed a link
 * whose event has not arrived yet: the address of the link would be lost.
 */
export const replace = (to: Route): void => {
  if (location.hash !== read) return
  history.replaceState(null, "", format(to))
  read = location.hash
  route.value = to
}
