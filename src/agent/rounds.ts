/**
 * All limits of rounds. A round is one request to a model. A model that calls tools gets another round with their
 * results, until it answers or the limit is reached.
 */

/** The rounds of one exploration, as specified; the requests of its batches count, too. */
export const EXPLORATION_ROUNDS = 20

/**
 * The most of these rounds for looking around and drawing the map if batches follow. The last of them says that no more
 * come.
 */
export const LOOK_AROUND_ROUNDS = 6

/**
 * The rounds of one turn of a conversation, as specified for interviews. There is no time limit: the user sees the
 * time, and can stop it.
 */
export const CONVERSATION_ROUNDS = 50

/** The rounds of one question of `vibe ask` with tools. */
export const QUESTION_ROUNDS = 20

/** The rounds of a run of the agent loop if its caller names no limit. */
export const DEFAULT_ROUNDS = 5
