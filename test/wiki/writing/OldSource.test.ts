/** The earlier sources of a symbol, which the real program git finds in a history. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { IndexEntry } from "../../../src/index/IndexEntry.ts"
import * as Program from "../../../src/review/Git/Program.ts"
import * as Git from "../../../src/review/Git.ts"
import * as OldSource from "../../../src/wiki/writing/OldSource.ts"
import * as GitRepository from "../../utils/GitRepository.ts"

const source = (value: number) => `export const one = () => {\n  return ${value}\n}\n`

/** Reads one symbol, whose hash is the whole text. */
const symbolsOf = (path: string, text: string) =>
  Effect.succeed([
    new IndexEntry({
      path,
      name: "one",
      kind: "function",
      startLine: 1,
      endLine: 3,
      signature: "",
      exported: true,
      isMajor: true,
      usedBy: 0,
      hash: text,
    }),
  ])

const find = (root: string, hash: string) =>
  Effect.gen(function* () {
    const git = yield* Git.Git
    return yield* OldSource.find(git, { symbolsOf }, root, { path: "a.ts", symbol: "one", hash })
  }).pipe(Effect.provide(Program.layer(GitRepository.environment(path.dirname(root)))))

describe("OldSource.linesOf", () => {
  it("returns the lines of a text, counted from 1, without carriage returns", () => {
    const texts = FastCheck.array(FastCheck.constantFrom("a", "b", "\n", "\r", "\r\n", "\n\n"), { maxLength: 30 })
    const line = FastCheck.integer({ min: 1, max: 12 })
    FastCheck.assert(
      FastCheck.property(texts, line, line, (parts, startLine, endLine) => {
        const text = parts.join("")
        const lines = text.split("\n").slice(startLine - 1, endLine)
        const expected = lines.map((each) => each.replace(/\r$/, "")).join("\n")
        assert.strictEqual(OldSource.linesOf(text, startLine, endLine), expected)
      }),
    )
  })
})

describe.skipIf(!GitRepository.isAvailable)("OldSource.find", () => {
  it.scopedLive("finds the version with the hash among earlier commits", () =>
    Effect.gen(function* () {
      const { commit, root } = yield* GitRepository.make()
      for (const value of [1, 2, 3]) commit({ "a.ts": source(value) })
      assert.strictEqual(yield* find(root, source(2)), source(2).trimEnd())
      assert.isUndefined(yield* find(root, source(4)))
    }),
  )

  it.scopedLive.skipIf(process.platform === "win32")(
    "starts no program that checks signatures or shows files, whatever the repository's settings say",
    () =>
      Effect.gen(function* () {
        const { commit, git, root } = yield* GitRepository.make()
        commit({ "a.ts": source(1), ".gitattributes": "* filter=evil diff=evil\n" })
        const signed = git("cat-file", "commit", "HEAD").replace(
          "\n\n",
          "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\n",
        )
        const file = path.join(root, ".git", "signed")
        fs.writeFileSync(file, `${signed}\n`)
        git("update-ref", "HEAD", git("hash-object", "-t", "commit", "-w", file))
        const trace = path.join(root, ".git", "trace")
        const evil = path.join(root, ".git", "evil")
        fs.writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${trace}'\nexit 1\n`, { mode: 0o755 })
        const settings = [
          "[log]\nshowSignature = true\n",
          ...["[gpg]\nprogram", '[gpg "openpgp"]\nprogram', "[core]\npager", "[core]\nalternateRefsCommand"],
          ...["[pager]\ncat-file", "[diff]\nexternal", '[diff "evil"]\ntextconv'],
          ...['[filter "evil"]\nsmudge', '[filter "evil"]\nprocess'],
        ]
        fs.appendFileSync(
          path.join(root, ".git", "config"),
          settings.map((setting) => (setting.includes("=") ? setting : `${setting} = ${evil}\n`)).join(""),
        )
        assert.strictEqual(git("config", "diff.evil.textconv"), evil)
        assert.strictEqual(yield* find(root, source(1)), source(1).trimEnd())
        assert.isFalse(fs.existsSync(trace), fs.existsSync(trace) ? fs.readFileSync(trace, "utf8") : "")
      }),
  )
})
