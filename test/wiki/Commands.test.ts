import { assert, describe, it } from "@effect/vitest"
import * as Commands from "../../src/wiki/Commands.ts"

describe("Commands.isEntryName", () => {
  it.each(["src/main.rs", "app/__main__.py", "index.html", "bin/tool", "cmd/serve/run.go", "src/Program.cs"])(
    "takes %s for a file at which a program is entered",
    (path) => assert.isTrue(Commands.isEntryName(path)),
  )

  it.each(["www/index.css", "styles/main.scss", "config/app.json", "cmd/deploy.yaml", "src/domain.rs", "binary/a.c"])(
    "does not take %s for one",
    (path) => assert.isFalse(Commands.isEntryName(path)),
  )
})
