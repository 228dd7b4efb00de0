/** What came of one message to a `ConversationEngine`. */
export interface EngineOutput {
  /** To be shown to the person. */
  readonly text: string
  /**
   * What tools wrote on the way to the answer, as they report it, each path once in the order of its first write.
   * Absent where nothing was written.
   */
  readonly files_written?: ReadonlyArray<string>
  /** The model said in this turn that the session is complete. It can go on all the same. */
  readonly done: boolean
}
