import { contract } from "../../model/LanguageModel.contract.ts"
import { anthropic } from "../../utils/Anthropic.ts"

contract(anthropic)
