/** Tools as Gemini is told of them. */
import type { FunctionDeclaration } from "@google/genai"
import type { Tool } from "../../tool/Tool.ts"
import { onWire } from "../shared/toolNames.ts"
import { inlined, withoutDialect } from "../shared/toolSchema.ts"

/** In the order of `tools`, every tool alike. */
export const declarations = (tools: ReadonlyArray<Tool>): Array<FunctionDeclaration> => tools.map(declaration)

/** Made once a tool: the next request has it again. Gemini refuses a schema that contains itself, and words beside a `$ref`. */
const declaration = (tool: Tool): FunctionDeclaration => {
  const known = declared.get(tool)
  if (known !== undefined) return known
  const made = {
    name: onWire(tool.name),
    description: tool.description,
    parametersJsonSchema: withoutDialect(inlined(tool.parameters)),
  }
  declared.set(tool, made)
  return made
}

const declared = new WeakMap<Tool, FunctionDeclaration>()
