import * as Scanner from "../../src/code/Symbols/Scanner.ts"
import * as Threads from "../../src/code/Symbols/Threads.ts"
import * as TreeSitter from "../../src/code/Symbols/TreeSitter.ts"
import { contract } from "./Symbols.contract.ts"

contract("tree-sitter", TreeSitter.layer)
contract("scanner", Scanner.layer)
contract("scanner, on several threads", Threads.layer)
