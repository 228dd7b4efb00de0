/** Managers of a conversation about a text, and how tests read their messages. */
import { Effect, Layer } from "effect"
import * as ConversationManager from "../../src/conversation/engines/ConversationManager.ts"
import * as Message from "../../src/message/Message.ts"
import * as LanguageModel from "../../src/model/LanguageModel.ts"
import type { Request } from "../../src/model/Request.ts"
import * as Scripted from "../../src/provider/scripted/Scripted.ts"
import { layerOf, withScript } from "./Looms.ts"

export const SYSTEM = "You help users create images..."

export const made = (options: Partial<ConversationManager.Options> = {}) =>
  ConversationManager.make({ owner: "test", systemPrompt: SYSTEM, ...options })

/** A message as the specification writes it. */
export const line = (message: Message.Message) => `[${message.role}] ${Message.text(message)}`

export const lines = (messages: ReadonlyArray<Message.Message>) => messages.map(line)

export const history = (manager: ConversationManager.Service) => Effect.map(manager.getHistory(), lines)

export const context = (manager: ConversationManager.Service) => Effect.map(manager.buildLLMContext(), lines)

export const unasked = withScript([])

export const EXAMPLE = [
  "[system] You help users create images...",
  "[user] I want a cat in a hat",
  "[assistant] A cat in a hat! Let me ask...",
  "[user] Make it a tabby cat with a wizard hat",
  "[assistant] Got it! Here's what I have:\n\nPrompt: a tabby cat wearing a wizard hat, fantasy style",
  '[system] [user edited prompt to: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
  "[user] Now make the background purple",
  '[system] [current prompt: "a tabby cat wearing a sparkly wizard hat, fantasy style"]',
]

/** Answers in order, and remembers what it was asked. */
export const recording = (script: ReadonlyArray<Scripted.Line>) => {
  const requests: Array<Request> = []
  const model = Scripted.make((request, index) => {
    requests.push(request)
    return script[index] ?? "nothing more"
  })
  return { requests, layer: layerOf(Layer.effect(LanguageModel.LanguageModel, model)) }
}

export const asked = ({ messages, system }: Request) => [`[system] ${system}`, ...lines(messages)]
