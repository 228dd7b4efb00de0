/**
 * Several repositories that tool calls are about: each is opened and brought up to date by itself, and they answer as
 * one.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { mapInParallel } from "../../base/concurrency.ts"
import { sanitizeLine } from "../../base/Sanitize.ts"
import type { Project } from "../../lookup/Project.ts"
import { joinProjects } from "../../lookup/repositories/joinProjects.ts"
import { Failed } from "../../tool/ToolError.ts"
import * as Repositories from "../project/Repositories.ts"
import type { RepositoryFolder } from "../project/RepositoryFolders.ts"
import * as CurrentProject from "./CurrentProject.ts"

/**
 * Makes one project of them. A repository that cannot be read, as while its folder is gone, is left out, and answers
 * say so. Fails if none can be read.
 */
export const make = Effect.fnUntraced(function* (folders: ReadonlyArray<RepositoryFolder>) {
  const members = yield* Effect.forEach(folders, ({ folder, name }) =>
    Effect.map(CurrentProject.make(Option.some(folder)), (current) => ({ name, current })),
  )

  /** Collects the results of all repositories that can be read, and the reasons why the others cannot. */
  const ofEach = Effect.fnUntraced(function* <A>(
    get: (one: CurrentProject.CurrentProject) => Effect.Effect<A, Failed>,
  ) {
    const results = yield* mapInParallel(members, ({ current, name }) =>
      Effect.map(Effect.either(get(current)), (result) => ({ name, result })),
    )
    const problems = results.flatMap(({ name, result }) =>
      Either.isLeft(result) ? [`${name} cannot be read, and is left out: ${result.left.message}`] : [],
    )
    const found = results.flatMap(({ name, result }) => (Either.isRight(result) ? [{ name, value: result.right }] : []))
    if (found.length === 0) return yield* new Failed({ message: problems.join("; ") })
    return { found, problems }
  })

  const join = (found: ReadonlyArray<{ readonly name: string; readonly project: Project }>) =>
    Repositories.separate(found).pipe(
      Effect.map(({ kept }) => joinProjects(kept)),
      Effect.mapError(({ message }) => new Failed({ message })),
    )

  const projects = ofEach(({ opened }) => opened)
  const current: CurrentProject.CurrentProject = {
    opened: Effect.flatMap(projects, ({ found }) => join(found.map(({ name, value }) => ({ name, project: value })))),
    each: Effect.map(projects, ({ found }) => found.map(({ value }) => value)),
    current: Effect.gen(function* () {
      const { found, problems } = yield* ofEach(({ current }) => current)
      const project = yield* join(found.map(({ name, value }) => ({ name, project: value.project })))
      const notices = found.flatMap(({ name, value: { notice } }) =>
        notice === undefined ? [] : [`${name}: ${notice.replace(/^\((.*)\)$/, "$1")}`],
      )
      const all = [...problems, ...notices]
      return { project, notice: all.length === 0 ? undefined : `(${sanitizeLine(all.join("; "))})` }
    }),
  }
  return current
})
