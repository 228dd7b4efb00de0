/** What can stand where a word is being typed, for shells to offer. Pure. */
import * as Arguments from "../arguments/Arguments.ts"
import type { Spec } from "../arguments/Spec.ts"

/** For bash; zsh reads it too, after `autoload -U bashcompinit && bashcompinit`. */
export const script = `_vibe() {
  local IFS=$'\\n' words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(vibe completion -- "\${words[@]/#/=}" 2>/dev/null))
}
complete -o default -F _vibe vibe`

/** The words as the script hands them over: with a sign before each, so that none is empty or an option. */
export const typed = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.map((word) => word.replace(/^=/, ""))

export interface Candidates {
  /** What the last word may become. */
  readonly words: ReadonlyArray<string>
  /** What else it may name: a node, by id or bookmark, or a bookmark alone. */
  readonly names?: "nodes" | "bookmarks" | undefined
}

/** `words`: what stands after the program's name, the one that is being typed last. */
export const candidates = (specs: ReadonlyArray<Spec>, words: ReadonlyArray<string>): Candidates => {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ""]
  const { group, operands, spec, unknown } = Arguments.about(specs, before)
  const beginning = (names: ReadonlyArray<string>): Candidates => ({
    words: [...new Set(names)].filter((name) => name.startsWith(current)),
  })
  const options = spec?.options ?? specs.flatMap(({ options }) => options)
  const flag = options.find(({ alias, name }) => [name, alias ?? name].includes(before.at(-1) ?? ""))
  if (flag?.value !== undefined) return { words: [], names: flag.value === "TITLE" ? "bookmarks" : nodes(flag.value) }
  if (current.startsWith("-")) return beginning([...(spec?.options ?? []).map(({ name }) => name), "--help"])
  if (unknown !== undefined) return beginning([])
  if (spec === undefined) {
    const names = specs.map(({ name }) => name.split(" "))
    return beginning(
      group === undefined
        ? [...names.map(([first = ""]) => first), "help"]
        : names.flatMap(([first, second = ""]) => (first === group ? [second] : [])),
    )
  }
  const operand = spec.operands[operands.length]
  return { words: [], names: operand && nodes(operand.name) }
}

/** As bash reads it: as one word. */
export const quoted = (name: string): string => name.replaceAll(/[^\p{L}\p{N}_./:@%+,~^-]/gu, "\\$&")

/** By the name that help gives to what is typed there. */
const nodes = (name: string): Candidates["names"] =>
  ["NODE", "[NODE]", "[OPERATION]", "A", "B"].includes(name) ? "nodes" : undefined
