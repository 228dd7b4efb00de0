import { assert, describe, it } from "@effect/vitest"
import * as Secret from "../../src/message/Secret.ts"

describe("Secret.isSecret", () => {
  it.each([
    ...["OPENAI_API_KEY", "apikey", "GITHUB_TOKEN", "aws_secret_access", "DB_PASSWORD", "MYSQL_PASSWD", "PASSPHRASE"],
    ...["APP_CREDENTIALS", "GIT_CREDS", "AZURE_STORAGE_CONNECTION_STRING", "SLACK_WEBHOOK_URL"],
    ...["SMTP_PASS", "PGPASS", "DB_PASS", "PASS", "MYSQL_PWD", "DB_PWD", "SQLPWD"],
    ...["GITHUB_PAT", "PAT", "AZURE_DEVOPS_EXT_PAT", "STRIPE_SK", "JWT", "SESSION_JWT", "COOKIE", "SESSION_COOKIES"],
    ...["SENTRY_DSN", "DSN", "BASIC_AUTH", "AUTH", "npm_config__auth", "GITHUB_OAUTH", "AUTH_HEADER", "AUTHORIZATION"],
  ])("recognises the name %s", (name) => {
    assert.isTrue(Secret.isSecret(name, "x"))
  })

  it.each([
    ...[
      "PATH",
      "MANPATH",
      "HOME",
      "PWD",
      "OLDPWD",
      "INIT_PWD",
      "LANG",
      "TERM",
      "COLORTERM",
      "DISPLAY",
      "WAYLAND_DISPLAY",
    ],
    ...[
      "EDITOR",
      "SHELL",
      "USER",
      "LOGNAME",
      "TMPDIR",
      "XDG_RUNTIME_DIR",
      "XAUTHORITY",
      "SSH_AUTH_SOCK",
      "SSH_ASKPASS",
    ],
    ...["GIT_ASKPASS", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "DBUS_SESSION_BUS_ADDRESS", "PROXY_BYPASS", "COMPASS"],
    ...["PASS_THROUGH", "PATCH", "PATTERN", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "TOKENIZERS_PARALLELISM", "TASK"],
    ...["AUTHORS", "VIBE_MODEL", "OLLAMA_HOST", "AWS_REGION", "SKIP"],
  ])("does not recognise the name %s", (name) => {
    assert.isFalse(Secret.isSecret(name, "/some/value"))
  })

  it.each([
    "postgres://me:pw@localhost/db",
    "redis://:pw@127.0.0.1:6379",
    "https://a.example https://me:pw@b.example/simple",
    "jdbc:postgresql://db/x?user=me&password=pw",
    "Server=db;User Id=me;Password=pw;",
    "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=abc==",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nabc",
    "ghp_0123456789abcdefghij",
    "github_pat_0123456789_abcdefgh",
    "xoxb-0123456789-abcdef",
    "sk_live_0123456789abcdef",
    "AKIAIOSFODNN7EXAMPLE",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  ])("recognises the value %s", (value) => {
    assert.isTrue(Secret.isSecret("ANYTHING", value))
  })

  it.each([
    "http://proxy:3128",
    "ssh://git@example.com:22/a/b",
    "postgres://localhost/db?sslmode=require",
    "unix:path=/run/user/1000/bus",
    "sk_SK.UTF-8",
    "12:30@noon",
    "/bin:/usr/bin",
  ])("does not recognise the value %s", (value) => {
    assert.isFalse(Secret.isSecret("ANYTHING", value))
  })
})

describe("Secret.valuesIn", () => {
  it("returns the values of secrets, the longest first, and the password of a URL", () => {
    const environment = {
      HOME: "/home/somebody",
      A_KEY: "abcdefgh",
      B_TOKEN: "abcdefghi",
      DATABASE_URL: "postgres://me:pass%21word@localhost/db",
    }
    assert.deepStrictEqual(Secret.valuesIn(environment), [
      "postgres://me:pass%21word@localhost/db",
      "pass%21word",
      "abcdefghi",
      "pass!word",
      "abcdefgh",
    ])
  })

  it("omits values shorter than eight characters, which may occur in any text", () => {
    assert.deepStrictEqual(Secret.valuesIn({ A_KEY: "abcdefg", USE_KEYRING: "true", DB_PASSWORD: "pw" }), [])
  })
})

