/** `find_symbols`: the places of the code that answer a question, as `vibe query` prints them. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Workspace } from "../code/Workspace.ts"
import type { Index } from "../index/IndexStore.ts"
import { findPath } from "../lookup/findPath.ts"
import * as Tool from "../tool/Tool.ts"
import { find } from "./internal/findSymbols.ts"
import { MAX_LIMIT } from "./internal/lookupDefinitions.ts"

export const make = (workspace: Workspace, index: Index): Tool.Tool =>
  Tool.make({
    name: "find_symbols",
    description:
      "Finds functions, classes and methods by what they do, not by their exact text: a phrase or a question is enough. One call shows the best few with path, lines, signature, what each is for, the lines of code that matter, and what they call.",
    parameters: Schema.Struct({
      query: Schema.String.annotations({ description: "What the code does, in a phrase, or a name" }),
      keywords: Schema.optional(Schema.Array(Schema.String)).annotations({
        description: "Identifiers that the code may use, about five; guess them",
      }),
      path: Schema.optional(Schema.String).annotations({ description: "Only in this file or folder" }),
      limit: Schema.optional(Schema.Number.pipe(Schema.int(), Schema.between(1, MAX_LIMIT))).annotations({
        description: "How many; by default the few that are clearly best",
      }),
    }),
    readOnly: true,
    run: ({ keywords, limit, path, query }) =>
      Effect.gen(function* () {
        const project = { workspace, index, displayPath: (path: string) => path }
        const within = path === undefined ? undefined : yield* findPath(project, path)
        // A model that asks for a number of results wants no others, nor does one that knows the name.
        const isOpen = limit === undefined && /\s/.test(query.trim())
        const found = yield* find(project, query, { limit, also: keywords, path: within, further: isOpen })
        const none = ["(no symbol matches: try other words, or search_text for exact text)", ...found.missing].join(
          "\n",
        )
        return { text: found.text ?? none, data: found.toData() }
      }).pipe(Tool.orFail),
  })
