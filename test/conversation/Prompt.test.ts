import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "../../src/conversation/Prompt.ts"

describe("Prompt.extract", () => {
  it.each<readonly [what: string, answer: string, prompt: string | undefined]>([
    ["finds one", "Got it!\n\nPrompt: a tabby cat", "a tabby cat"],
    ["finds a prompt that is the whole answer", "Prompt: a tabby cat", "a tabby cat"],
    ["takes the last of several", "Prompt: a cat\n\nOr rather:\n\nPrompt: a dog", "a dog"],
    ["takes the last of several without a line between", "Prompt: a cat\nPrompt: a dog", "a dog"],
    ["finds none where there is none", "What colour is the hat?", undefined],
    ["finds none in nothing", "", undefined],
    ["finds none where it is empty", "Prompt:", undefined],
    ["finds none where it is blank", "Prompt:   \n\n  ", undefined],
    ["keeps to one that says something", "Prompt: a cat\n\nPrompt:\n", "a cat"],
    ["leaves out spaces before it and behind it", "Prompt:    a cat   ", "a cat"],
    ["takes one that is indented", "   Prompt: a cat", "a cat"],
    ["needs no space after the colon", "Prompt:a cat", "a cat"],
    ["takes it in any case", "PROMPT: a cat\n\nprompt: a dog", "a dog"],
    ["is not misled by another word", "Prompted: a cat\nPrompts: two dogs", undefined],
    ["is not misled by a mention", "Here is the Prompt: a cat", undefined],
    ["keeps colons in it", "Prompt: a cat: tabby, style: fantasy", "a cat: tabby, style: fantasy"],
    ["takes the line breaks of any system", "Fine.\r\n\r\nPrompt: a cat\r\n\r\nMore?", "a cat"],
    ["takes it from the next line", "Prompt:\na cat in a hat", "a cat in a hat"],
    ["takes several lines, up to a blank one", "Prompt: a cat\nin a hat\n\nDo you like it?", "a cat\nin a hat"],
    ["leaves out the marks of a list", "Prompt:\n- a cat\n- a hat", "a cat\na hat"],
    ["takes it as an entry of a list", "- Prompt: a cat", "a cat"],
    ["takes quotes as they are", 'Prompt: a cat that says "hello"', 'a cat that says "hello"'],
    ["takes a bold label", "**Prompt:** a red cat", "a red cat"],
    ["takes a bold label with the colon behind it", "**Prompt**: a red cat", "a red cat"],
    ["takes a label in italics", "*Prompt:* a red cat", "a red cat"],
    ["takes a bold entry of a list", "- **Prompt:** a red cat", "a red cat"],
    ["takes it from the line after a bold label", "__Prompt:__\na red cat", "a red cat"],
    ["takes a line that is bold as a whole", "**Prompt: a red cat**", "a red cat"],
    ["keeps what is bold in it", "**Prompt:** a **red** cat in a **hat**", "a **red** cat in a **hat**"],
    ["is not misled by another bold word", "**Prompted:** a cat", undefined],
    ["ends with the fence around it", "```\nPrompt: a blue cat\n```\nShall I go on?", "a blue cat"],
    ["ends with a fence of tildes", "~~~text\nPrompt: a blue cat\nin a hat\n~~~\nMore?", "a blue cat\nin a hat"],
    ["ends at a blank line in a fence", "```\nPrompt: a blue cat\n\nShall I go on?\n```", "a blue cat"],
    ["takes the fenced block after a label", "Prompt:\n```\na blue cat\n```\nShall I go on?", "a blue cat"],
    [
      "takes the fenced block after a blank line",
      "**Prompt:**\n\n```text\na cat\n\na hat\n```\n\nMore?",
      "a cat\n\na hat",
    ],
    ["takes only one label in a fenced block", "Prompt:\n```\nPrompt: a cat\n```\nMore?", "a cat"],
    ["takes a fence in it that is longer", "Prompt:\n````\na cat\n```\nmeow\n```\n````", "a cat\n```\nmeow\n```"],
    ["keeps to one that says something, not to an empty block", "Prompt: a cat\n\nPrompt:\n```\n```\nMore?", "a cat"],
    ["keeps code in it", "Prompt: explain\n```js\nmeow()\n```\nbriefly", "explain\n```js\nmeow()\n```\nbriefly"],
    ["finds none behind a blank line without a fence", "Prompt:\n\nWhat colour?", undefined],
    [
      "takes several lines without a blank one (as the origin)",
      "Prompt: x\nShall I add a hat?",
      "x\nShall I add a hat?",
    ],
  ])("%s", (_, answer, prompt) => {
    assert.strictEqual(Prompt.extract(answer), prompt)
  })
})
