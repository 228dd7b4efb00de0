import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

const spring = "import org.springframework.web.bind.annotation.*;"

describe("routes of Java and Kotlin", () => {
  it("reads the mappings of Spring with the prefix of the class", () => {
    assert.deepStrictEqual(
      routesIn(
        "OwnerController.java",
        spring,
        '@RequestMapping("/owners")',
        "@RestController",
        "public class OwnerController {",
        '  @GetMapping("/new")',
        '  @ResponseBody(status = "ok")',
        "  public String create(Map<String, Object> model) { return null; }",
        '  @RequestMapping(value = {"/{id}", "/by/{id}"}, method = RequestMethod.PUT)',
        "  ResponseEntity<Owner> update(@PathVariable int id) { return null; }",
        "  @PostMapping",
        "  void save() {}",
        "}",
        "class Other {",
        '  @RequestMapping(path = "/other") void any() {}',
        "}",
      ),
      [
        "5 GET /owners/new -> create",
        "8 PUT /owners/{id} -> update",
        "8 PUT /owners/by/{id} -> update",
        "10 POST /owners -> save",
        "14 ANY /other -> any",
      ],
    )
    assert.deepStrictEqual(
      routesIn("A.kt", spring, "class A {", '  @GetMapping("/a")', "  fun list(): List<A> = all()", "}"),
      ["3 GET /a -> list"],
    )
  })

  it("leaves out paths that are no literals, clients, comments and other frameworks", () => {
    assert.deepStrictEqual(
      routesIn(
        "A.java",
        spring,
        "class A {",
        "  @GetMapping(PATH) void a() {}",
        '  @GetMapping(PATH + "/x") void b() {}',
        '  // @GetMapping("/commented")',
        '  void c() { rest.getForObject("/url", String.class); mvc.perform(get("/x")); map.get("/x"); }',
        "}",
      ),
      [],
    )
    assert.deepStrictEqual(routesIn("B.java", '@GetMapping("/a") void a() {}'), [])
  })

  it("reads the routes behind a syntax error", () => {
    assert.deepStrictEqual(
      routesIn("A.java", spring, "class A {", "  void broken(int {", '  @GetMapping("/a")', "  void a() {}", "}"),
      ["4 GET /a -> a"],
    )
  })
})
