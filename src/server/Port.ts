/** The port that the server listens on, which is known once it does. */
import * as Context from "effect/Context"

export class Port extends Context.Tag("vibe/server/Port")<Port, number>() {}
