/** What agents are told of the tools. They pay for it in each conversation. */
export const instructions = [
  "vibe has an index of this codebase: what each function and class is for, and which code uses which.",
  "Use `query` first where you would try several words with grep: ask in a phrase what the code does, and guess identifiers as keywords. One call shows the places with their lines.",
  "Use `show` with a name for its source, callers and callees, with path:from-to to read on.",
  "Use grep instead for exact text, error messages, settings, comments, files that are not code, and where you need every occurrence.",
  "A purpose marked (stale) is older than the code: trust the lines.",
].join("\n")
