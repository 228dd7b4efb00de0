/** What each agent prints in its JSON mode, by its documented format; shortened where a decoder reads nothing of it. */

const lines = (...events: ReadonlyArray<object>) => events.map((event) => `${JSON.stringify(event)}\n`).join("")

const claudeDelta = (text: string) => ({
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  parent_tool_use_id: null,
  session_id: "s",
  uuid: "u",
})

const claudeStart = (id: string) => ({
  type: "stream_event",
  event: { type: "message_start", message: { id, role: "assistant", content: [] } },
  parent_tool_use_id: null,
})

const claudeMessage = (id: string, ...content: ReadonlyArray<object>) => ({
  type: "assistant",
  message: { id, role: "assistant", model: "claude-sonnet", content, stop_reason: null, usage: {} },
  parent_tool_use_id: null,
  session_id: "s",
})

const claudeResult = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "The answer\nis 42.",
  total_cost_usd: 0.0125,
  usage: { input_tokens: 10, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000, output_tokens: 20 },
}

export const claude = lines(
  { type: "system", subtype: "init", cwd: "/here", tools: [], model: "claude-sonnet", session_id: "s" },
  { type: "system", subtype: "api_retry", attempt: 1, max_retries: 10, error: "server_error", error_status: 529 },
  claudeStart("m1"),
  claudeDelta("I look"),
  claudeDelta(" it up."),
  claudeMessage("m1", { type: "text", text: "I look it up." }),
  claudeMessage("m1", { type: "tool_use", id: "t", name: "Read", input: { file_path: "src/a.ts", limit: 3 } }),
  { type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "a" }] } },
  { ...claudeDelta("not the answer"), parent_tool_use_id: "t" },
  { type: "an_event_of_tomorrow", text: "?" },
  claudeStart("m2"),
  { ...claudeDelta(""), event: { type: "content_block_delta", delta: { type: "thinking_delta", thinking: "hm" } } },
  claudeDelta("The answer\n"),
  claudeDelta("is 42."),
  claudeMessage("m2", { type: "text", text: "The answer\nis 42." }),
  claudeResult,
)

/** The transcript of a release without partial messages. */
export const claudeWhole = lines(claudeMessage("m1", { type: "text", text: "The answer\nis 42." }), claudeResult)

/** As it ends where no one has logged in: the exit code is 1. */
export const claudeRefused = lines(
  {
    ...claudeMessage("m1", { type: "text", text: "Invalid API key · Please run /login" }),
    error: "authentication_failed",
  },
  {
    ...claudeResult,
    is_error: true,
    result: "Invalid API key · Please run /login",
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0 },
  },
)

export const codex = lines(
  { type: "thread.started", thread_id: "t" },
  { type: "turn.started" },
  { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "**Looking**" } },
  { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "I look it up.\nThen I answer." } },
  { type: "item.started", item: { id: "item_2", type: "command_execution", command: "cat src/a.ts" } },
  {
    type: "item.completed",
    item: { id: "item_2", type: "command_execution", command: "cat src/a.ts", exit_code: 1, status: "failed" },
  },
  { type: "error", message: "Reconnecting... 1/5" },
  { type: "item.updated", item: { id: "item_3", type: "todo_list", items: [] } },
  { type: "item.completed", item: { id: "item_4", type: "agent_message", text: "The answer\nis 42." } },
  {
    type: "turn.completed",
    usage: { input_tokens: 3210, cached_input_tokens: 3000, output_tokens: 20, reasoning_output_tokens: 5 },
  },
)

export const codexFailed = lines(
  { type: "turn.started" },
  { type: "error", message: "Reconnecting... 5/5" },
  { type: "turn.failed", error: { message: "exceeded retry limit, last status: 429" } },
)

const geminiDelta = (content: string) => ({ type: "message", timestamp: "t", role: "assistant", content, delta: true })

export const gemini = lines(
  { type: "init", timestamp: "t", session_id: "s", model: "gemini-2.5-pro" },
  { type: "message", timestamp: "t", role: "user", content: "Why?" },
  geminiDelta("I look"),
  geminiDelta(" it up."),
  { type: "tool_use", timestamp: "t", tool_name: "read_file", tool_id: "r", parameters: { path: "src/a.ts" } },
  {
    type: "tool_result",
    timestamp: "t",
    tool_id: "r",
    status: "error",
    error: { type: "FILE_NOT_FOUND", message: "File not found" },
  },
  { type: "error", timestamp: "t", severity: "warning", message: "Loop detected, stopping execution" },
  geminiDelta("The answer\n"),
  geminiDelta("is 42."),
  {
    type: "result",
    timestamp: "t",
    status: "success",
    stats: { total_tokens: 3230, input_tokens: 3210, output_tokens: 20, cached: 3000, input: 210, models: {} },
  },
)

