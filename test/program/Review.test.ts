/** `vibe check`, `vibe diff` and `vibe merge-driver` in repositories of the real program git. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PurposeMerge from "../../src/index/PurposeMerge.ts"
import * as PurposeShards from "../../src/index/PurposeShards.ts"
import * as Purposes from "../../src/index/Purposes.ts"
import { lineFor } from "../review/outlined.ts"
import * as GitRepository from "../utils/GitRepository.ts"
import { bin, folder, vibe } from "./vibe.ts"

const sum = "export function sum(one: number, other: number) {\n  return one + other\n}\n"
const PURPOSES = ".vibe/purposes.jsonl"
const FORMER_DRIVERS = [
  "vibe merge-driver %O %A %B",
  "if command -v vibe >/dev/null 2>&1; then vibe merge-driver %O %A %B; else git merge-file %A %O %B; fi",
]
const DRIVER =
  "vibe merge-driver %O %A %B; code=$?; " +
  "if [ $code -gt 1 ]; then git merge-file -L ours -L base -L theirs %A %O %B; code=$?; fi; exit $code"

/** A repository with one explained symbol. */
const explained = Effect.gen(function* () {
  const repository = yield* GitRepository.make(yield* folder())
  const purposes = yield* lineFor("src/sum.ts", sum, "sum", "Adds two numbers.")
  repository.commit({ "src/sum.ts": sum, [PURPOSES]: purposes })
  return { ...repository, purposes }
})

/** Its environment has no settings of git's. */
const inRepository = (root: string) => ({ cwd: root, env: GitRepository.environment(root) })

