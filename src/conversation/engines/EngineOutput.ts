/** The output of one message to a `ConversationEngine`. */
export interface EngineOutput {
  /** The answer, for the user. */
  readonly text: string
  /**
   * The paths that tools have written in this turn, as they report them, each once in the order of its first write.
   * Absent if nothing was written.
   */
  readonly files_written?: ReadonlyArray<string>
  /** True if the model has declared the session complete in this turn. The session can continue all the same. */
  readonly done: boolean
}
