/**
 * The offered tools that a model may call in its next reply: any, none, or one that it must call. An adapter offers that
 * tool alone if its protocol cannot require one.
 */
export type ToolChoice = "auto" | "none" | { readonly tool: string }

/** Returns true if a provider has rejected a request because it required a tool, judging by its message. */
export const isRefusal = (message: string): boolean =>
  /tool[ _-]?(?:choice|config)|function[ _-]?call|forc(?:e|es|ed|ing)\b.{0,20}\btools?\b|too many states/i.test(message)