describe.skipIf(!GitRepository.isAvailable)("vibe check", () => {
  it.scopedLive("fails by settings that are wrong, as vibe diff does, where there is an index, too", () =>
    Effect.gen(function* () {
      const { root, write } = yield* explained
      const options = inRepository(root)
      assert.strictEqual((yield* vibe(["check"], options)).code, 0)
      write({ ".vibe/config.toml": "[index]\nexclude = 3\n" })
      const [check, diff] = [yield* vibe(["check"], options), yield* vibe(["diff", "HEAD"], options)]
      assert.match(check.stderr, /^vibe: .*config\.toml:2: .*\n$/)
      assert.deepStrictEqual([check.code, check.stderr], [2, diff.stderr])
      const status = yield* vibe(["status"], options)
      assert.strictEqual(status.code, 0)
      assert.match(status.stderr, /^vibe: the settings are not used: .*config\.toml:2: .*\n$/)
    }),
  )

  it.scopedLive("ends with 3 if the model of --model has no key, and asks none without it", () =>
    Effect.gen(function* () {
      const { root } = yield* explained
      const options = inRepository(root)
      const refused = yield* vibe(["check", "--model", "openai/gpt-5-mini"], options)
      assert.deepStrictEqual([refused.code, refused.stdout], [3, ""])
      assert.match(refused.stderr, /^vibe: .*OPENAI_API_KEY/)
      assert.strictEqual((yield* vibe(["check"], options)).code, 0)
    }),
  )

  it.scopedLive("finds what a change made stale and what is new, and fails by --strict alone", () =>
    Effect.gen(function* () {
      const { root, write } = yield* explained
      const options = inRepository(root)
      const clean = yield* vibe(["check", "--strict"], options)
      assert.deepStrictEqual([clean.code, clean.stderr], [0, ""])
      assert.match(clean.stdout, /^no findings; compared the working tree with the last commit, [0-9a-f]{7}: 0 changed/)

      write({ "src/sum.ts": sum.replace("+", "-"), "src/new.ts": "export function fresh() {\n  return 1\n}\n" })
      const { code, stdout } = yield* vibe(["check"], options)
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(stdout.split("\n").slice(0, 4), [
        "src/new.ts:1  missing-purpose",
        "  function fresh is new and has no purpose",
        "src/sum.ts:2  stale-purpose",
        "  the body of function sum has changed since its purpose was written: Adds two numbers.",
      ])

      const strict = yield* vibe(["check", "--strict", "--json"], options)
      assert.deepStrictEqual([strict.code, strict.stderr], [1, "vibe: 2 findings\n"])
      const report = JSON.parse(strict.stdout)
      assert.strictEqual(report.error.reason, "NotClean")
      assert.deepStrictEqual(
        report.findings.map(({ rule, path, line }: Record<string, unknown>) => [rule, path, line]),
        [
          ["missing-purpose", "src/new.ts", 1],
          ["stale-purpose", "src/sum.ts", 2],
        ],
      )
      const sarif = yield* vibe(["check", "--strict", "--sarif"], options)
      assert.strictEqual(sarif.code, 1)
      assert.lengthOf(JSON.parse(sarif.stdout).runs[0].results, 2)
    }),
  )

  it.scopedLive("makes the structure where there is no index, and names places from the top in SARIF", () =>
    Effect.gen(function* () {
      const { commit, git, root, write } = yield* GitRepository.make(yield* folder())
      commit({ "packages/a/one.ts": sum, "packages/a/.vibe/purposes.jsonl": "" })
      const base = git("rev-parse", "HEAD")
      write({ "packages/a/two.ts": sum })
      const options = { ...inRepository(root), cwd: path.join(root, "packages/a") }
      const { code, stderr, stdout } = yield* vibe(["check", "--base", base, "--sarif"], options)
      assert.deepStrictEqual([code, stderr], [0, ""])
      const [{ locations }] = JSON.parse(stdout).runs[0].results
      assert.strictEqual(locations[0].physicalLocation.artifactLocation.uri, "packages/a/two.ts")

      const other = yield* GitRepository.make(yield* folder())
      other.write({ "a.ts": sum })
      const fresh = yield* vibe(["check"], inRepository(other.root))
      assert.strictEqual(fresh.code, 0, fresh.stderr)
      assert.include(fresh.stdout, "a.ts:1  missing-purpose")
      assert.isTrue(fs.existsSync(path.join(other.root, ".vibe/index.db")))
    }),
  )

  it.scopedLive("repairs purposes.jsonl by --fix", () =>
    Effect.gen(function* () {
      const { purposes, root, write } = yield* explained
      write({ [PURPOSES]: `<<<<<<< HEAD\n${purposes}=======\n${purposes}>>>>>>> topic\n` })
      const options = inRepository(root)
      const found = yield* vibe(["check", "--strict"], options)
      assert.strictEqual(found.code, 1)
      assert.include(found.stdout, `${PURPOSES}:1  conflict-markers`)
      assert.include(found.stdout, `${PURPOSES}:4  duplicate-purpose`)
      const fixed = yield* vibe(["check", "--strict", "--fix"], options)
      assert.deepStrictEqual([fixed.code, fixed.stderr], [0, `vibe: ${PURPOSES} is repaired\n`])
      assert.strictEqual(fs.readFileSync(path.join(root, PURPOSES), "utf8"), purposes)
    }),
  )

  it.scopedLive("warns of markers of a conflict, with what mends them", () =>
    Effect.gen(function* () {
      const { purposes, root, write } = yield* explained
      write({ [PURPOSES]: `<<<<<<< HEAD\n${purposes}=======\n>>>>>>> topic\n` })
      const { stderr } = yield* vibe(["check"], inRepository(root))
      assert.include(stderr, "has markers of a merge conflict; 'vibe check --fix' keeps both sides")
    }),
  )

  it.scopedLive("completes branches and tags where a commit is named", () =>
    Effect.gen(function* () {
      const { git, root } = yield* explained
      git("branch", "team/x")
      git("tag", "v1")
      const complete = (...words: ReadonlyArray<string>) =>
        Effect.map(vibe(["completion", "bash", "--", ...words.map((word) => `=${word}`)], inRepository(root)), (ran) =>
          ran.stdout.trimEnd(),
        )
      assert.strictEqual(yield* complete("diff", ""), "main\nteam/x\nv1")
      assert.strictEqual(yield* complete("check", "--base", "te"), "team/x")
    }),
  )

  it.scopedLive("says in a line what is wrong with the repository or the base", () =>
    Effect.gen(function* () {
      const outside = yield* folder({ "a.ts": sum })
      const { root } = yield* explained
      const refused = Effect.fnUntraced(function* (cwd: string, args: ReadonlyArray<string>, ...words: Array<string>) {
        const { code, stderr, stdout } = yield* vibe(args, { ...inRepository(cwd), cwd })
        assert.deepStrictEqual([code, stdout], [2, ""], stderr)
        assert.lengthOf(stderr.trimEnd().split("\n"), 1, stderr)
        for (const word of words) assert.include(stderr, word)
      })
      yield* refused(outside, ["check"], "is not in the working tree of a Git repository", "--root")
      yield* refused(outside, ["diff", "main"], "is not in the working tree of a Git repository")
      yield* refused(root, ["check", "--base", "nowhere"], "there is no commit 'nowhere' here", "git fetch")
      yield* refused(root, ["check", "--base=-x"], "'-x' is not the name of a commit", "vibe check --help")
      yield* refused(root, ["diff", "--", "-x"], "'-x' is not the name of a commit", "vibe diff --help")
      const { git, root: fresh } = yield* GitRepository.make(yield* folder({ "a.ts": sum }))
      yield* refused(fresh, ["diff", "HEAD"], "there is no commit yet")
      git("remote", "add", "origin", root)
      git("commit", "--quiet", "--allow-empty", "--message=work")
      yield* refused(
        fresh,
        ["check", "--base", "origin/team/x"],
        "there is no commit 'origin/team/x'",
        "git fetch origin team/x:refs/remotes/origin/team/x",
      )
      yield* refused(root, ["check", "--sarif", "--base", "HEAD:src"], "HEAD:src")
      const noGit = yield* vibe(["check"], { cwd: root, env: { ...GitRepository.environment(root), PATH: root } })
      assert.deepStrictEqual([noGit.code, noGit.stdout], [2, ""])
      assert.include(noGit.stderr, "the program git is not installed")
    }),
  )
})

