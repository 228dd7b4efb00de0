import { assert, describe, it } from "@effect/vitest"
import { filter } from "../../src/process/Environment.ts"

const keys = {
  ANTHROPIC_API_KEY: "a-key-of-anthropic",
  GOOGLE_API_KEY: "a-key-of-google",
  GITHUB_TOKEN: "a-token-of-github",
  DB_PASSWORD: "a-password",
  SMTP_PASS: "a-pass",
  MYSQL_PWD: "a-pwd",
  GITHUB_PAT: "a-pat",
  SESSION_COOKIE: "a-cookie",
  BASIC_AUTH: "me:pw",
  SENTRY_DSN: "a-dsn",
  JWT: "a-jwt",
  DATABASE_URL: "postgres://me:pw@localhost/db",
  aws_secret_access: "a-secret",
  APP_CREDENTIALS: "credentials",
}

/** The variables that an editor needs on a display, in a terminal or over SSH. */
const plain = {
  PATH: "/bin",
  HOME: "/home/me",
  LANG: "C",
  TERM: "xterm",
  COLORTERM: "truecolor",
  DISPLAY: ":0",
  WAYLAND_DISPLAY: "wayland-0",
  XAUTHORITY: "/run/user/1000/xauth",
  XDG_RUNTIME_DIR: "/run/user/1000",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  SSH_AUTH_SOCK: "/run/user/1000/ssh",
  SSH_ASKPASS: "/usr/bin/ssh-askpass",
  GIT_AUTHOR_NAME: "Me",
  HTTPS_PROXY: "http://me:pw@proxy:3128",
  PWD: "/home/me/project",
}

const piped = (environment: Readonly<Record<string, string>>, needs: ReadonlyArray<string> = []) =>
  filter(environment, { needs, onTerminal: false }, "linux")

const onTerminal = (environment: Readonly<Record<string, string>>) =>
  filter(environment, { needs: [], onTerminal: true }, "linux")

describe("Environment.filter", () => {
  it("removes secrets, except those that are needed", () => {
    const { ANTHROPIC_API_KEY } = keys
    assert.deepStrictEqual(piped({ ...plain, ...keys }, ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]), {
      ...plain,
      ANTHROPIC_API_KEY,
      NO_COLOR: "1",
    })
    assert.deepStrictEqual(piped({ ...plain, ...keys }), { ...plain, NO_COLOR: "1" })
  })

  it("keeps colour variables for a program on the terminal", () => {
    const colours = { FORCE_COLOR: "3", CLICOLOR_FORCE: "1" }
    assert.deepStrictEqual(onTerminal({ ...plain, ...keys, ...colours }), { ...plain, ...colours })
  })

  it("matches needed names by a suffix after *", () => {
    const { ANTHROPIC_API_KEY, GOOGLE_API_KEY } = keys
    assert.deepStrictEqual(piped(keys, ["*_API_KEY"]), { ANTHROPIC_API_KEY, GOOGLE_API_KEY, NO_COLOR: "1" })
  })

  it("sets NO_COLOR for a program that is not on the terminal", () => {
    assert.deepStrictEqual(piped({ FORCE_COLOR: "3", CLICOLOR_FORCE: "1" }), { NO_COLOR: "1" })
  })

  it("keeps the absolute folders of PATH, and no PATH without one", () => {
    assert.deepStrictEqual(onTerminal({ PATH: ".:/bin::bin:/usr/bin:" }), { PATH: "/bin:/usr/bin" })
    assert.deepStrictEqual(onTerminal({ PATH: ".:bin" }), {})
    assert.deepStrictEqual(filter({ Path: "C:\\bin;." }, { needs: [], onTerminal: true }, "win32"), {
      Path: "C:\\bin",
      NoDefaultCurrentDirectoryInExePath: "1",
    })
  })

  it("is given the secrets that it needs in any case of their names on Windows", () => {
    const secrets = { anthropic_api_key: "a", Google_Api_Key: "b", GITHUB_TOKEN: "c" }
    const filtered = filter(secrets, { needs: ["ANTHROPIC_API_KEY", "*_api_key"], onTerminal: true }, "win32")
    assert.hasAllKeys(filtered, ["anthropic_api_key", "Google_Api_Key", "NoDefaultCurrentDirectoryInExePath"])
    assert.doesNotHaveAnyKeys(filter(secrets, { needs: ["ANTHROPIC_API_KEY"], onTerminal: true }, "linux"), [
      "anthropic_api_key",
    ])
  })
})
