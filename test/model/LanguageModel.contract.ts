/**
 * The contract of every provider's adapter, whatever its wire: tests are written in parts, turns and reasons, and an
 * `Adapter` implements a server of its kind.
 */
import { isThorough } from "../thoroughness.ts"
import type { Adapter } from "./LanguageModel.adapter.ts"
import { answers } from "./LanguageModel.answers.contract.ts"
import { brokenAnswers } from "./LanguageModel.brokenAnswers.contract.ts"
import { errorResponses } from "./LanguageModel.errors.contract.ts"
import { limits } from "./LanguageModel.limits.contract.ts"
import { requests } from "./LanguageModel.requests.contract.ts"

/**
 * Tests an adapter, and the adapters of `others`: servers of the same wire, which one implementation asks and which
 * differ in what they are sent. What that implementation makes of broken answers and errors, and its limits, are tested
 * with the first server, and with each in a thorough run.
 */
export const contract = (adapter: Adapter, others: ReadonlyArray<Adapter> = []): void => {
  for (const one of [adapter, ...others]) {
    // Where another library reads the bytes, what is made of its answers does not depend on the server.
    if (isThorough || one === adapter || !one.wire.lacks.includes("its own reader")) {
      answers(one, isThorough || one === adapter)
    }
    requests(one)
    if (!isThorough && one !== adapter) continue
    brokenAnswers(one)
    errorResponses(one)
    limits(one)
  }
}