describe.skipIf(!GitRepository.isAvailable)("vibe diff", () => {
  it.scopedLive("tells what commits changed by symbols and what they are for, code first", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* explained
      commit({
        "README.md": "# A\n",
        "src/sum.ts": sum.replace("other: number", "other: bigint"),
        "test/a.test.ts": sum,
      })
      const { code, stderr, stdout } = yield* vibe(["diff", "HEAD~1..HEAD"], inRepository(root))
      assert.deepStrictEqual([code, stderr], [0, ""])
      const [title = "", ...lines] = stdout.split("\n")
      assert.match(title, /^compared HEAD \([0-9a-f]{7}\) with HEAD~1 \([0-9a-f]{7}\); symbols: 1 added, 1 changed$/)
      assert.deepStrictEqual(lines, [
        "",
        "src/sum.ts",
        "  ~ function sum (signature)  :1",
        "      was export function sum(one: number, other: number)",
        "      now export function sum(one: number, other: bigint)",
        "      Adds two numbers. (stale)",
        "",
        "test/a.test.ts",
        "  + sum",
        "",
        "1 other file: README.md (added)",
        "",
      ])
      const json = JSON.parse((yield* vibe(["diff", "HEAD~1..HEAD", "--json"], inRepository(root))).stdout)
      assert.deepStrictEqual(
        json.files.map(({ class: kind, path, symbols }: Record<string, Array<Record<string, unknown>>>) => [
          path,
          kind,
          symbols?.map(({ change, extent, stale, symbol }) => [change, extent, symbol, stale]),
        ]),
        [
          ["src/sum.ts", "code", [["changed", "signature", "sum", true]]],
          ["test/a.test.ts", "test", [["added", null, "sum", false]]],
        ],
      )
    }),
  )

  it.scopedLive("counts what has changed in purposes.jsonl, and says where a commit has no others", () =>
    Effect.gen(function* () {
      const { commit, git, root } = yield* explained
      const rewritten = yield* lineFor("src/sum.ts", sum, "sum", "Sums up.")
      const added = yield* lineFor("src/sum.ts", sum.replace("sum", "b"), "b", "New.")
      commit({ [PURPOSES]: added + rewritten })
      const { stdout } = yield* vibe(["diff", "HEAD~1"], inRepository(root))
      assert.include(stdout, "no symbol has changed\n\npurposes: 1 new, 1 rewritten\n")
      const json = JSON.parse((yield* vibe(["diff", "HEAD~1..HEAD", "--json"], inRepository(root))).stdout)
      assert.deepStrictEqual(json.purposes, { new: 1, rewritten: 1, removed: 0 })
      git("branch", "ahead")
      commit({ [PURPOSES]: "" })
      assert.include((yield* vibe(["diff", "HEAD~1"], inRepository(root))).stdout, "purposes: 2 removed")
      const behind = yield* vibe(["diff", "HEAD..ahead"], inRepository(root))
      assert.match(
        behind.stdout,
        /^compared ahead \([0-9a-f]{7}\) with HEAD \([0-9a-f]{7}\), which has all its commits; no/,
      )
    }),
  )

  it.scopedLive("hands no escape sequence of a path, a name or a purpose to the terminal", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make(yield* folder())
      commit()
      const text = "// \x1b[31mred\nexport function sum(one = '\x1b]0;title\x07') {\n  return one\n}\n"
      commit({ "a\x1b[2J.ts": text, "b\x1b[2J.md": "# B" })
      const { code, stdout } = yield* vibe(["diff", "HEAD~1.."], inRepository(root))
      assert.strictEqual(code, 0)
      assert.notInclude(stdout, "\x1b")
    }),
  )
})

