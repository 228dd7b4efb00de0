import { contract } from "../../model/LanguageModel.contract.ts"
import { anthropic, openAi } from "../../utils/EffectAiAdapter.ts"

contract(anthropic, [openAi])
