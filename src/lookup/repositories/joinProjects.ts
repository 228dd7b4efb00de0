/** Joins several repositories, each with an index of its own, into one project. */
import * as path from "node:path"
import type { Project } from "../Project.ts"
import * as JoinedIndex from "./JoinedIndex.ts"
import * as JoinedWorkspace from "./JoinedWorkspace.ts"

interface Member {
  /** See `Repository`. */
  readonly name: string
  readonly project: Project
}

/** Its paths are shown as they are: `api/src/main.ts`. There is at least one member. */
export const joinProjects = (members: ReadonlyArray<Member>): Project => {
  const repositories = members.map(({ name, project }) => ({ name, root: project.workspace.root }))
  return {
    workspace: JoinedWorkspace.make(
      commonFolder(repositories.map(({ root }) => root)),
      members.map(({ name, project }) => ({ name, workspace: project.workspace })),
    ),
    index: JoinedIndex.make(members.map(({ name, project }) => ({ name, index: project.index }))),
    displayPath: (path) => path,
    repositories,
  }
}

/** The nearest folder that has them all. */
const commonFolder = (folders: ReadonlyArray<string>): string =>
  folders.reduce((common, folder) => {
    let shared = common
    while (shared !== path.dirname(shared) && folder !== shared && !folder.startsWith(path.join(shared, path.sep))) {
      shared = path.dirname(shared)
    }
    return shared
  }, folders[0] ?? path.resolve("."))
