/**
 * Gives `it.effect` and its like their own meaning again before each file: test files share a process, and `layer` and
 * `it.layer` of `@effect/vitest` write the testers of their layer into the one `it` that all files use.
 */
import { it, makeMethods } from "@effect/vitest"

makeMethods(it)
