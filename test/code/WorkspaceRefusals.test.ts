import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import type { FileError } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"

const opened = (contents: Readonly<Record<string, Files.Content>>) =>
  Workspace.open("/root").pipe(Effect.provideService(Files.Files, Files.makeMemory(contents)))

describe("Workspace keeps inside its root", () => {
  const contents = {
    "/root/a.ts": "inside",
    "/root/src/b.ts": "inside",
    "/root/src/up": { link: "../.." },
    "/root/in": { link: "src" },
    "/root/out": { link: "/outside" },
    "/root/out.ts": { link: "/outside/known.ts" },
    "/root/out-of-nothing": { link: "/outside/missing" },
    "/root/circle": { link: "circle" },
    "/root/.env": "secret",
    "/root/public.ts": { link: ".env" },
    "/root/keys": { link: ".ssh" },
    "/root/.ssh/known": "secret",
    "/root/.git/config": "secret",
    "/outside/known.ts": "secret",
    "/outside/folder/known.ts": "secret",
    "/root-secret/known.ts": "secret",
  }

  it.effect.each([
    "../outside/known.ts",
    "../outside/missing.ts",
    "..",
    "../..",
    "src/../../outside/known.ts",
    "/outside/known.ts",
    "/outside/missing.ts",
    "/",
    "/proc/self/environ",
    "../root-secret/known.ts",
    "/root-secret/known.ts",
    "/root-secret/missing.ts",
    "out",
    "out/known.ts",
    "out/missing.ts",
    "out/folder/known.ts",
    "out/folder/missing.ts",
    "out/missing/missing.ts",
    "out/known.ts/missing.ts",
    "out.ts",
    "out.ts/missing",
    "out-of-nothing",
    "out-of-nothing/missing.ts",
    "src/up/outside/known.ts",
    "src/up/root/a.ts/../../outside/known.ts",
    "circle",
    "circle/missing.ts",
    "~",
    "~/known.ts",
    "~root/known.ts",
    "a.ts\0",
    "a.ts\0.png",
    "\0",
    "a.ts:stream",
    "src::$DATA",
    "a.ts.",
    "a.ts ",
    "src./b.ts",
    ".env",
    "public.ts",
    "keys/known",
    "keys/missing",
    ".git/config",
    ".git/missing",
    ".GIT/config",
    ".vibe/index.db",
    "node_modules/effect/package.json",
  ])("and refuses %j in one text", (path) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened(contents)
      const refusal = `${path}: outside the workspace or not allowed`
      assert.strictEqual((yield* Effect.flip(read(path))).message, refusal)
      assert.strictEqual((yield* Effect.flip(list(path))).message, refusal)
    }),
  )

  const names = FastCheck.oneof(
    { weight: 9, arbitrary: FastCheck.constantFrom(...Object.keys(contents).flatMap((path) => path.split("/"))) },
    { weight: 6, arbitrary: FastCheck.constantFrom("..", "..", ".", "", "src", "up", "missing") },
    {
      weight: 2,
      arbitrary: FastCheck.constantFrom(
        ...[
          "~",
          "~root",
          "\0",
          "a.ts\0",
          "a.ts:b",
          "src::$DATA",
          ".ENV",
          "a.ts.",
          "a.ts ",
          "src.",
          "...",
          "C:",
          "file:",
        ],
        ...[
          "..\\",
          "..\\outside",
          "src\\b.ts",
          "\\\\?\\C:",
          "%2e%2e",
          "..%2f",
          "．．",
          "‥",
          "․․",
          "..;",
          ".. ",
          "\u202e..",
          "\ud800",
        ],
        ...["é", "e\u0301", "\u212a", "x".repeat(300), "KNOWN.TS", "-", "*", "?", "[a]", "\n", "\r\n.."],
      ),
    },
    { weight: 1, arbitrary: FastCheck.string({ maxLength: 8 }) },
    { weight: 1, arbitrary: FastCheck.string({ unit: "binary", maxLength: 4 }) },
  )
  const starts = FastCheck.constantFrom(
    "",
    "",
    "/",
    "/root/",
    "/root/../",
    "//root/",
    "../",
    "./",
    "~/",
    "\\",
    "file:///",
  )
  const ends = FastCheck.constantFrom("", "", "", "/", "/.", "/..", ".", " ", "\0")
  const wild = FastCheck.tuple(starts, FastCheck.array(names, { maxLength: 6 }), ends).map(
    ([start, steps, end]) => start + steps.join("/") + end,
  )
  /** Something that is there, with a step or two put in. */
  const detours = FastCheck.tuple(
    FastCheck.constantFrom("", "/root/"),
    FastCheck.constantFrom(
      "a.ts",
      "src/b.ts",
      "in/b.ts",
      "src/up/root/a.ts",
      "out/known.ts",
      "src/up/outside/known.ts",
    ),
    FastCheck.array(FastCheck.tuple(FastCheck.nat({ max: 4 }), names), { maxLength: 2 }),
  ).map(([start, path, steps]) =>
    steps.reduce((path, [at, step]) => path.split("/").toSpliced(at, 0, step).join("/"), start + path),
  )
  const paths = FastCheck.oneof({ weight: 2, arbitrary: wild }, { weight: 1, arbitrary: detours })

  it.effect(
    "whatever path of a hundred thousand it is given",
    () =>
      Effect.gen(function* () {
        const memory = Files.makeMemory(contents)
        const touched: Array<string> = []
        const noting =
          <A, R>(use: (path: string) => Effect.Effect<A, FileError, R>) =>
          (path: string) =>
            Effect.suspend(() => {
              touched.push(path)
              return use(path)
            })
        const { list, read } = yield* Effect.provideService(Workspace.open("/root"), Files.Files, {
          ...memory,
          open: noting(memory.open),
          list: noting(memory.list),
        })
        touched.length = 0
        yield* withoutStacks
        let inside = 0
        const holds = (path: string, isFolder: boolean) => {
          // A defect would be thrown.
          const text = isFolder ? Effect.as(list(path), "inside") : Effect.map(read(path), ({ text }) => text)
          const found = Effect.runSync(Effect.orElseSucceed(text, () => undefined))
          if (found !== undefined) inside++
          assert.include(["inside", undefined], found)
          for (const opened of touched.splice(0)) {
            const real = Effect.runSync(Effect.orElseSucceed(memory.realPath(opened), () => opened))
            assert.match(real, /^\/root(?:\/(?!\.env|\.ssh|\.git\/config)|$)/)
          }
        }
        for (let thousands = 0; thousands < 100; thousands++) {
          FastCheck.assert(FastCheck.property(paths, FastCheck.boolean(), holds), { numRuns: 1_000 })
          // Whoever runs the tests asks for a sign of life.
          yield* Effect.promise(() => new Promise(setImmediate))
        }
        // Else the paths would be too wild to say anything.
        assert.isAbove(inside, 5_000)
      }).pipe(Effect.scoped),
    240_000,
  )

  it.effect("and answers the same, whatever lies outside", () =>
    Effect.gen(function* () {
      const inside = Object.fromEntries(Object.entries(contents).filter(([path]) => path.startsWith("/root/")))
      const one = yield* opened(contents)
      const other = yield* opened(inside)
      assertProperty((path) => {
        assert.deepStrictEqual(
          Effect.runSync(Effect.either(one.read(path))),
          Effect.runSync(Effect.either(other.read(path))),
        )
        assert.deepStrictEqual(
          Effect.runSync(Effect.either(one.list(path))),
          Effect.runSync(Effect.either(other.list(path))),
        )
      })
    }),
  )

  const assertProperty = (holds: (path: string) => void) =>
    FastCheck.assert(FastCheck.property(paths, holds), { numRuns: 2_000 })

  /** Half the time of so many refusals would go into their stacks. */
  const withoutStacks = Effect.acquireRelease(
    Effect.sync(() => {
      const { stackTraceLimit } = Error
      Error.stackTraceLimit = 0
      return stackTraceLimit
    }),
    (limit) =>
      Effect.sync(() => {
        Error.stackTraceLimit = limit
      }),
  )

  it.effect.each([
    ["of a million folders", "a/".repeat(1_000_000)],
    ["that goes up a million times", "../".repeat(1_000_000)],
    ["of one name of a million characters", "x".repeat(1_000_000)],
    ["that goes round and round", "in/../".repeat(100_000)],
    ["that goes through a link a thousand times", "src/up/root/".repeat(1_000)],
  ])("and a path %s", ([, path = ""]) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened(contents)
      const content = yield* Effect.either(read(path))
      assert.include(["Refused", "NotAFile", "NotFound"], Either.isLeft(content) ? content.left.reason._tag : "read")
      yield* Effect.either(list(path))
    }),
  )
})

