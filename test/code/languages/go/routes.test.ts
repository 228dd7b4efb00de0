import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of Go", () => {
  it("reads calls of gin with the prefixes of groups", () => {
    assert.deepStrictEqual(
      routesIn(
        "main.go",
        'import "github.com/gin-gonic/gin"',
        'v1 := r.Group("/v1")',
        'users := v1.Group("/users")',
        'users.GET("/:id", auth, users.Show)',
        'r.Any("/ping", func(c *gin.Context) {',
        "})",
        'r.Handle("PATCH", "/x", change)',
      ),
      ["4 GET /v1/users/:id -> users.Show", "5-6 ANY /ping", "7 PATCH /x -> change"],
    )
  })

  it("reads chi within Route, and the patterns of net/http and gorilla", () => {
    assert.deepStrictEqual(
      routesIn(
        "main.go",
        'import ("net/http"; "github.com/go-chi/chi/v5")',
        'r.Route("/articles", func(r chi.Router) {',
        '  r.With(paginate).Get("/", list)',
        '  r.Route("/{id}", func(r chi.Router) {',
        '    r.Put("/", s.update)',
        "  })",
        "})",
        'r.Get("/", index)',
        'mux.HandleFunc("POST /orders", create)',
        'm.HandleFunc("/books", books).Methods("GET", http.MethodPut)',
        'r.Method(http.MethodDelete, "/all", clear)',
      ),
      [
        "5 PUT /articles/{id} -> s.update",
        "8 GET / -> index",
        "9 POST /orders -> create",
        "10 GET /books -> books",
        "10 PUT /books -> books",
        "11 DELETE /all -> clear",
      ],
    )
  })

  it("leaves out clients, tests, caches, and files without a framework", () => {
    assert.deepStrictEqual(
      routesIn(
        "a.go",
        'import "net/http"',
        'http.Get("/url")',
        'http.Post("/url", "text/plain", body)',
        'client.Get("/url", options)',
        's.apiClient.Delete("/url", options)',
        'req := httptest.NewRequest("GET", "/x", nil)',
        '// r.Get("/commented", show)',
        'x := `r.Get("/quoted", show)`',
        "r.Get(path, show)",
      ),
      [],
    )
    assert.deepStrictEqual(routesIn("b.go", 'cache.Get("/x", load)', 'r.GET("/x", show)'), [])
  })

  it("reads the routes around a syntax error", () => {
    assert.deepStrictEqual(
      routesIn("a.go", 'import "net/http"', 'r.Get("/a", a)', "func broken( {", 'r.Get("/b", b)'),
      ["2 GET /a -> a", "4 GET /b -> b"],
    )
  })
})
