/** The few text styles that are printed, and the choice whether to print them. */
export interface Style {
  readonly strong: (text: string) => string
  readonly quiet: (text: string) => string
  /** The names of speakers, one for each role of a message. */
  readonly user: (text: string) => string
  readonly assistant: (text: string) => string
  readonly tool: (text: string) => string
  readonly system: (text: string) => string
}

const unstyled = (text: string): string => text

export const plain: Style = {
  strong: unstyled,
  quiet: unstyled,
  user: unstyled,
  assistant: unstyled,
  tool: unstyled,
  system: unstyled,
}

export const coloured: Style = {
  strong: (text) => `\x1b[1m${text}\x1b[22m`,
  quiet: (text) => `\x1b[2m${text}\x1b[22m`,
  // Colours of the terminal's own palette, which fit its background.
  user: (text) => `\x1b[36m${text}\x1b[39m`,
  assistant: (text) => `\x1b[32m${text}\x1b[39m`,
  tool: (text) => `\x1b[33m${text}\x1b[39m`,
  system: (text) => `\x1b[35m${text}\x1b[39m`,
}

/** The value of `--color`; `auto` is the default. */
export type ColorChoice = "always" | "never" | "auto"

/** Returns the styles to use. NO_COLOR wins over FORCE_COLOR; without either, only a terminal gets colours. */
export const choose = (options: {
  readonly isTerminal: boolean
  readonly noColor: boolean
  readonly forceColor: boolean
}): Style => (!options.noColor && (options.forceColor || options.isTerminal) ? coloured : plain)
