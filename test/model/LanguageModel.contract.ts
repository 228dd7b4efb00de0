/**
 * The contract of every provider's adapter, whatever its wire: tests are written in parts, turns and reasons, and an
 * `Adapter` implements a server of its kind.
 */
import type { Adapter } from "./LanguageModel.adapter.ts"
import { answers } from "./LanguageModel.answers.contract.ts"
import { errorResponses } from "./LanguageModel.errors.contract.ts"
import { requests } from "./LanguageModel.requests.contract.ts"

export const contract = (adapter: Adapter): void => {
  answers(adapter)
  errorResponses(adapter)
  requests(adapter)
}
