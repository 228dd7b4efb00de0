import { assert, describe, it } from "@effect/vitest"
import * as OlderCopy from "../../src/code/OlderCopy.ts"

const isOlder = (path: string, ...others: ReadonlyArray<string>) =>
  OlderCopy.isOlder(path, (other) => others.includes(other))

describe("OlderCopy.isOlder", () => {
  it.each([
    ["pydantic/v1/main.py", "pydantic/main.py"],
    ["api/v1/users/list.ts", "api/v3/users/list.ts"],
    ["src/legacy/Button.tsx", "src/Button.tsx"],
    ["legacy/Button.tsx", "src/Button.tsx"],
    ["lib/_compat/json.py", "lib/json.py"],
    ["lib/deprecated/a/b.rb", "lib/a/b.rb"],
  ])("is true for %s beside %s", (path, other) => {
    assert.isTrue(isOlder(path, other))
  })

  it("is false for the newest version, and for a folder of such a name that has no counterpart", () => {
    assert.isFalse(isOlder("api/v3/users.ts", "api/v1/users.ts"))
    assert.isFalse(isOlder("api/v1/users.ts", "api/v1/orders.ts"))
    assert.isFalse(isOlder("src/compat/json.py", "src/xml.py"))
    assert.isFalse(isOlder("src/main.py", "src/main.py"))
  })
})
