/**
 * Moves the focus among the results of a search, `by` lines from the one that has it. Above the first of them it calls
 * `onLeave`, which goes back to the search; below the last it stays.
 */
export const stepFocus = (results: Iterable<HTMLElement>, by: number, onLeave: () => void): void => {
  const all = [...results]
  const to = all.findIndex((result) => result.matches(":focus")) + by
  if (to < 0) onLeave()
  else all[to]?.focus()
}
