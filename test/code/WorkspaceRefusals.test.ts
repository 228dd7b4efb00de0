import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import type { FileError } from "../../src/code/FileError.ts"
import * as Files from "../../src/code/Files.ts"
import * as Workspace from "../../src/code/Workspace.ts"
import { cases, isThorough } from "../thoroughness.ts"
import { anyText } from "../utils/anyText.ts"
import { inLinearTime, size } from "../utils/linearTime.ts"

/** How many hundreds of paths are tried. */
const HUNDREDS = isThorough ? 1_000 : 10

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
    "a.ts\0",
    "a.ts\0.png",
    "\0",
    ".env",
    ".env.",
    ".env. .",
    ".env:stream",
    ".env.:stream:$DATA",
    ".git./config",
    ".GIT::$INDEX_ALLOCATION/config",
    "node_modules /effect/package.json",
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

  it.effect.skipIf(path.sep === "\\")("and reads names that only Windows takes for names of other files", () =>
    Effect.gen(function* () {
      const names = ["Zone.Identifier:a", "a:b.ts", "etc.", "last ", "~draft.ts", "..."]
      const contents = Object.fromEntries(names.map((name) => [`/root/${name}`, "inside"]))
      const { list, read } = yield* opened(contents)
      assert.deepStrictEqual(
        (yield* list(".")).entries.map(({ path }) => path),
        names.toSorted(),
      )
      for (const name of names) assert.strictEqual((yield* read(name)).text, "inside")
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
    { weight: 1, arbitrary: anyText({ maxLength: 4 }) },
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
    `whatever path of ${HUNDREDS}00 it is given`,
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
          readReal: (path, most) => noting((real) => memory.readReal(real, most))(path),
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
        for (let hundreds = 0; hundreds < HUNDREDS; hundreds++) {
          FastCheck.assert(FastCheck.property(paths, FastCheck.boolean(), holds), { numRuns: 100 })
          // Whoever runs the tests asks for a sign of life.
          yield* Effect.promise(() => new Promise(setImmediate))
        }
        // Else the paths would be too wild to say anything.
        assert.isAbove(inside, HUNDREDS * 5)
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
    FastCheck.assert(FastCheck.property(paths, holds), { numRuns: cases(2_000) })

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
    ["of very many folders", "a/".repeat(size(1_000_000))],
    ["that goes up very often", "../".repeat(size(1_000_000))],
    ["of one name of very many characters", "x".repeat(size(1_000_000))],
    ["that goes round and round", "in/../".repeat(size(100_000))],
    ["that goes through a link a thousand times", "src/up/root/".repeat(1_000)],
  ])("and a path %s", ([, path = ""]) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened(contents)
      const content = yield* Effect.either(read(path))
      assert.include(["Refused", "NotAFile", "NotFound"], Either.isLeft(content) ? content.left.reason._tag : "read")
      yield* Effect.either(list(path))
    }).pipe(inLinearTime),
  )
})

