import * as TreeSitter from "../../src/code/Symbols/TreeSitter.ts"
import { contract } from "./Symbols.contract.ts"

contract("tree-sitter", TreeSitter.layer)
