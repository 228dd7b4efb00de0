/**
 * Which of the offered tools a model may call in its next turn: any, none, or one that it must call. An adapter whose
 * protocol cannot require a tool offers that tool alone.
 */
export type ToolChoice = "auto" | "none" | { readonly tool: string }