describe("Secret.redactCoded", () => {
  const key = "sk-proj-Zq8Xv3L/mN0pQ+rT_9a.Bc:D5"
  const each = (code: (character: string) => string) => Array.from(key, code).join("")
  const hex = Buffer.from(key).toString("hex")
  const long = Buffer.from(`{"user":"me","key":"${key}"}`).toString("base64")
  const codeOf = (character: string) => character.charCodeAt(0)
  const forms = {
    plain: key,
    capitals: key.toUpperCase(),
    "small letters": key.toLowerCase(),
    base64: Buffer.from(key).toString("base64"),
    base64url: Buffer.from(key).toString("base64url"),
    "Basic credentials": Buffer.from(`:${key}`).toString("base64"),
    "base64 after two bytes": Buffer.from(`u:${key}x`).toString("base64"),
    "base64 of a longer text": long,
    "base64 in lines": long.replace(/.{16}/g, "$&\n"),
    "base64 in a URL": encodeURIComponent(Buffer.from(`?>${key}`).toString("base64")),
    hexadecimal: hex,
    "hexadecimal in capitals": hex.toUpperCase(),
    "bytes with colons": hex.replace(/..(?=.)/g, "$&:"),
    "bytes of C": hex.replace(/../g, "0x$&, "),
    "percent-coded where it must be": encodeURIComponent(key),
    "percent-coded": each((character) => `%${codeOf(character).toString(16)}`),
    "percent-coded twice": encodeURIComponent(encodeURIComponent(key)),
    "escaped hyphens": key.replaceAll("-", "\\u002d"),
    "escaped hyphens in capitals": key.replaceAll("-", "\\u002D"),
    "escaped as in JSON": each((character) => `\\u${codeOf(character).toString(16).padStart(4, "0")}`),
    "escaped as in JSON within JSON": each((character) => `\\\\u${codeOf(character).toString(16).padStart(4, "0")}`),
    "escaped as in JavaScript": each((character) => `\\x${codeOf(character).toString(16)}`),
    "escaped slashes": key.replaceAll("/", "\\/"),
    "escaped as in HTML": each((character) => `&#${codeOf(character)};`),
    "escaped as in HTML, hexadecimal": each((character) => `&#x${codeOf(character).toString(16)};`),
    "two lines": `${key.slice(0, 15)}\n${key.slice(15)}`,
    "two lines of Windows": `${key.slice(0, 3)}\r\n${key.slice(3)}`,
    "a space": `${key.slice(0, 15)} ${key.slice(15)}`,
    "spaces everywhere": each((character) => `${character} `),
    "an escaped line break": `${key.slice(0, 20)}\\n${key.slice(20)}`,
    "a line break of HTML": `${key.slice(0, 20)}<br/>${key.slice(20)}`,
  }
  it.each(Object.entries(forms))("redacts a key: %s", (_, form) => {
    const text = Secret.redactCoded(`the key ${form} is wrong`, [key])
    assert.match(text, /^the key [\s\S]{0,40}\[key\]\S{0,6},? {1,2}is wrong$/)
    // Not the half of it.
    for (const part of [key.slice(0, 8), key.slice(-8)]) assert.notInclude(text.toLowerCase(), part.toLowerCase())
  })

  it("leaves other words, and secrets that are too short, as they are", () => {
    const text = `sk-proj is the beginning of a key, ${key.slice(0, -1)} most of one, and none is ${"ab".repeat(20)}`
    assert.strictEqual(Secret.redactCoded(text, [key, "is", "none"]), text)
  })

  it("takes characters of a pattern, and those of several bytes, as they are", () => {
    for (const secret of ["a.b*c(d)[e]{f}", "pässwörd-😀-x", "back\\slash\\es$^", "two words and more"]) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) {
        assert.match(Secret.redactCoded(`<${form}>`, [secret]), /^<\[key\]>$/, form)
      }
    }
    assert.strictEqual(Secret.redactCoded("aXbYYc(d)[e]{f}", ["a.b*c(d)[e]{f}"]), "aXbYYc(d)[e]{f}")
  })

  it("takes linear time for a long text that almost has the key, again and again", () => {
    const text = `${key.slice(0, -1)}${" ".repeat(40)}`.repeat(2_000)
    assert.strictEqual(Secret.redactCoded(text, [key]), text)
  })
})
