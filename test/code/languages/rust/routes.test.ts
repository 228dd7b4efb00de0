import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of Rust", () => {
  it("reads axum's routes with several methods, closures and nested routers", () => {
    assert.deepStrictEqual(
      routesIn(
        "main.rs",
        "use axum::Router;",
        "let app = Router::new()",
        '  .route("/", get(|| async { "x" }))',
        '  .route("/users/{id}", get(users::show).delete(remove::<Db>))',
        '  .nest("/api", Router::new().route("/a", post(create)));',
      ),
      ["3 GET /", "4 GET /users/{id} -> users.show", "4 DELETE /users/{id} -> remove", "5 POST /api/a -> create"],
    )
  })

  it("reads actix-web's attributes, scopes and resources", () => {
    assert.deepStrictEqual(
      routesIn(
        "main.rs",
        "use actix_web::{get, web};",
        '#[get("/hello/{name}")]',
        "#[instrument(skip(db))]",
        "pub async fn hello(name: web::Path<String>) -> String { name }",
        "fn config(app: App) {",
        "  app.service(",
        '    web::scope("/v1")',
        '      .route("/a", web::get().to(list))',
        '      .service(web::resource("/b").route(web::get().to(show)).route(web::post().to(save))),',
        "  )",
        '  .route("/c", web::put().to(change));',
        "}",
      ),
      [
        "2 GET /hello/{name} -> hello",
        "8 GET /v1/a -> list",
        "9 GET /v1/b -> show",
        "9 POST /v1/b -> save",
        "11 PUT /c -> change",
      ],
    )
  })

  it("leaves out clients, maps, comments and files without a framework", () => {
    assert.deepStrictEqual(
      routesIn(
        "a.rs",
        "use axum::Router;",
        'client.get("/url").send();',
        'map.get("/x");',
        '// .route("/commented", get(show))',
        'let text = r#".route("/quoted", get(show))"#;',
        ".route(path, get(show))",
      ),
      [],
    )
    assert.deepStrictEqual(routesIn("b.rs", 'planner.route("/a", get(show));'), [])
  })

  it("reads the routes around a syntax error", () => {
    assert.deepStrictEqual(
      routesIn("a.rs", "use axum::Router;", 'r.route("/a", get(a));', "fn broken( {", 'r.route("/b", get(b));'),
      ["2 GET /a -> a", "4 GET /b -> b"],
    )
  })
})