describe.skipIf(process.platform === "win32" || !GitRepository.isAvailable)("vibe merge-driver", () => {
  /** Two branches that wrote of the same version, of other versions and of other symbols, each beside the other. */
  const branches = Effect.gen(function* () {
    const repository = yield* explained
    const { commit, git, root } = repository
    const tools = yield* folder({ vibe: `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n` })
    fs.chmodSync(path.join(tools, "vibe"), 0o755)
    const options = inRepository(root)
    const merge = (branch: string) =>
      spawnSync("git", ["merge", "--no-edit", branch], {
        cwd: root,
        encoding: "utf8",
        env: { ...options.env, PATH: `${tools}:${options.env.PATH}`, HOME: root, NODE_COMPILE_CACHE: "" },
      })
    const line = (symbol: string, purpose: string, node: string) =>
      lineFor("src/sum.ts", sum.replace("sum", symbol), symbol, purpose, node)
    const base = yield* line("b", "The base.", "n-1")
    const added = {
      ours: (yield* line("a", "Ours alone.", "n-2")) + (yield* line("c", "Both, ours.", "n-2")),
      theirs: (yield* line("c", "Both, theirs.", "n-3")) + (yield* line("d", "Theirs alone.", "n-3")),
    }
    commit({ [PURPOSES]: base })
    git("switch", "--quiet", "--create", "theirs")
    commit({ [PURPOSES]: base + added.theirs })
    git("switch", "--quiet", "--create", "ours", "main")
    commit({ [PURPOSES]: PurposeMerge.repair(added.ours + base) })
    return { ...repository, options, merge, read: () => fs.readFileSync(path.join(root, PURPOSES), "utf8") }
  })

  const purposesOf = (text: string): ReadonlyArray<string> =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).purpose)

  it.scopedLive("lets git merge branches that conflict without it, to the same in both directions", () =>
    Effect.gen(function* () {
      const { commit, git, merge, options, read } = yield* branches
      assert.strictEqual(merge("theirs").status, 1)
      git("merge", "--abort")

      const installed = yield* vibe(["merge-driver", "--install"], options)
      assert.strictEqual(installed.code, 0, installed.stderr)
      assert.include(installed.stdout, "commit it")
      assert.strictEqual(git("config", "--local", "merge.vibe.driver"), DRIVER)
      const again = yield* vibe(["merge-driver", "--install"], options)
      assert.deepStrictEqual(
        again.stdout.split("\n").filter((line) => line.includes("already")).length,
        2,
        again.stdout,
      )
      commit()
      const attributes = fs.readFileSync(path.join(options.cwd, ".gitattributes"))

      const merged = merge("theirs")
      assert.strictEqual(merged.status, 0, merged.stdout + merged.stderr)
      const text = read()
      assert.deepStrictEqual(purposesOf(text), ["Ours alone.", "The base.", "Both, theirs.", "Theirs alone."])
      assert.deepStrictEqual(PurposeMerge.findFlaws(text), [])

      git("switch", "--quiet", "theirs")
      fs.writeFileSync(path.join(options.cwd, ".gitattributes"), attributes)
      commit()
      assert.strictEqual(merge("ours~1").status, 0)
      assert.strictEqual(read(), text)
    }),
  )

  it.scopedLive("merges a branch with one file of purposes into one with a file for each folder", () =>
    Effect.gen(function* () {
      const { commit, git, merge, options, read, root } = yield* branches
      yield* vibe(["merge-driver", "--install"], options)
      // As `vibe index` leaves them once there are enough.
      const single = { name: PurposeShards.SINGLE, text: read() }
      const limits = { single: 0, shard: 100_000 }
      const write = PurposeShards.plan([single], Purposes.parse(single.text).lines, limits)
      commit(Object.fromEntries(write.map(({ name, text }) => [`.vibe/${name}`, text])))
      assert.strictEqual(read(), "")
      const shards = () => fs.readFileSync(path.join(root, ".vibe/purposes/@.jsonl"), "utf8")
      assert.deepStrictEqual(purposesOf(shards()), ["Ours alone.", "The base.", "Both, ours."])

      // What theirs has added stays in the one file, until an exploration moves it.
      const merged = merge("theirs")
      assert.strictEqual(merged.status, 0, merged.stdout + merged.stderr)
      assert.deepStrictEqual(purposesOf(read()), ["Both, theirs.", "Theirs alone."])
      const found = yield* vibe(["check", "--strict", "--base", "HEAD"], options)
      assert.strictEqual(found.code, 0, found.stdout + found.stderr)
      const { stdout } = yield* vibe(["diff", "HEAD~1..HEAD"], options)
      assert.include(stdout, "purposes: 1 new, 1 rewritten")
      const explored = yield* vibe(["index", "--model", "offline"], options)
      assert.strictEqual(explored.code, 0, explored.stderr)
      assert.strictEqual(read(), "")
      assert.deepStrictEqual(purposesOf(shards()), ["Ours alone.", "The base.", "Both, theirs.", "Theirs alone."])
      commit()

      // Two branches that change one shard are merged by the driver, too.
      git("switch", "--quiet", "--create", "left")
      const [first = "", ...others] = shards().trimEnd().split("\n")
      const change = (text: string) => first.replace("Ours alone.", text).replace('"n-2"', '"n-5"')
      commit({ ".vibe/purposes/@.jsonl": `${[change("Left."), ...others].join("\n")}\n` })
      git("switch", "--quiet", "ours")
      commit({ ".vibe/purposes/@.jsonl": `${[first, ...others.slice(0, -1)].join("\n")}\n` })
      assert.strictEqual(merge("left").status, 0)
      assert.deepStrictEqual(purposesOf(shards()), ["Left.", "The base.", "Both, theirs."])
    }),
  )

  it.scopedLive("loses nothing where git finds no vibe, and renews a driver that would", () =>
    Effect.gen(function* () {
      const { commit, git, options, read, root } = yield* branches
      for (const former of FORMER_DRIVERS) {
        git("config", "merge.vibe.driver", former)
        const installed = yield* vibe(["merge-driver", "--install"], {
          ...options,
          env: { ...options.env, PATH: "/usr/bin:/bin" },
        })
        assert.include(installed.stdout, "set merge.vibe.driver")
        assert.include(installed.stderr, "Git finds no 'vibe' on PATH")
        assert.strictEqual(git("config", "--local", "merge.vibe.driver"), DRIVER)
      }
      commit()
      const merged = spawnSync("git", ["merge", "--no-edit", "theirs"], {
        cwd: root,
        encoding: "utf8",
        env: { ...options.env, PATH: "/usr/bin:/bin", HOME: root },
      })
      assert.strictEqual(merged.status, 1, merged.stderr)
      for (const words of ["<<<<<<<", "Both, ours.", "Both, theirs.", "Theirs alone."]) assert.include(read(), words)
      yield* vibe(["check", "--fix"], options)
      assert.deepStrictEqual(purposesOf(read()), ["Ours alone.", "The base.", "Both, theirs.", "Theirs alone."])
    }),
  )

  it.scopedLive("merges by lines where vibe is found and its Node is not", () =>
    Effect.gen(function* () {
      const { commit, options, read, root } = yield* branches
      yield* vibe(["merge-driver", "--install"], options)
      commit()
      const tools = yield* folder({ vibe: "#!/usr/bin/env no-such-node\n" })
      fs.chmodSync(path.join(tools, "vibe"), 0o755)
      const merged = spawnSync("git", ["merge", "--no-edit", "theirs"], {
        cwd: root,
        encoding: "utf8",
        env: { ...options.env, PATH: `${tools}:/usr/bin:/bin`, HOME: root },
      })
      assert.strictEqual(merged.status, 1, merged.stderr)
      for (const words of ["<<<<<<< ours", "Both, ours.", "Both, theirs.", "Theirs alone."])
        assert.include(read(), words)
    }),
  )

  it.scopedLive("finds a merge that lost a side in the file, and takes both sides from git by check --fix", () =>
    Effect.gen(function* () {
      const { commit, git, merge, options, read, root } = yield* branches
      git("config", "merge.vibe.driver", "no-such-program %O %A %B")
      commit({ ".gitattributes": `/${PURPOSES} merge=vibe\n` })
      assert.strictEqual(merge("theirs").status, 1)
      assert.notInclude(read(), "Theirs alone.")
      const found = yield* vibe(["check", "--strict"], options)
      assert.strictEqual(found.code, 1)
      assert.include(found.stdout, `${PURPOSES}:1  unmerged-purposes`)
      fs.appendFileSync(
        path.join(root, PURPOSES),
        yield* lineFor("src/sum.ts", sum.replace("sum", "e"), "e", "Written meanwhile.", "n-4"),
      )
      for (let times = 0; times < 2; times++) {
        const fixed = yield* vibe(["check", "--fix"], options)
        assert.include(fixed.stderr, `'git add ${PURPOSES}'`)
        assert.notInclude(fixed.stdout, "unmerged-purposes")
        assert.deepStrictEqual(purposesOf(read()), [
          "Ours alone.",
          "The base.",
          "Both, theirs.",
          "Theirs alone.",
          "Written meanwhile.",
        ])
      }
    }),
  )

  it.scopedLive("leaves a conflict with both sides where a line is no purpose", () =>
    Effect.gen(function* () {
      const { commit, git, merge, options, read } = yield* branches
      yield* vibe(["merge-driver", "--install"], options)
      commit({ [PURPOSES]: `${read()}half a line {\n` })
      const merged = merge("theirs")
      assert.strictEqual(merged.status, 1)
      assert.include(merged.stderr, `${PURPOSES}: a line is no purpose, and stands between conflict markers at its end`)
      assert.include(merged.stderr, "vibe check --fix")
      assert.match(git("status", "--porcelain"), /^UU \.vibe\/purposes\.jsonl/m)
      const text = read()
      assert.deepStrictEqual(text.trimEnd().split("\n").slice(-4), [
        "<<<<<<< ours",
        "half a line {",
        "=======",
        ">>>>>>> theirs",
      ])
      assert.deepStrictEqual(purposesOf(text.slice(0, text.indexOf("<<<<<<<"))), [
        "Ours alone.",
        "The base.",
        "Both, theirs.",
        "Theirs alone.",
      ])
    }),
  )

  it.scopedLive("changes nothing unless it is asked to, and refuses files that it cannot merge", () =>
    Effect.gen(function* () {
      const { git, purposes, root, write } = yield* explained
      const options = inRepository(root)
      const guide = yield* vibe(["merge-driver"], options)
      assert.strictEqual(guide.code, 0)
      assert.include(guide.stdout, `git config merge.vibe.driver '${DRIVER}'`)
      assert.strictEqual(git("status", "--porcelain"), "")
      assert.notInclude(git("config", "--local", "--list"), "merge.vibe")
      write({ ours: purposes })
      const refusals = [["ours"], ["ours", "ours"], ["ours", "ours", "ours", "ours"], ["ours", "ours", "nowhere"]]
      for (const files of refusals) {
        const { code, stderr } = yield* vibe(["merge-driver", ...files], options)
        assert.strictEqual(code, 2, stderr)
      }
      assert.strictEqual(fs.readFileSync(path.join(root, "ours"), "utf8"), purposes)
      fs.symlinkSync("ours", path.join(root, ".gitattributes"))
      assert.strictEqual((yield* vibe(["merge-driver", "--install"], options)).code, 2)
      assert.strictEqual(fs.readFileSync(path.join(root, "ours"), "utf8"), purposes)
      assert.notInclude(git("config", "--local", "--list"), "merge.vibe")
    }),
  )
})