export const geminiFailed = lines(
  { type: "init", timestamp: "t", session_id: "s", model: "gemini-2.5-pro" },
  { type: "result", timestamp: "t", status: "error", error: { type: "ApiError", message: "API key not valid" } },
)

const openCodeEvent = (type: string, part: object) => ({ type, timestamp: 1, sessionID: "ses_1", part })

export const openCode = lines(
  openCodeEvent("step_start", { type: "step-start" }),
  openCodeEvent("text", { type: "text", text: "I look it up.\n", time: { start: 1, end: 2 } }),
  openCodeEvent("tool_use", {
    type: "tool",
    tool: "read",
    callID: "c",
    state: { status: "completed", input: { filePath: "src/a.ts" }, title: "src/a.ts", output: "a" },
  }),
  openCodeEvent("tool_use", { type: "tool", tool: "bash", state: { status: "error", input: {}, error: "denied" } }),
  openCodeEvent("step_finish", {
    reason: "tool-calls",
    cost: 0.01,
    tokens: { input: 100, output: 5, reasoning: 5, cache: { read: 1000, write: 100 } },
  }),
  openCodeEvent("text", { type: "text", text: "The answer\nis 42.", time: { start: 1, end: 2 } }),
  openCodeEvent("step_finish", {
    reason: "stop",
    cost: 0.0025,
    tokens: { input: 10, output: 10, reasoning: 0, cache: { read: 2000, write: 0 } },
  }),
  { type: "done", timestamp: 1, sessionID: "ses_1", reason: "idle", rejected: [] },
)

export const openCodeFailed = lines({
  type: "error",
  timestamp: 1,
  sessionID: "ses_1",
  error: { name: "ProviderAuthError", data: { providerID: "anthropic", message: "no key" } },
})

const piUsage = (input: number, cacheRead: number, output: number, total: number) => ({
  input,
  output,
  cacheRead,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total },
})

const piDelta = (delta: string) => ({
  type: "message_update",
  usage: piUsage(0, 0, 0, 0),
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta },
})

const piMessage = (text: string, stopReason: string, usage: object, errorMessage?: string) => ({
  role: "assistant",
  content: text === "" ? [] : [{ type: "text", text }],
  stopReason,
  usage,
  errorMessage,
})

export const pi = lines(
  { type: "session", version: 3, id: "s", timestamp: "t", cwd: "/here" },
  { type: "agent_start" },
  { type: "message_start", message: { role: "user", content: "Why?" } },
  { type: "message_end", message: { role: "user", content: "Why?" } },
  { type: "message_start", message: piMessage("", "stop", piUsage(0, 0, 0, 0)) },
  { type: "message_end", message: piMessage("", "error", piUsage(0, 0, 0, 0), "overloaded") },
  { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage: "overloaded" },
  { type: "message_start", message: piMessage("", "stop", piUsage(0, 0, 0, 0)) },
  piDelta("I look"),
  piDelta(" it up."),
  { type: "message_end", message: piMessage("I look it up.", "toolUse", piUsage(100, 1000, 10, 0.01)) },
  { type: "tool_execution_start", toolCallId: "c", toolName: "read", args: { path: "src/a.ts" } },
  { type: "tool_execution_end", toolCallId: "c", toolName: "read", result: {}, isError: false },
  { type: "message_start", message: piMessage("", "stop", piUsage(0, 0, 0, 0)) },
  piDelta("The answer\n"),
  piDelta("is 42."),
  { type: "message_end", message: piMessage("The answer\nis 42.", "stop", piUsage(110, 2000, 10, 0.0025)) },
  { type: "agent_end", messages: [], willRetry: false },
)

/** Its exit code is 0. */
export const piFailed = lines(
  { type: "message_start", message: piMessage("", "stop", piUsage(0, 0, 0, 0)) },
  { type: "message_end", message: piMessage("", "error", piUsage(0, 0, 0, 0), "401 invalid x-api-key") },
  { type: "agent_end", messages: [], willRetry: false },
)
