/** The model that puts the results of `vibe query` in order; `None` without `--model`. */
import * as Context from "effect/Context"
import type * as Option from "effect/Option"
import type * as LanguageModel from "../../model/LanguageModel.ts"

export class RankingModel extends Context.Tag("vibe/cli/query/RankingModel")<
  RankingModel,
  Option.Option<LanguageModel.Service>
>() {}
