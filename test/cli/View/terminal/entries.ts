/** Entries that the tests show on a virtual terminal, and how they read it. */
import { Effect } from "effect"
import { Entry } from "../../../../src/conversation/View.ts"
import * as Block from "../../../../src/message/Block.ts"
import { NodeId } from "../../../../src/message/NodeId.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

export const asked = (seen: VirtualTerminal.VirtualTerminal, text = "What is it?") =>
  seen.view.show(Entry.Asked({ text, model: "test/model", node: NodeId.make("n1") }))

export const answered = (seen: VirtualTerminal.VirtualTerminal, text = "") =>
  seen.view.show(Entry.Answered({ text, node: undefined, account: VirtualTerminal.account }))

export const text = (lines: Effect.Effect<ReadonlyArray<string>>) => Effect.map(lines, (lines) => lines.join("\n"))

export const readFile = Block.toolUse("call-1", "read_file", { path: "src/a.ts" })

/** The input field with a text, below its border. */
export const inputField = (text: string, { columns = 80, model = "" } = {}) => {
  const hints = `─ ${model}/ commands · @ files · ^O details · ^G editor `
  const rule = hints.length > columns ? `${hints.slice(0, columns - 1)}…` : hints.padEnd(columns, "─")
  return [rule, ...(text === "" ? [] : [text])]
}

export const markdown = `# A heading

Some **strong** words, \`code\` and 漢字かな交じり文 with 🎉 and 👩‍👩‍👧.

1. one
2. two

\`\`\`ts
const answer = 42 // ${"long ".repeat(20)}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end.`
