/** Pictures in the input field: each is a chip in the text, `[picture 1: shot.png]`. */
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import type * as Block from "../../../message/Block.ts"
import { sanitizeLine } from "../../../message/Sanitize.ts"

export class PictureChips {
  readonly #pictures = new Map<string, Block.Image>()

  /** The chip of a new picture. `name`: of its file; none for one from the clipboard. */
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

  /** The chip that a line ends in; none where it ends in other text. */
  endOf(line: string): string | undefined {
    return [...this.#pictures.keys()].find((chip) => line.endsWith(chip))
  }
}

/**
 * The path in a paste that is one path of a picture, as terminals paste a file that is dropped on them: quoted, with
 * backslashes before spaces, or as a URL. None for any other text.
 */
export const pastedPath = (
  paste: string,
  folder: string = path.resolve("."),
  home: string = os.homedir(),
): string | undefined => {
  const text = paste.trim()
  if (text.length > MAX_PATH_CHARS || /[\r\n]/.test(text) || !/\.(?:png|jpe?g|gif|webp)["']?$/i.test(text))
    return undefined
  const [, , quoted] = /^(["'])(.*)\1$/.exec(text) ?? []
  const unquoted = quoted ?? (process.platform === "win32" ? text : text.replaceAll(/\\(.)/g, "$1"))
  if (unquoted.startsWith("file://")) return URL.canParse(unquoted) ? fileURLToPath(unquoted) : undefined
  const named = unquoted.startsWith("~/") ? path.join(home, unquoted.slice(2)) : unquoted
  // Words that end in the name of a picture are no path, unless they say so.
  return quoted === undefined && /\s/.test(text.replaceAll(/\\./g, "")) && !path.isAbsolute(named)
    ? undefined
    : path.resolve(folder, named)
}

const MAX_PATH_CHARS = 4096
