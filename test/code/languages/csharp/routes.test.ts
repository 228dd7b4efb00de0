import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of C#", () => {
  it("reads the attributes of ASP.NET with the prefix of the controller", () => {
    assert.deepStrictEqual(
      routesIn(
        "UsersController.cs",
        '[ApiController, Route("api/[controller]")]',
        "public class UsersController : ControllerBase {",
        "  [HttpGet]",
        "  public async Task<ActionResult<List<User>>> List() => Ok();",
        '  [HttpPut("{id:int}")]',
        '  [Authorize(Roles = "a")]',
        "  public IActionResult Save(int id) { return Ok(); }",
        '  [HttpPost, Route("import")]',
        "  public void Import() {}",
        '  [HttpGet("/health")]',
        "  public string Health() => null;",
        "}",
      ),
      [
        "3 GET /api/Users -> UsersController.List",
        "5 PUT /api/Users/{id:int} -> UsersController.Save",
        "8 POST /api/Users/import -> UsersController.Import",
        "10 GET /health -> UsersController.Health",
      ],
    )
  })

  it("reads the calls of minimal applications with the prefix of a group", () => {
    assert.deepStrictEqual(
      routesIn(
        "Program.cs",
        'var todos = app.MapGroup("/todos");',
        'todos.MapGet("/", GetAll);',
        'app.MapPost("/login", async (User user) => {',
        "});",
        'app.MapDelete("/x", Handlers.Remove).RequireAuthorization();',
      ),
      ["2 GET /todos -> GetAll", "3-4 POST /login", "5 DELETE /x -> Handlers.Remove"],
    )
  })

  it("leaves out clients, paths that are no literals, comments and strings", () => {
    assert.deepStrictEqual(
      routesIn(
        "A.cs",
        "class A {",
        '  // [HttpGet("/commented")] void B() {}',
        '  string text = @"[HttpGet(""/quoted"")]";',
        "  [HttpGet(Paths.All)] public void C() {}",
        '  void D() { client.GetAsync("/url"); cache.Get("/x", load); app.MapGet(path, E); app.MapGet($"/{a}", E); }',
        "}",
      ),
      [],
    )
  })

  it("reads the routes around a syntax error", () => {
    assert.deepStrictEqual(routesIn("A.cs", 'app.MapGet("/a", A);', "void Broken( {", 'app.MapGet("/b", B);'), [
      "1 GET /a -> A",
      "3 GET /b -> B",
    ])
  })
})
