import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as TreeSitter from "../../src/code/Symbols/TreeSitter.ts"
import * as Workers from "../../src/code/Symbols/Workers.ts"
import { contract } from "./Symbols.contract.ts"

contract("tree-sitter", TreeSitter.layer, true)
contract("scanner", Scanner.layer)
contract("scanner, on several threads", Workers.layer)
