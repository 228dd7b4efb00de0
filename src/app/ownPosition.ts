/** The holder of the position `@` in this process: the user, in the project around the current folder. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type * as Position from "../forest/Position.ts"

export const ownPosition = (): Position.Holder => ({ person: userName(), folder: projectOf(currentFolder()) })

/** The current folder; empty if it was removed. */
const currentFolder = (): string => {
  try {
    return process.cwd()
  } catch {
    return ""
  }
}

/** Returns the nearest folder with a repository or an index, below the home; the folder itself if there is none. */
const projectOf = (start: string): string => {
  const home = os.homedir()
  if (start === "") return start
  for (let folder = start; folder !== home; folder = path.dirname(folder)) {
    if ([".git", ".vibe"].some((mark) => fs.existsSync(path.join(folder, mark)))) return folder
    if (folder === path.dirname(folder)) break
  }
  return start
}

/** Some systems, such as containers, have no name for a user. */
const userName = (): string => {
  try {
    return os.userInfo().username
  } catch {
    return String(process.getuid?.() ?? "")
  }
}
