/** OpenAI's parameter for how much a reasoning model thinks. Pure. */
import type { Thinking } from "../../model/Thinking.ts"

/**
 * Returns the effort for a reasoning model. The lowest one differs: `minimal` for gpt-5, `none` from gpt-5.1 on, `low`
 * for the o series and for Codex. The pro models always think.
 */
export const reasoningEffort = (model: string, thinking: Thinking | undefined): string | undefined => {
  if (thinking === undefined || /-pro\b/.test(model)) return undefined
  if (thinking !== "off") return thinking
  if (/^o\d|codex/.test(model)) return "low"
  return /^gpt-5(?![.\d])/.test(model) ? "minimal" : "none"
}
