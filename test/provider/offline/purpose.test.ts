import { assert, describe, it } from "@effect/vitest"
import type { Outlined } from "../../../src/provider/offline/notes.ts"
import * as Purpose from "../../../src/provider/offline/purpose.ts"

const outlined = (path: string, kind: string, symbol: string, signature = `${symbol}()`): Outlined => ({
  path,
  kind,
  symbol,
  signature,
})

describe("derivePurpose", () => {
  it.each<readonly [symbol: Outlined, purpose: string]>([
    [
      outlined("a.ts", "function", "parseHTTPHeader", "function parseHTTPHeader(line: string)"),
      "Parses http header, given line.",
    ],
    [outlined("a.ts", "function", "isMajor"), "Tells whether something is major."],
    [outlined("a.ts", "method", "Cart.total"), "Function for total."],
    [outlined("a.go", "function", "SelectRows"), "Selects rows."],
    [outlined("a.tsx", "function", "Select", "const Select = (props: Props)"), "Component for select, given props."],
    [outlined("a.jsx", "function", "UndoButton"), "Component for undo button."],
    [outlined("a.tsx", "function", "useTheme"), "Hook for theme."],
    [outlined("a.tsx", "function", "renderRow"), "Renders row."],
    [outlined("a.tsx", "class", "Board"), "Class for board."],
    [outlined("a.ts", "class", "ParseError"), "The error for parse."],
  ])("describes %j: %s", (symbol, purpose) => assert.strictEqual(Purpose.derivePurpose(symbol, []), purpose))
})

describe("fromComment", () => {
  it.each<readonly [comment: string, purpose: string | undefined]>([
    ["Says hello. @param name whom", "Says hello."],
    ["@internal", undefined],
    [`${"Long words. ".repeat(40)}`, `${"Long words. ".repeat(25).trim()}`],
  ])("shortens %j to %j", (comment, purpose) => assert.strictEqual(Purpose.fromComment(comment), purpose))
})
