/** The addresses of the pages of the wiki within the view of the index. */
import { format } from "../Route.ts"

/** No path of a project begins like this, so the rest is the name of a page. */
const PREFIX = "wiki~"

/** Returns the name of the page that is meant by a place of the index; undefined if it is a folder or a file. */
export const pageAt = (path: string): string | undefined =>
  path.startsWith(PREFIX) ? path.slice(PREFIX.length) : undefined

export const linkToPage = (name: string): string => format({ view: "index", at: `${PREFIX}${name}` })
