import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "../../src/chat/Prompt.ts"

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
  ])("%s", (_, answer, prompt) => {
    assert.strictEqual(Prompt.extract(answer), prompt)
  })
})
