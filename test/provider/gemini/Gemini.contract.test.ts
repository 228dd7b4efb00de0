import { contract } from "../../model/LanguageModel.contract.ts"
import { gemini } from "../../utils/GeminiAdapter.ts"

contract(gemini)
