/** The `instructions` that a client receives with the tools: when to use them. They cost tokens in each conversation. */
export const instructions = [
  "vibe has an index of this codebase: what each function and class is for, and which code uses which.",
  'Where you do not know the name or the file, use `query` before grep: "where is X decided", "what handles Y", a phrase with guessed identifiers as keywords. If the first results are not it, rephrase once, then grep.',
  "Before you change a function or follow a flow, use `show` on its name for source, callers and callees; read on with path:from-to.",
  "Use grep for exact text: error messages, settings, event names, strings, templates, docs, and for every occurrence.",
  "A purpose marked (stale) is older than the code: trust the lines.",
].join("\n")

/** The same for several repositories. */
export const instructionsFor = (names: ReadonlyArray<string>): string =>
  `${instructions}\nIt has ${names.length === 1 ? "the repository" : "several repositories"}: ${names.join(", ")}. Paths begin with the name of one, as in ${names[0] ?? "name"}/src/main.ts:12, also as \`path\` and \`target\`.`
