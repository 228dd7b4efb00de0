/** Pictures in the input field: each is a chip in the text, `[picture 1: shot.png]`. */
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { sanitizeLine } from "../../../base/Sanitize.ts"
import type * as Block from "../../../message/Block.ts"

export class PictureChips {
  readonly #pictures = new Map<string, Block.Image>()

  /** Adds a picture and returns its chip. `name` is the name of its file; undefined for one from the clipboard. */
  add(picture: Block.Image, name: string | undefined): string {
    const number = this.#pictures.size + 1
    const shown = name === undefined ? "" : `: ${sanitizeLine(name).replaceAll(/[[\]]/g, "")}`
    const chip = `[picture ${number}${shown}]`
    this.#pictures.set(chip, picture)
    return chip
  }

  /** The pictures that have a chip in a text, in the order of the chips. */
  in(text: string): ReadonlyArray<Block.Image> {
    return Array.from(this.#pictures, ([chip, picture]) => ({ at: text.indexOf(chip), picture }))
      .filter(({ at }) => at !== -1)
      .sort((one, other) => one.at - other.at)
      .map(({ picture }) => picture)
  }

  /** The chip that a line ends in; undefined if it ends in other text. */
  endOf(line: string): string | undefined {
    return [...this.#pictures.keys()].find((chip) => line.endsWith(chip))
  }
}

/**
 * Returns the path if a paste is one path of a picture, as terminals paste a file that is dropped on them: quoted, with
 * backslashes before spaces (except on Windows), or as a URL. Returns undefined for any other text, and for a file of
 * another machine: Windows would send that machine the user's password, for text that may come from anywhere.
 */
export const pastedPath = (
  paste: string,
  folder: string = path.resolve("."),
  home: string = os.homedir(),
  platform: NodeJS.Platform = process.platform,
): string | undefined => {
  const windows = platform === "win32"
  const { isAbsolute, join, resolve } = windows ? path.win32 : path.posix
  const text = paste.trim()
  if (text.length > MAX_PATH_CHARS || /[\r\n]/.test(text) || !/\.(?:png|jpe?g|gif|webp)["']?$/i.test(text))
    return undefined
  const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? []
  const unquoted = quoted ?? (windows ? text : text.replaceAll(/\\(.)/g, "$1"))
  if (unquoted.startsWith("file://")) return pathOfUrl(unquoted, windows)
  if (windows && /^[\\/]{2}/.test(unquoted)) return undefined
  const inHome = windows ? /^~[\\/]/ : /^~\//
  const named = inHome.test(unquoted) ? join(home, unquoted.slice(2)) : unquoted
  // Several words that end in the name of a picture are a path only if they are quoted or begin like one.
  return quoted === undefined && /\s/.test(windows ? text : text.replaceAll(/\\./g, "")) && !isAbsolute(named)
    ? undefined
    : resolve(folder, named)
}

/** Returns undefined for a URL with a host, and for one that is no path, such as with `%2F`. */
const pathOfUrl = (text: string, windows: boolean): string | undefined => {
  const url = URL.parse(text)
  if (url === null || url.host !== "") return undefined
  try {
    return fileURLToPath(url, { windows })
  } catch {
    return undefined
  }
}

const MAX_PATH_CHARS = 4096
