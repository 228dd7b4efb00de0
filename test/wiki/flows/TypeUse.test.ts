import { assert, describe, it } from "@effect/vitest"
import * as TypeUse from "../../../src/wiki/flows/TypeUse.ts"

const isType = (line: string, kind: "class" | "function" = "class", path = "run.py") =>
  TypeUse.isInTypes({ path, startLine: 10 }, `def run():\n${line}\n`, { kind, name: "Router" }, [11])

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
    "    except (OSError, Router) as error:",
    "  const router: Router = make()",
    '    router: "Router"',
    "    return Router.of(routes)",
    "  $router = Router::of($routes);",
    "  let router = Router::<Route>::new();",
    "  fn serve(routes: &HashMap<String, Router>) {",
    "    router: &'src mut Router,",
    ") -> Router {",
    "  public function add(Router $router): void",
    "  Router router = make();",
    "  private final List<Router> routers = find(a, b);",
  ])("takes %j for a type", (line) => assert.isTrue(isType(line)))

  it.each([
    "    router = Router(routes)",
    "  const router: Router = new Router()",
    "    router: Router = Router()",
    "    self.add(Router)",
    "  r := Router{routes: routes}",
    "    app = Builder.new(Router).call",
    "    // nothing of the name in it",
    "    routers = MyRouter(), RouterList()",
  ])("does not take %j for one", (line) => assert.isFalse(isType(line)))

  it("takes a bare name for a type in a language whose classes are no values", () => {
    assert.isTrue(isType("\tvar router *Router", "class", "run.go"))
    assert.isTrue(isType("\trouters := make([]Router, 0)", "class", "run.go"))
    assert.isFalse(isType("\trouter := &Router{}", "class", "run.go"))
    assert.isFalse(isType("  let router = Router { routes };", "class", "run.rs"))
    assert.isFalse(isType("    router = Router", "class", "run.py"))
  })

  it("asks for all lines, and for a class", () => {
    const source = "def run(a: Router):\n  return Router(a)\n"
    const used = { kind: "class", name: "Router" } as const
    assert.isFalse(TypeUse.isInTypes({ path: "run.py", startLine: 1 }, source, used, [1, 2]))
    assert.isTrue(TypeUse.isInTypes({ path: "run.py", startLine: 1 }, source, used, [1]))
    assert.isFalse(TypeUse.isInTypes({ path: "run.py", startLine: 1 }, source, used, []))
    assert.isFalse(isType("    router: Router", "function"))
  })

  it("takes time in proportion to the line", () => {
    assert.isTrue(isType("x: Router, ".repeat(200_000)))
    assert.isFalse(isType("Router".repeat(200_000)))
  })
})
