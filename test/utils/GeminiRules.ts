/** A server that enforces Google's rules for a history, with the errors of Google's API. */
import * as FakeServer from "./FakeServer.ts"
import { google, refusing } from "./Gemini.ts"

interface Part {
  readonly text?: string
  readonly thoughtSignature?: string
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown }
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: unknown }
}

export interface Content {
  readonly role: string
  readonly parts: ReadonlyArray<Part>
}

export const contentsOf = ({ body }: FakeServer.Received): ReadonlyArray<Content> =>
  // What the adapter has just sent, in the wire shape of Google's API.
  (body as { contents: ReadonlyArray<Content> }).contents

interface Declaration {
  readonly name: string
  readonly parametersJsonSchema: unknown
}

export const declarationsOf = ({ body }: FakeServer.Received): ReadonlyArray<Declaration> => {
  // Likewise.
  const { tools = [] } = body as { tools?: ReadonlyArray<{ functionDeclarations: ReadonlyArray<Declaration> }> }
  return tools.flatMap(({ functionDeclarations }) => functionDeclarations)
}

/** The rule that a declaration breaks, if it does. */
export const refusesTool = ({ name, parametersJsonSchema }: Declaration): string | undefined => {
  if (!/^[A-Za-z_][\w.:-]{0,63}$/.test(name)) return rules.toolName
  return /"\$ref":/.test(JSON.stringify(parametersJsonSchema)) ? rules.depth : undefined
}

/** Answers in order whatever keeps the rules; refuses the rest, which takes no answer. */
export const serve = (answers: ReadonlyArray<FakeServer.Answer>) => {
  let given = 0
  return FakeServer.serve((request) => {
    const rule = broken(request.path, contentsOf(request))
    return rule === undefined ? (answers[given++] ?? refusing(500, google(500, "no more answers"))) : refused(rule)
  })
}

export const refused = (rule: string): FakeServer.Answer => refusing(400, google(400, rule))

export const rules = {
  order: "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
  count:
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  signature: "Function call is missing a thought_signature in functionCall parts.",
  toolName: "Invalid function name. Must start with a letter or an underscore.",
  /** The error for a schema that contains itself; a `$ref` to another one passes only if nothing stands beside it. */
  depth: "The maximum schema depth is exceeded.",
  empty: "Unable to submit request because it must have a text parameter.",
}

/** The rule that a request breaks, if it does; `path` names the model. */
export const broken = (path: string, contents: ReadonlyArray<Content>): string | undefined => {
  if (contents.length % 2 === 0 || contents.some(({ role }, at) => role !== (at % 2 === 0 ? "user" : "model"))) {
    return rules.order
  }
  if (contents.some(({ parts }) => parts.length === 0 || parts.some(isEmpty))) return rules.empty
  for (const [index, { parts }] of contents.entries()) {
    const calls = callsOf(contents[index - 1])
    const answers = parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]))
    const first = parts.slice(0, answers.length)
    if (answers.length !== calls.length || first.some(({ functionResponse }) => functionResponse === undefined)) {
      return rules.count
    }
    if (answers.some(({ id, name }, at) => id !== calls[at]?.id || name !== calls[at]?.name)) return rules.count
    const call = parts.find(({ functionCall }) => functionCall !== undefined)
    if (needsSignature(path) && call !== undefined && call.thoughtSignature === undefined) {
      return rules.signature
    }
  }
  return undefined
}

const callsOf = (content: Content | undefined) =>
  content?.parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall])) ?? []

const isEmpty = ({ text, thoughtSignature }: Part): boolean => text === "" && thoughtSignature === undefined

const needsSignature = (path: string): boolean => /gemini-3/.test(path)