describe("Workspace keeps secrets", () => {
  it.effect.each([
    ...[".env", ".ENV", ".env.local", ".Env.Production", ".env-production", ".env_old", ".env~", ".env.bak", ".envrc"],
    ...["prod.env", ".env.example.local", "server.pem", "SERVER.PEM", "tls.key", "tls.key.old", "cert.p12", "cert.pfx"],
    ...[
      "id_rsa",
      "ID_RSA",
      "id_rsa.bak",
      "id_ed25519",
      "id_ecdsa_sk",
      "id_dsa",
      ".npmrc",
      ".netrc",
      "_netrc",
      ".pypirc",
    ],
    ...[".git-credentials", ".pgpass", "credentials.json", "application_default_credentials.json"],
    ...["gha-creds-0123abcd.json", "client_secret_42.json", "service-account.json"],
    ...[
      ".aws/config",
      ".ssh/config",
      ".SSH/known_hosts",
      ".gnupg/ring",
      ".kube/config",
      "deep/.env",
      ".env.d/production",
    ],
  ])("and neither lists nor reads %s", (path) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({ [`/root/inner/${path}`]: "secret" })
      assert.strictEqual((yield* Effect.flip(read(`inner/${path}`))).reason._tag, "Refused")
      const top = path.split("/").slice(0, -1)
      const folder = top[0]?.startsWith(".") ? "inner" : ["inner", ...top].join("/")
      assert.deepStrictEqual(yield* list(folder), { entries: [], hidden: 1 })
    }),
  )

  it.effect.each([
    ...[".env.example", ".env.sample", ".env.template", ".env.production.example", "example.env", "id_rsa.pub"],
    ...[
      "environment.ts",
      "env.ts",
      ".environment",
      "keys.ts",
      "monkey",
      "pem.go",
      "ssh.md",
      "credentials.ts",
      "Secrets.ts",
    ],
  ])("and shows %s", (name) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({ [`/root/${name}`]: "text" })
      assert.strictEqual((yield* read(name)).text, "text")
      assert.lengthOf((yield* list("")).entries, 1)
    }),
  )
})
