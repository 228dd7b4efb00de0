/** The few colours there are. */
export interface Style {
  readonly strong: (text: string) => string
  readonly quiet: (text: string) => string
}

export const plain: Style = { strong: (text) => text, quiet: (text) => text }

export const coloured: Style = {
  strong: (text) => `\x1b[1m${text}\x1b[22m`,
  quiet: (text) => `\x1b[2m${text}\x1b[22m`,
}
