/**
 * The stock layers of `@effect/ai` under the contract of all adapters. They decode whole documents, so what a server
 * says under that contract is told here to the last field that they want.
 */
import { Array as Arr } from "effect"
import { Part } from "../../src/model/Reply.ts"
import type { Adapter, Wire } from "../model/LanguageModel.adapter.ts"
import * as Anthropic from "./Anthropic.ts"
import * as EffectAi from "./EffectAi.ts"
import type * as FakeServer from "./FakeServer.ts"
import * as Responses from "./ResponsesAdapter.ts"

/**
 * Why some of the contract does not hold over such a layer, whosever it is:
 * - calls not offered: one call of a tool that is not in the toolkit, and the layer drops the answer
 * - new endings: an ending that its schema does not list, and the layer cannot read the event that says so
 * - pages: of an answer that holds no events, the layer says no more than that it ended
 * - key in mid-stream: the layer shows its request with a refusal, not with an error in an answer
 * - late ends: once it has heard how an answer ended, it is let go at once, with whatever it still waits for
 * - long refusals: it reads them to their end
 * - redirects: its HTTP client follows them
 * - thousands of calls: its reader of events takes time quadratic to all that comes at once
 * - images drawn: neither layer reads them
 * - its own reader: the layer reads the bytes
 *
 * Answers of one document (`whole`) it cannot read where it asked for a stream.
 */
const lost = [
  "answer schemas",
  "calls not offered",
  "new endings",
  "pages",
  "key in mid-stream",
  "late ends",
  "long refusals",
  "redirects",
  "thousands of calls",
  "images drawn",
  "its own reader",
] as const

/** An event, or some other object of JSON. */
interface Fields {
  readonly [name: string]: unknown
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {})

const rewritten = (
  answer: FakeServer.Answer,
  rewrite: (events: ReadonlyArray<Fields>) => ReadonlyArray<Fields>,
): FakeServer.Answer => ({
  ...answer,
  body: rewrite(Array.from(answer.body.matchAll(/^data: (.*)$/gm), ([, json = ""]): Fields => JSON.parse(json)))
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join(""),
})

/** Input tokens are counted where the answer begins: the layer does not read them at its end. */
const wholeMessages = (events: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const counted = fieldsIn(events.find(({ type }) => type === "message_delta")?.usage)
  return events.map((event) => {
    if (event.type !== "message_start") return event
    const message = fieldsIn(event.message)
    const usage = { ...fieldsIn(message.usage), ...counted }
    return { ...event, message: { id: "msg_1", model: Anthropic.sonnet, stop_reason: null, ...message, usage } }
  })
}

const { wire: messages } = Anthropic.anthropic

/** It does not count thoughts. */
export const anthropic: Adapter = {
  name: "effect-ai, anthropic",
  models: Anthropic.anthropic.models,
  open: (model, url) => EffectAi.anthropic(url, model),
  wire: {
    ...messages,
    streamed: (parts) => rewritten(messages.streamed(parts), wholeMessages),
    whole: undefined,
    lacks: [...lost, "thinkingTokens"],
  },
}

const wholeItem = (item: Fields, output_index: unknown): Fields => ({
  ...item,
  id: `item_${output_index}`,
  status: "completed",
  ...(Array.isArray(item.content) && {
    content: item.content.map((part) => ({ annotations: [], ...fieldsIn(part) })),
  }),
})

/** The item as it is announced, before its content. */
const begun = (item: Fields): Fields => ({
  ...item,
  status: "in_progress",
  ...("content" in item && { content: [] }),
  ...("summary" in item && { summary: [] }),
})

const wholeResponse = ({ output, usage, ...said }: Fields): Fields => ({
  ...{ id: "resp_1", created_at: 0, model: "gpt-5-mini", error: null, incomplete_details: null, instructions: null },
  ...{ parallel_tool_calls: true, tools: [], tool_choice: "auto", metadata: null, temperature: null, top_p: null },
  ...said,
  output: Array.isArray(output) ? output.map((item, index) => wholeItem(fieldsIn(item), index)) : [],
  ...(isFields(usage) && { usage: { total_tokens: 0, ...usage } }),
})

/** Each item is announced before its content; `texts`: the content of each, in as many deltas. */
const wholeResponses =
  (texts: ReadonlyArray<ReadonlyArray<string>>) =>
  (events: ReadonlyArray<Fields>): ReadonlyArray<Fields> =>
    events
      .flatMap((event): ReadonlyArray<Fields> => {
        const { item, output_index, response } = event
        if (isFields(response)) return [{ ...event, response: wholeResponse(response) }]
        const same = events.filter((other) => other.output_index === output_index)
        const done = wholeItem(fieldsIn(same.at(-1)?.item), output_index)
        const said = { ...event, item_id: done.id, content_index: 0, summary_index: 0 }
        return [
          ...(same[0] === event ? [{ type: "response.output_item.added", output_index, item: begun(done) }] : []),
          ...(isFields(item)
            ? [{ ...event, item: done }]
            : (texts[Number(output_index)] ?? []).map((delta) => ({ ...said, delta }))),
        ]
      })
      .map((event, sequence_number) => ({ ...event, sequence_number }))

const { wire: responses } = Responses.responses

/** Texts that follow one another are one message, as they are at OpenAI: the layer keeps messages apart. */
const streamed: Wire["streamed"] = (parts) => {
  const items = Arr.isNonEmptyReadonlyArray(parts)
    ? Arr.groupWith(parts, (one, next) => one._tag === "Text" && next._tag === "Text")
    : []
  const texts = items.map((item) => item.flatMap((part) => ("text" in part ? [part.text] : [])))
  const joined = items.map(([first], index) =>
    first._tag === "Text" ? Part.Text({ text: texts[index]?.join("") ?? "" }) : first,
  )
  return rewritten(responses.streamed(joined), wholeResponses(texts))
}

/** The layer sends the system prompt in the first item. */
const withInstructions = (request: FakeServer.Received): FakeServer.Received => {
  const { input, ...body } = fieldsIn(request.body)
  const [first, ...rest] = Array.isArray(input) ? input.map(fieldsIn) : []
  return first?.role === "system" || first?.role === "developer"
    ? { ...request, body: { ...body, instructions: first.content, input: rest } }
    : request
}

export const openAi: Adapter = {
  name: "effect-ai, openai",
  models: Responses.responses.models,
  open: (model, url) => EffectAi.openAi(url, model),
  wire: {
    ...responses,
    streamed,
    whole: undefined,
    sent: (request) => responses.sent(withInstructions(request)),
    broken: (request) => responses.broken(withInstructions(request)),
    lacks: lost,
  },
}
