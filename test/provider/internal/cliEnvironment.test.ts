import { assert, describe, it } from "@effect/vitest"
import { passed, secrets } from "../../../src/provider/internal/cliEnvironment.ts"

const keys = {
  ANTHROPIC_API_KEY: "a-key-of-anthropic",
  GOOGLE_API_KEY: "a-key-of-google",
  GITHUB_TOKEN: "a-token-of-github",
  DB_PASSWORD: "a-password",
  aws_secret_access: "a-secret",
  APP_CREDENTIALS: "credentials",
}

const plain = { PATH: "/bin", HOME: "/home/me", LANG: "C", HTTPS_PROXY: "http://proxy" }

describe("cliEnvironment.passed", () => {
  it("passes what is no secret, and of secrets what is needed", () => {
    const { ANTHROPIC_API_KEY } = keys
    assert.deepStrictEqual(passed({ ...plain, ...keys }, ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]), {
      ...plain,
      ANTHROPIC_API_KEY,
      NO_COLOR: "1",
    })
    assert.deepStrictEqual(passed({ ...plain, ...keys }, []), { ...plain, NO_COLOR: "1" })
  })

  it("takes a star for any beginning", () => {
    const { ANTHROPIC_API_KEY, GOOGLE_API_KEY } = keys
    const expected = { ANTHROPIC_API_KEY, GOOGLE_API_KEY, NO_COLOR: "1" }
    assert.deepStrictEqual(passed(keys, ["*_API_KEY"]), expected)
  })

  it("asks for no colours", () => {
    assert.deepStrictEqual(passed({ FORCE_COLOR: "3", CLICOLOR_FORCE: "1" }, []), { NO_COLOR: "1" })
  })
})

describe("cliEnvironment.secrets", () => {
  it("are the values that are not to be shown, the longest first; words that stand anywhere are none", () => {
    const environment = { ...plain, A_KEY: "abcdef", B_TOKEN: "abcdefgh", USE_KEYRING: "true" }
    assert.deepStrictEqual(secrets(environment), ["abcdefgh", "abcdef"])
  })
})
