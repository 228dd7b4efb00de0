/** `install.sh` against a server of this machine. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { attempt } from "../../../tools/process.ts"
import { isInstalled } from "../../utils/isInstalled.ts"

const script = path.resolve(import.meta.dirname, "../../../install.sh")

const file = `vibe-${process.platform}-${process.arch}`

/** In place of the executable: it prints a version. */
const program = "#!/bin/sh\necho 0.2.0\n"

const sumOf = (text: string) => createHash("sha256").update(text).digest("hex")

const sums = (sum: string, name = file) => `${sumOf("other")}  vibe-other-x64\n${sum}  ${name}\n`

/** Files by the path that they are served at. */
type Served = Readonly<Record<string, string>>

const release = (folder: string, text = program, checksums = sums(sumOf(program))): Served => ({
  [`/${folder}/${file}`]: text,
  [`/${folder}/SHA256SUMS`]: checksums,
})

const serving = (served: Served) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<http.Server>((resolve) => {
          const server = http.createServer((request, response) => {
            const text = served[request.url ?? ""]
            response.writeHead(text === undefined ? 404 : 200).end(text)
          })
          server.listen(0, "127.0.0.1", () => resolve(server))
        }),
    ),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
  ).pipe(
    // Of a server on a port the address is an object.
    Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )

const temporaryHome = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "vibe-test-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true })),
)

const install = (home: string, releases: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    attempt("sh", [script, ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, VIBE_RELEASES: releases },
    }),
  )

/** All files below the home. */
const installed = (home: string): ReadonlyArray<string> =>
  fs
    .readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => fs.statSync(path.join(home, name)).isFile())

const hasDownloader =
  (process.platform === "linux" || process.platform === "darwin") && (isInstalled("curl") || isInstalled("wget"))

describe.skipIf(!hasDownloader)("install.sh", () => {
  it.scoped("puts the newest release into ~/.local/bin, and says how to reach it", () =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      const { code, stderr, stdout } = yield* install(home, yield* serving(release("latest/download")))
      assert.strictEqual(stderr, "")
      assert.strictEqual(code, 0)
      assert.include(stdout, `Installed vibe 0.2.0 as ${home}/.local/bin/vibe\n`)
      assert.include(stdout, `export PATH="${home}/.local/bin:$PATH"`)
      assert.deepStrictEqual(installed(home), [".local/bin/vibe"])
      assert.strictEqual(fs.readFileSync(path.join(home, ".local/bin/vibe"), "utf8"), program)
      fs.accessSync(path.join(home, ".local/bin/vibe"), fs.constants.X_OK)
    }),
  )

  it.scoped("installs a version into a folder, in place of the one that is there", () =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      fs.mkdirSync(path.join(home, "own bin"))
      fs.writeFileSync(path.join(home, "own bin/vibe"), "old")
      const releases = yield* serving(release("download/v0.2.0"))
      for (const version of ["0.2.0", "v0.2.0"]) {
        const { code, stderr } = yield* install(home, releases, "--version", version, "--dir", `${home}/own bin`)
        assert.deepStrictEqual([code, stderr], [0, ""])
      }
      assert.deepStrictEqual(installed(home), ["own bin/vibe"])
      assert.strictEqual(fs.readFileSync(path.join(home, "own bin/vibe"), "utf8"), program)
    }),
  )

  it.scoped("says where a folder is that was named from the current one", () =>
    Effect.gen(function* () {
      const home = fs.realpathSync(yield* temporaryHome)
      const { code, stderr, stdout } = yield* install(home, yield* serving(release("latest/download")), "--dir", "own")
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.include(stdout, `Installed vibe 0.2.0 as ${home}/own/vibe\n`)
      assert.include(stdout, `export PATH="${home}/own:$PATH"`)
    }),
  )

  it.scoped("refuses to install where a folder has its name", () =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      fs.mkdirSync(path.join(home, ".local/bin/vibe"), { recursive: true })
      const { code, stderr } = yield* install(home, yield* serving(release("latest/download")))
      assert.strictEqual(code, 1)
      assert.include(stderr, `${home}/.local/bin/vibe is a folder`)
      assert.deepStrictEqual(installed(home), [])
    }),
  )

  it.scoped.each<readonly [what: string, served: Served, message: RegExp]>([
    [
      "another checksum",
      release("latest/download", `${program}# changed`),
      /checksum of vibe-.* is [0-9a-f]{64}, not [0-9a-f]{64}/,
    ],
    [
      "no checksum of its own",
      release("latest/download", program, sums(sumOf(program), "vibe")),
      /SHA256SUMS has no line/,
    ],
    ["no checksums", { [`/latest/download/${file}`]: program }, /could not download .*SHA256SUMS/],
    ["no file", { "/latest/download/SHA256SUMS": sums(sumOf(program)) }, /could not download .*vibe-/],
    [
      "a file that does not run",
      release("latest/download", "#!/bin/sh\nexit 3\n", sums(sumOf("#!/bin/sh\nexit 3\n"))),
      /does not run on this machine/,
    ],
  ])("installs nothing, and leaves what is there, where the release has %s", ([, served, message]) =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      fs.mkdirSync(path.join(home, ".local/bin"), { recursive: true })
      fs.writeFileSync(path.join(home, ".local/bin/vibe"), "old")
      const { code, stderr } = yield* install(home, yield* serving(served))
      assert.strictEqual(code, 1)
      assert.match(stderr, message)
      assert.deepStrictEqual(installed(home), [".local/bin/vibe"])
      assert.strictEqual(fs.readFileSync(path.join(home, ".local/bin/vibe"), "utf8"), "old")
    }),
  )

  it.scoped("says which address it could not reach where there is no network", () =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      // Nothing listens on the discard port.
      const { code, stderr } = yield* install(home, "http://127.0.0.1:9")
      assert.strictEqual(code, 1)
      assert.include(stderr, "vibe: could not download http://127.0.0.1:9/latest/download/SHA256SUMS")
      assert.deepStrictEqual(installed(home), [])
    }),
  )

  it.scoped.each([
    [["--version", "../../etc"], "'../../etc' is no version"],
    [["--version"], "--version needs a value"],
    [["--user"], "unknown argument '--user'"],
  ] as const)("refuses %j", ([args, message]) =>
    Effect.gen(function* () {
      const home = yield* temporaryHome
      const { code, stderr } = yield* install(home, "http://127.0.0.1:9", ...args)
      assert.strictEqual(code, 1)
      assert.include(stderr, message)
      assert.deepStrictEqual(fs.readdirSync(home), [])
    }),
  )
})
