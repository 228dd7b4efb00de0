/**
 * Gives `it.effect` and its like their own meaning again before each file: test files share a process, and `layer` and
 * `it.layer` of `@effect/vitest` write the testers of their layer into the one `it` that all files use. The services of
 * tests are made in a way that takes less time: thousands of tests have some.
 */
import { it, makeMethods } from "@effect/vitest"
import { Effect, type Scope, type TestServices } from "effect"
import { testerWith, withTestServices } from "./utils/testServices.ts"

const { live } = makeMethods(it)

Object.assign(it, {
  effect: testerWith<TestServices.TestServices>(live, withTestServices),
  scoped: testerWith<TestServices.TestServices | Scope.Scope>(live, (self) => withTestServices(Effect.scoped(self))),
})
