/** The few text styles that are printed, and when they are. */
export interface Style {
  readonly strong: (text: string) => string
  readonly quiet: (text: string) => string
}

export const plain: Style = { strong: (text) => text, quiet: (text) => text }

export const coloured: Style = {
  strong: (text) => `\x1b[1m${text}\x1b[22m`,
  quiet: (text) => `\x1b[2m${text}\x1b[22m`,
}

/** The value of `--color`; `auto` is the default. */
export type ColorChoice = "always" | "never" | "auto"

/** NO_COLOR wins over FORCE_COLOR; without either, only a terminal gets colours. */
export const choose = (options: {
  readonly isTerminal: boolean
  readonly noColor: boolean
  readonly forceColor: boolean
}): Style => (!options.noColor && (options.forceColor || options.isTerminal) ? coloured : plain)
