/** The settings that only a configuration file has: tables with keys that the user chooses. */
import { formats } from "../../model/AgentPrompt.ts"
import * as KnownProviders from "../KnownProviders.ts"
import type { FileEntry } from "../Setting.ts"
import * as ValueType from "./valueType.ts"

/** The most answers to one question. Each answer costs as much as one. */
export const MAX_ANSWERS = 20

/** The longest call of a tool server that can be set, in seconds: just below the limit of any tool. */
const MAX_TOOL_SECONDS = 110

const price = ValueType.table({
  input: ValueType.amount,
  output: ValueType.amount,
  cached: ValueType.optional(ValueType.amount),
})

/** Tables of a configuration file with keys that are names of the user's choice. No variable sets them. */
export const tables = {
  presets: {
    name: "VIBE_PRESETS",
    key: "presets",
    type: ValueType.record(
      ValueType.name(),
      // These have the types of the settings of the same names in `Settings.generation`.
      ValueType.table({
        model: ValueType.optional(ValueType.modelId),
        temperature: ValueType.optional(ValueType.amount),
        maxTokens: ValueType.optional(ValueType.count()),
        n: ValueType.optional(ValueType.count({ most: MAX_ANSWERS })),
      }),
    ),
    scope: "project",
  },
  models: {
    name: "VIBE_MODELS",
    key: "models",
    type: ValueType.record(
      ValueType.modelName,
      ValueType.table({
        context: ValueType.optional(ValueType.count()),
        output: ValueType.optional(ValueType.count()),
        total: ValueType.optional(ValueType.count()),
        prices: ValueType.optional(ValueType.userOnly(price, "what a model costs")),
      }),
    ),
    scope: "project",
  },
  agents: {
    name: "VIBE_AGENTS",
    key: "agents",
    type: ValueType.record(
      ValueType.name(),
      ValueType.table({
        command: ValueType.optional(ValueType.command),
        args: ValueType.optional(ValueType.list),
        format: ValueType.optional(ValueType.oneOf(formats)),
        /** The time limit, in seconds. */
        timeout: ValueType.optional(ValueType.amount),
        env: ValueType.optional(ValueType.variables),
      }),
    ),
    scope: { userOnly: "which programs run" },
  },
  providers: {
    name: "VIBE_PROVIDERS",
    key: "providers",
    type: ValueType.record(
      // The address of a known provider does not come from a file.
      ValueType.name((name) => KnownProviders.names.includes(name)),
      ValueType.table({ baseUrl: ValueType.url, keyVariable: ValueType.optional(ValueType.variable) }),
    ),
    scope: { userOnly: "which servers receive requests and keys" },
  },
  toolServers: {
    name: "VIBE_MCP",
    key: "mcp",
    type: ValueType.record(
      // `[mcp] tools` is a setting of `vibe mcp`.
      ValueType.name((name) => name === "tools"),
      ValueType.table(
        {
          command: ValueType.optional(ValueType.command),
          args: ValueType.optional(ValueType.list),
          env: ValueType.optional(ValueType.variables),
          url: ValueType.optional(ValueType.url),
          keyVariable: ValueType.optional(ValueType.variable),
          header: ValueType.optional(ValueType.headerName),
          only: ValueType.optional(ValueType.list),
          /** The time limit, in seconds. */
          timeout: ValueType.optional(ValueType.count({ most: MAX_TOOL_SECONDS })),
        },
        (has) => {
          if (has("command") === has("url")) {
            return has("url") ? "has a command and a url; a tool server has one of them" : "needs a command or a url"
          }
          if (has("url")) return has("args") || has("env") ? "has args or env, which go with a command" : undefined
          if (has("keyVariable") || has("header")) return "has keyVariable or header, which go with a url"
          return undefined
        },
      ),
    ),
    scope: { userOnly: "which tool servers are used" },
  },
} satisfies Record<string, FileEntry<unknown>>
