/** Draws the icons of the page as strokes in the colour of the text. Beside a word or a label, so none has a name. */

const paths = {
  list: "M4 6h16M4 12h16M4 18h10",
  document: "M7 3h7l5 5v13H7zM14 3v5h5M10 13h6M10 17h6",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.5 16.5 21 21",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  again: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  compare: "M4 5h7v14H4zM13 5h7v14h-7",
  attach: "m20 11-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.7 1.7 0 0 1-2.4-2.4L14.5 7",
  send: "M12 20V5M5.5 11.5 12 5l6.5 6.5",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  down: "M6 9l6 6 6-6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  folder: "M3 6h6l2 2.5h10V19H3z",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
  bookmark: "M7 4h10v16l-5-4-5 4z",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  history: "M12 7v5l3.5 2M4 12a8 8 0 1 0 2.6-5.9L4 8M4 4v4h4",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M18 10h.01M8 14h8",
  spark: "M12 3v5M12 16v5M3 12h5M16 12h5M6 6l3 3M15 15l3 3M18 6l-3 3M9 15l-3 3",
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
