/** A repository of Git in a folder of its own, which is gone when the scope closes. */
import * as assert from "node:assert"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect } from "effect"
import { isInstalled } from "./isInstalled.ts"

export interface GitRepository {
  /** Its path has no links in it. */
  readonly root: string
  /** Runs git there, which must end well; what it prints. */
  readonly git: (...args: ReadonlyArray<string>) => string
  readonly write: (files: Readonly<Record<string, string | Uint8Array | undefined>>) => void
  /** Writes files (`undefined` removes one), and commits all that differs. Returns the id of the commit. */
  readonly commit: (files?: Readonly<Record<string, string | Uint8Array | undefined>>) => string
}

export const isAvailable = isInstalled("git")

/** Neither the settings of this machine nor those of its user count. */
export const environment = (home: string): Readonly<Record<string, string>> => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
})

/**
 * What `git init` writes without templates: folders, and files with their content, by their paths in `.git`. Git is
 * asked once; to write the same again takes a fraction of the time of a process.
 */
let initial: ReadonlyArray<readonly [name: string, content: Buffer | undefined]> | undefined

const initialize = (root: string, git: GitRepository["git"]) => {
  const folder = path.join(root, ".git")
  if (fs.existsSync(folder)) return
  if (initial === undefined) {
    git("init", "--quiet", "--initial-branch=main", "--template=")
    initial = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [path.relative(folder, file), entry.isFile() ? fs.readFileSync(file) : undefined]
    })
    return
  }
  for (const [name, content] of initial) {
    const file = path.join(folder, name)
    fs.mkdirSync(content === undefined ? file : path.dirname(file), { recursive: true })
    if (content !== undefined) fs.writeFileSync(file, content)
  }
}

/** The id of the last commit, read off the files of a plain repository, else by git. */
const headOf = (root: string, git: GitRepository["git"]): string => {
  const folder = path.join(root, ".git")
  if (!fs.statSync(folder).isDirectory()) return git("rev-parse", "HEAD")
  const [, branch] = /^ref: (.+)$/m.exec(fs.readFileSync(path.join(folder, "HEAD"), "utf8")) ?? []
  const file = path.join(folder, branch ?? "HEAD")
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : git("rev-parse", "HEAD")
}

/**
 * An alias for both commands, since git starts them faster than a process with much memory does. Git would start another
 * process after each commit, to look whether there is something to tidy up.
 */
const COMMIT_ALL = "git add --all && git -c maintenance.auto=false commit --quiet --allow-empty --message=work"

/** `folder`: where it is made, instead of a new one. */
export const make = (folder?: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => folder ?? fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vibe-git-")))),
      (root) =>
        Effect.sync(() => (folder === undefined ? fs.rmSync(root, { recursive: true, force: true }) : undefined)),
    ),
    (root): GitRepository => {
      const git = (...args: ReadonlyArray<string>): string => {
        const { status, stderr, stdout } = spawnSync("git", args, {
          cwd: root,
          encoding: "utf8",
          env: environment(path.join(root, "..")),
        })
        assert.strictEqual(status, 0, `git ${args.join(" ")}: ${stderr}${stdout}`)
        return stdout.trimEnd()
      }
      const write: GitRepository["write"] = (files) => {
        for (const [name, content] of Object.entries(files)) {
          const file = path.join(root, name)
          if (content === undefined) {
            fs.rmSync(file)
            continue
          }
          fs.mkdirSync(path.dirname(file), { recursive: true })
          fs.writeFileSync(file, content)
        }
      }
      initialize(root, git)
      return {
        root,
        git,
        write,
        commit: (files = {}) => {
          write(files)
          git("-c", `alias.work=!${COMMIT_ALL}`, "work")
          return headOf(root, git)
        },
      }
    },
  )
