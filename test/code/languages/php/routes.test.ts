import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of PHP", () => {
  it("reads Laravel's facade with prefixes, actions and resources", () => {
    assert.deepStrictEqual(
      routesIn(
        "api.php",
        "<?php",
        "Route::get('/users', [UserController::class, 'index']);",
        "Route::match(['put', 'patch'], 'user', 'UserController@update');",
        "Route::prefix('admin')->middleware('auth')->group(function () {",
        "    Route::get('/', fn () => view('admin'));",
        "    Route::middleware('log')->post('run', Run::class);",
        "});",
        "Route::group(['prefix' => 'v1'], function () {",
        "    Route::apiResource('photos', PhotoController::class)->only(['index', 'show']);",
        "});",
      ),
      [
        "2 GET /users -> UserController.index",
        "3 PUT /user -> UserController.update",
        "3 PATCH /user -> UserController.update",
        "5 GET /admin",
        "6 POST /admin/run -> Run.__invoke",
        "9 GET /v1/photos -> PhotoController.index",
        "9 GET /v1/photos/{photo} -> PhotoController.show",
      ],
    )
  })

  it("reads Symfony's attributes with the prefix of the class, and Slim's calls", () => {
    assert.deepStrictEqual(
      routesIn(
        "BlogController.php",
        "<?php",
        "#[Route('/blog')]",
        "final class BlogController {",
        "    #[Route('/{slug}', name: 'show', methods: ['GET', 'POST'])]",
        "    #[IsGranted('ROLE')]",
        "    public function show(): Response {}",
        "}",
      ),
      ["4 GET /blog/{slug} -> show", "4 POST /blog/{slug} -> show"],
    )
    assert.deepStrictEqual(
      routesIn("app.php", "<?php", "$app->get('/a', function ($request) {", "});", "$app->post('/b', Save::class);"),
      ["2-3 GET /a", "4 POST /b -> Save.__invoke"],
    )
  })

  it("leaves out clients, caches, collections, comments and strings", () => {
    assert.deepStrictEqual(
      routesIn(
        "a.php",
        "<?php",
        "$client->get('/url', ['timeout' => 1]);",
        "$this->get('/x')->assertOk();",
        "$app->get('/x', $default);",
        "Http::get('/url', ['a' => 1]);",
        "Cache::get('/x', fn () => 1);",
        "// Route::get('/commented', [A::class, 'b']);",
        "# Route::get('/commented', [A::class, 'b']);",
        "$text = \"Route::get('/quoted', [A::class, 'b'])\";",
        "Route::get($path, [A::class, 'b']);",
        "Route::get(\"/$name\", [A::class, 'b']);",
      ),
      [],
    )
  })

  it("reads the routes around a syntax error", () => {
    assert.deepStrictEqual(
      routesIn(
        "a.php",
        "<?php",
        "Route::get('/a', [A::class, 'a']);",
        "function broken( {",
        "Route::get('/b', [A::class, 'b']);",
      ),
      ["2 GET /a -> A.a", "4 GET /b -> A.b"],
    )
  })
})
