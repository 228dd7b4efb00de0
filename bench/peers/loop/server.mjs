// A fake LLM server: answers at once, never parses the history unless asked to check it.
//
// The first path segment carries the script of the conversation:
//   /<id>~<turns>~<calls>~<chunks>~<mode>/<the provider's own path>
//   id      one conversation; the server counts its requests
//   turns   how many answers are tool calls before the final text
//   calls   tool calls per such answer
//   chunks  SSE chunks of the final text (stream mode)
//   mode    o = one JSON body, s = server-sent events, add v to check each request's history
// GET /stats/<id> gives {requests, bytes, errors}. Port: first argument, 0 by default.
import { createServer } from "node:http"

const conversations = new Map()
const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
const args = (turn, i) => ({ path: `src/file-${turn}.ts`, line: turn * 10 + i })
const final = "All turns are done. "
const id = (turn, i) => `call_${String(turn).padStart(5, "0")}_${i}`
const sse = (res, events, named) => {
  res.writeHead(200, { "content-type": "text/event-stream" })
  let out = ""
  for (const e of events) {
    if (named && typeof e !== "string") out += `event: ${e.type}\n`
    out += `data: ${typeof e === "string" ? e : JSON.stringify(e)}\n\n`
  }
  res.end(out)
}
const json = (res, body) => {
  const b = Buffer.from(JSON.stringify(body))
  res.writeHead(200, { "content-type": "application/json", "content-length": b.length })
  res.end(b)
}

// --- Gemini generateContent / streamGenerateContent -------------------------------------------
const gemini = (res, s, turn, last) => {
  const wrap = (parts, done) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...(done ? { finishReason: "STOP" } : {}) }],
    usageMetadata: USAGE,
    modelVersion: "fake-1",
    responseId: `r${turn}`,
  })
  if (!last) {
    const parts = Array.from({ length: s.calls }, (_, i) => ({
      functionCall: { name: "probe", args: args(turn, i) },
    }))
    return s.stream ? sse(res, [wrap(parts, true)]) : json(res, wrap(parts, true))
  }
  if (!s.stream) return json(res, wrap([{ text: final.repeat(s.chunks) }], true))
  sse(
    res,
    Array.from({ length: s.chunks }, (_, i) => wrap([{ text: final }], i === s.chunks - 1)),
  )
}

// --- OpenAI chat completions --------------------------------------------------------------------
const openai = (res, s, turn, last) => {
  const base = { id: `c${turn}`, created: 1, model: "fake-1" }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const calls = Array.from({ length: s.calls }, (_, i) => ({
    id: id(turn, i),
    type: "function",
    function: { name: "probe", arguments: JSON.stringify(args(turn, i)) },
  }))
  if (!s.stream)
    return json(res, {
      ...base,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: last
            ? { role: "assistant", content: final.repeat(s.chunks), refusal: null }
            : { role: "assistant", content: null, refusal: null, tool_calls: calls },
          logprobs: null,
          finish_reason: last ? "stop" : "tool_calls",
        },
      ],
      usage,
    })
  const chunk = (delta, finish_reason = null) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  })
  const events = []
  if (last) for (let i = 0; i < s.chunks; i++) events.push(chunk({ role: "assistant", content: final }))
  else {
    events.push(chunk({ role: "assistant", content: null }))
    for (const [index, c] of calls.entries()) events.push(chunk({ tool_calls: [{ index, ...c }] }))
  }
  events.push(chunk({}, last ? "stop" : "tool_calls"))
  events.push({ ...base, object: "chat.completion.chunk", choices: [], usage })
  events.push("[DONE]")
  sse(res, events)
}

