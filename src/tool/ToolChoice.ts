/**
 * Which of the offered tools a model may call in its next turn: any, none, or one that it must call. An adapter offers that tool
 * alone if its protocol cannot require one.
 */
export type ToolChoice = "auto" | "none" | { readonly tool: string }

/** Whether a provider has rejected a request, by its message, because it required a tool. */
export const isRefusal = (message: string): boolean =>
  /tool[ _-]?(?:choice|config)|function[ _-]?call|forc(?:e|es|ed|ing)\b.{0,20}\btools?\b|too many states/i.test(message)
