import { contract } from "../../model/LanguageModel.contract.ts"
import { responses } from "../../utils/ResponsesAdapter.ts"

contract(responses)
