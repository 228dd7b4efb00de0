import { assert, describe, it } from "@effect/vitest"
import * as Secret from "../../src/base/Secret.ts"

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
