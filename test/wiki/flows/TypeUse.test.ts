import { assert, describe, it } from "@effect/vitest"
import * as TypeUse from "../../../src/wiki/flows/TypeUse.ts"

const isType = (line: string, kind: "class" | "function" = "class") =>
  TypeUse.isInTypes({ startLine: 10 }, `def run():\n${line}\n`, { kind, name: "Router" }, [11])

describe("TypeUse.isInTypes", () => {
  it.each([
    '    router: Router | None = scope.get("router")',
    "    route: Route | Router = found",
    "    max_files: int, router: Router,",
    ") -> Router:",
    "    routes: list[Router] = []",
    "    if isinstance(app, Router):",
    "  if (app instanceof Router) {",
    "    except Router:",
    "  const router: Router = make()",
    '    router: "Router"',
  ])("takes %j for a type", (line) => assert.isTrue(isType(line)))

  it.each([
    "    router = Router(routes)",
    "  const router: Router = new Router()",
    "    router: Router = Router()",
    "    self.add(Router)",
    "    return Router.of(routes)",
    "  r := Router{routes: routes}",
    "    app = Builder.new(Router).call",
    "    // nothing of the name in it",
    "    routers = MyRouter(), RouterList()",
  ])("does not take %j for one", (line) => assert.isFalse(isType(line)))

  it("asks for all lines, and for a class", () => {
    const source = "def run(a: Router):\n  return Router(a)\n"
    const used = { kind: "class", name: "Router" } as const
    assert.isFalse(TypeUse.isInTypes({ startLine: 1 }, source, used, [1, 2]))
    assert.isTrue(TypeUse.isInTypes({ startLine: 1 }, source, used, [1]))
    assert.isFalse(TypeUse.isInTypes({ startLine: 1 }, source, used, []))
    assert.isFalse(isType("    router: Router", "function"))
  })

  it("takes time in proportion to the line", () => {
    assert.isTrue(isType("x: Router, ".repeat(200_000)))
    assert.isFalse(isType("Router".repeat(200_000)))
  })
})
