/** `introspect`: facts about the current conversation. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Forest from "../forest/Forest.ts"
import type { Node } from "../forest/Node.ts"
import * as Usage from "../message/Usage.ts"
import * as Tool from "../tool/Tool.ts"

/** `tools`: names of the other tools that are offered. */
export const make = (forest: Forest.Service, tools: ReadonlyArray<string>): Tool.Tool =>
  Tool.make({
    name: "introspect",
    description:
      "Tells which model is speaking, at which node of which tree, how many messages led to it, which tools there are, and how many tokens the conversation has used.",
    parameters: Schema.Struct({}),
    readOnly: true,
    run: (_, { model, node }) =>
      Effect.map(forest.path(node), ({ nodes, root }) => ({
        text: JSON.stringify({
          model: String(model),
          node,
          root: root.id,
          messages: nodes.length,
          tools: [...tools, "introspect"],
          usage: nodes.map(usageOf).reduce(Usage.add, Usage.none),
        }),
      })).pipe(Tool.orFail),
  })

const usageOf = ({ source }: Node): Usage.Usage =>
  source.type === "model" || source.type === "summary" ? source.usage : Usage.none