/** The files below a folder, and how many entries are hidden there. */
const shown = (
  list: Workspace.Workspace["list"],
  folder: string | Workspace.Folder,
): Effect.Effect<readonly [ReadonlyArray<string>, number], FileError> =>
  Effect.gen(function* () {
    const { entries, hidden } = yield* list(folder)
    const below = yield* Effect.forEach(entries, (entry) =>
      entry.kind === "folder" ? shown(list, entry) : Effect.succeed([[entry.path], 0] as const),
    )
    return [below.flatMap(([paths]) => paths), below.reduce((sum, [, count]) => sum + count, hidden)]
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
    ...[".envs/prod", "env.production", "env.prod", "prod.env.json", "cypress.env.json", ".env.json"],
    ...[
      ".docker/config.json",
      ".dockercfg",
      ".dockerconfigjson",
      "containers/auth.json",
      ".codex/auth.json",
      ".composer/auth.json",
    ],
    ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".claude/.credentials.json"],
    ...[".yarnrc.yml", ".config/gh/hosts.yml", "gh/hosts.yml", ".config/github-copilot/apps.json", ".config/hub"],
    ...["terraform.tfstate", "terraform.tfstate.backup", "terraform.tfstate.1700000000.backup", "prod.tfvars"],
    ...[
      "firebase-adminsdk.json",
      "my-app-firebase-adminsdk-x1y2z-0123456789.json",
      ".terraform.d/credentials.tfrc.json",
    ],
    ...["kubeconfig", ".kubeconfig", "kubeconfig.yaml", "prod.kubeconfig", "local.settings.json", "wp-config.php"],
    ...["LocalSettings.php", "secrets.yaml", "secrets.json", "secret.yml", "secrets.toml", ".secrets", ".secrets/prod"],
    ...["credentials", "credentials.xml", "credentials.csv", "Credentials.ini", ".claude.json", "oauth_creds.json"],
    ...[".bash_history", ".zsh_history", ".psql_history", ".node_repl_history", "fish_history", ".history/env.ts"],
    ...[".m2/settings.xml", ".gradle/gradle.properties", "key.properties", "doctl/config.yaml", ".ngrok2/ngrok.yml"],
    ...["server.ovpn", "vault.kdb", "login.keychain-db", "deploy.keypair", "ssh_host_ed25519_key", "secring.gpg"],
    ...[".vscode/sftp.json", "sftp-config.json", "filezilla.xml", "recentservers.xml", "rclone.conf", "etc/shadow"],
    ...[".vault_pass", "vault-password.txt", ".config/gcloud/access_tokens.db", ".password-store/a.gpg", ".authinfo"],
    ...["secret_token.rb", "otr.private_key", ".purple/accounts.xml", ".irssi/config", ".huggingface/token"],
    ...[".dev.vars", ".dev.vars.production", "github_rsa", "deploy-ed25519", "release.pk8", "sign.jceks", "app.agekey"],
    ...[
      "htpasswd",
      ".sentryclirc",
      ".curlrc",
      ".wgetrc",
      ".pg_service.conf",
      "pg_service.conf",
      ".passwd-s3fs",
      "secrets",
    ],
    ...["rootkey.csv", "alice_accessKeys.csv", "bitwarden_export_20260101.json", "lastpass_export.csv", "vault.1pux"],
    ...["kubeconfig-prod.yaml", "kubeconfig_staging", "kubernetes/admin.conf", "wg0.conf", "home.nmconnection"],
    ...[".bash_history-12345.tmp", "ConsoleHost_history.txt", "mongosh_repl_history", ".zsh_sessions/1A.history"],
    ...[
      "service-account-prod.json",
      "ci-service-account.json",
      "gcloud-service-key.json",
      "gcp-key.json",
      "token.json",
    ],
    ...[
      "solana/id.json",
      "program-keypair.json",
      "UTC--2026-01-02T03-04-05.678Z--00aabbcc",
      "age/keys.txt",
      "wallet.dat",
    ],
    ...["pypoetry/auth.toml", ".pip/pip.conf", ".snowflake/connections.toml", ".dbt/profiles.yml", ".fly/config.yml"],
    ...["db_password.txt", "api_key.txt", "chap-secrets", "wpa_supplicant.conf", "dataSources.local.xml", ".viminfo"],
    ...["#.env#", ".#.netrc", ".id_rsa.swp", ".wp-config.php.swo", ".npmrc.1", ".pgpass.20260101", ".netrc.save.2"],
    ...["rootkey (1).csv", "credentials copy.csv", "secrets(2).yaml", ".npmrc copy", "terraform.tfstate - Copy"],
    ...["ansible-vault-password.txt", ".ansible_vault_pass", "claude_desktop_config.json", "acme-private.asc", ".cf/a"],
  ])("and neither lists nor reads %s", (path) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({ [`/root/inner/${path}`]: "secret" })
      const { reason } = yield* Effect.flip(read(`inner/${path}`))
      assert.strictEqual(reason._tag, "Refused")
      const [folders, hidden] = yield* shown(list, "inner")
      assert.deepStrictEqual([folders, hidden], [[], 1])
      // Whether it is there makes no difference.
      const { read: readNothing } = yield* opened({ "/root/inner/other.ts": "" })
      assert.deepStrictEqual((yield* Effect.flip(readNothing(`inner/${path}`))).reason, reason)
    }),
  )

  it.effect.each([
    ...[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.production.example", "example.env"],
    ...[
      "environment.ts",
      "env.ts",
      "env.test.ts",
      "env.d.ts",
      "env.yml",
      ".environment",
      "keys.ts",
      "monkey",
      "pem.go",
    ],
    ...["id_rsa.pub", "ssh.md", "credentials.ts", "credentials.test.ts", "Secrets.ts", "secrets.test.ts", "secrets.py"],
    ...["src/auth.ts", "src/auth.json", "locales/en/auth.json", "public/locales/de/auth.json", "api/auth.yaml"],
    ...[
      "credentials/Github.credentials.ts",
      "packages/credentials/index.ts",
      "kubeconfig/kubeconfig.go",
      "secrets/a.ts",
    ],
    ...["env/local.ts", "env-prod/main.tf", "main.tf", "variables.tf", "terraform.tfvars.example", "secrets.enc.yaml"],
    ...["config.json", "docker/config.json", "src/config.json", "settings.xml", "gradle.properties", "hosts.yml"],
    ...["wp-config-sample.php", "config/database.yml", "settings.py", "schema.rb", "history.ts", "price_history/a.ts"],
    ...[".secrets.baseline", "secretsmanager.ts", "token.ts", "tokenizer.json", "password.go", "passwd.c", "vault.ts"],
    ...[".yarnrc", ".bashrc", ".gitconfig", ".dockerignore", ".docker/Dockerfile", ".config/nvim/init.lua", "key.ts"],
    ...["kubeconfig_test.go", "src/kubeconfig/load.ts", "rsa.go", "crypto/ed25519.py", "ecdsa/sign.c", "profiles.yml"],
    ...["tokens.json", "keys.txt", "id.json", "admin.conf", "pip.conf", "connections.toml", "keypair.ts", "wallet.ts"],
    ...["a (1).ts", "copy.ts", "page copy 2.md", "man.1", ".swp.ts", "(group)/page.ts", "#include.h"],
    ...["password.txt.md", "passwords.py", "dev.vars.ts", "accessKeys.ts", "session_history.ts", "ed25519/a.ts"],
    ...["google-services.json", "appsettings.json", "package.json", "serviceAccount.ts", "firebase.json", "hub.ts"],
  ])("and shows %s", (path) =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({ [`/root/${path}`]: "text" })
      assert.strictEqual((yield* read(path)).text, "text")
      assert.deepStrictEqual(yield* shown(list, ""), [[path], 0])
      // By its path too, not only as it was listed.
      const folder = path.split("/").slice(0, -1).join("/")
      assert.lengthOf((yield* list(folder)).entries, 1)
    }),
  )

  it.effect("at the root, and shows a folder whose name would be a secret file's", () =>
    Effect.gen(function* () {
      const { list, read } = yield* opened({
        "/root/auth.json": "secret",
        "/root/credentials/a.ts": "text",
        "/root/link": { link: "auth.json" },
      })
      assert.strictEqual((yield* Effect.flip(read("auth.json"))).reason._tag, "Refused")
      assert.strictEqual((yield* Effect.flip(read("link"))).reason._tag, "Refused")
      assert.strictEqual((yield* Effect.flip(read("credentials"))).reason._tag, "NotAFile")
      assert.deepStrictEqual(yield* shown(list, ""), [["credentials/a.ts"], 2])
    }),
  )
})