// --- OpenAI responses ---------------------------------------------------------------------------
const responses = (res, s, turn, last) => {
  const output = last
    ? [
        {
          type: "message",
          id: `m${turn}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: final.repeat(s.chunks), annotations: [], logprobs: [] }],
        },
      ]
    : Array.from({ length: s.calls }, (_, i) => ({
        type: "function_call",
        id: `f${id(turn, i)}`,
        call_id: id(turn, i),
        name: "probe",
        arguments: JSON.stringify(args(turn, i)),
        status: "completed",
      }))
  const body = {
    id: `resp_${turn}`,
    object: "response",
    created_at: 1,
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: "fake-1",
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  }
  if (!s.stream) return json(res, body)
  let n = 0
  const events = [
    { type: "response.created", sequence_number: n++, response: { ...body, status: "in_progress", output: [] } },
  ]
  output.forEach((item, output_index) => {
    events.push({ type: "response.output_item.added", sequence_number: n++, output_index, item })
    if (last)
      for (let i = 0; i < s.chunks; i++)
        events.push({
          type: "response.output_text.delta",
          sequence_number: n++,
          output_index,
          content_index: 0,
          item_id: item.id,
          delta: final,
          logprobs: [],
        })
    events.push({ type: "response.output_item.done", sequence_number: n++, output_index, item })
  })
  events.push({ type: "response.completed", sequence_number: n++, response: body })
  sse(res, events, true)
}

// --- Anthropic messages -------------------------------------------------------------------------
const anthropic = (res, s, turn, last) => {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const content = last
    ? [{ type: "text", text: final.repeat(s.chunks) }]
    : Array.from({ length: s.calls }, (_, i) => ({
        type: "tool_use",
        id: `toolu_${id(turn, i)}`,
        name: "probe",
        input: args(turn, i),
      }))
  const head = { id: `msg_${turn}`, type: "message", role: "assistant", model: "fake-1", stop_sequence: null, usage }
  const stop_reason = last ? "end_turn" : "tool_use"
  if (!s.stream) return json(res, { ...head, content, stop_reason })
  const events = [{ type: "message_start", message: { ...head, content: [], stop_reason: null } }]
  content.forEach((block, index) => {
    if (block.type === "text") {
      events.push({ type: "content_block_start", index, content_block: { type: "text", text: "" } })
      for (let i = 0; i < s.chunks; i++)
        events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text: final } })
    } else {
      events.push({ type: "content_block_start", index, content_block: { ...block, input: {} } })
      events.push({
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      })
    }
    events.push({ type: "content_block_stop", index })
  })
  events.push({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage })
  events.push({ type: "message_stop" })
  sse(res, events, true)
}

/** Tool results found in a request of any of the protocols. */
const results = (body) => {
  if (body.contents) return body.contents.flatMap((c) => c.parts ?? []).filter((p) => p.functionResponse).length
  if (Array.isArray(body.input)) return body.input.filter((i) => i.type === "function_call_output").length
  return (body.messages ?? []).reduce(
    (n, m) =>
      n +
      (m.role === "tool" ? 1 : 0) +
      (Array.isArray(m.content) ? m.content.filter((c) => c.type === "tool_result").length : 0),
    0,
  )
}

const server = createServer((req, res) => {
  const slash = req.url.indexOf("/", 1)
  const first = req.url.slice(1, slash < 0 ? undefined : slash)
  if (first === "stats") {
    const s = conversations.get(req.url.slice(slash + 1))
    return json(res, s ? { requests: s.turn, bytes: s.bytes, errors: s.errors, stream: s.stream } : {})
  }
  const [key, turns, calls, chunks, mode = "o"] = first.split("~")
  let s = conversations.get(key)
  if (!s) {
    s = { turn: 0, bytes: 0, errors: [], turns: +turns, calls: +calls, chunks: Math.max(1, +chunks || 1) }
    s.stream = mode.includes("s")
    s.verify = mode.includes("v")
    conversations.set(key, s)
  }
  const kept = []
  req.on("data", (d) => {
    s.bytes += d.length
    if (s.verify) kept.push(d)
  })
  req.on("end", () => {
    const turn = s.turn++
    if (s.verify) {
      try {
        const body = JSON.parse(Buffer.concat(kept).toString("utf8"))
        const got = results(body)
        if (got !== turn * s.calls && s.errors.length < 5)
          s.errors.push(`request ${turn}: ${got} tool results, expected ${turn * s.calls}`)
        if (s.errors.length === 0 && turn === 1) s.sample = body
      } catch (e) {
        s.errors.push(String(e))
      }
    }
    const last = turn >= s.turns
    const path = req.url.slice(slash).split("?")[0]
    const answer = path.includes("enerateContent")
      ? gemini
      : path.endsWith("/chat/completions")
        ? openai
        : path.endsWith("/responses")
          ? responses
          : path.endsWith("/messages")
            ? anthropic
            : undefined
    if (!answer) {
      res.writeHead(404)
      return res.end(`no such endpoint: ${path}`)
    }
    answer(res, s, turn, last)
  })
})
server.keepAliveTimeout = 600_000
server.requestTimeout = 0
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port, pid: process.pid }))
})
process.on("disconnect", () => process.exit(0))
