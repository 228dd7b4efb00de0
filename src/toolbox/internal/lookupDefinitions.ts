/** The definitions of `query` and `show` as agents read them, and the limits of their arguments, as data. */

/** The tokens of an answer: the default, the most and the fewest. */
export const DEFAULT_TOKENS = 1_000
export const MAX_TOKENS = 20_000
export const LEAST_TOKENS = 100

/** The most answers, the same as for `vibe query --limit`. */
export const MAX_LIMIT = 50

/** The JSON Schema of `maxTokens`, for a tool with limited answers. */
export const maxTokens = {
  type: "integer",
  minimum: LEAST_TOKENS,
  maximum: MAX_TOKENS,
  description: `default ${DEFAULT_TOKENS}`,
} as const

export const query = {
  name: "query",
  description:
    "Find code you cannot name: where something is decided, handled or sent. Gives the best functions and classes with path:line, purpose and the lines that matter; or `files`. For exact text use grep.",
  parameters: {
    type: "object",
    required: ["query"],
    properties: {
      query: { type: "string", description: "What the code does" },
      keywords: {
        type: "array",
        items: { type: "string" },
        description: "3-6 identifiers the code may have; guesses help",
      },
      path: { type: "string", description: "Folder or file" },
      limit: { type: "integer", minimum: 1, maximum: MAX_LIMIT },
      files: { type: "boolean" },
      maxTokens,
    },
    additionalProperties: false,
  },
} as const

export const show = {
  name: "show",
  description:
    "Source, callers and callees of a symbol by name: what a change would break, the next step of a flow. Also lines, files, folders.",
  parameters: {
    type: "object",
    required: ["target"],
    properties: {
      target: {
        type: "string",
        description: "Class.method (path:name if ambiguous), path:line, path:from-to, file or folder (. for all)",
      },
      maxTokens,
    },
    additionalProperties: false,
  },
} as const
