import { assert, describe, it } from "@effect/vitest"
import { routesIn } from "../../internal/routes.ts"

describe("routes of Python", () => {
  it("reads the decorators of Flask with the prefix of a blueprint, one for each method", () => {
    assert.deepStrictEqual(
      routesIn(
        "auth.py",
        "bp = Blueprint('auth', __name__, url_prefix='/auth')",
        "@bp.route('/login', methods=('GET', 'POST'))",
        "@cached(60)",
        "def login():",
        "    pass",
        "@app.route('/users/<int:id>')",
        "def user(id): pass",
        "app.add_url_rule('/old', view_func=Old.as_view('old'))",
      ),
      [
        "2 GET /auth/login -> login",
        "2 POST /auth/login -> login",
        "6 GET /users/<int:id> -> user",
        "8 GET /old -> Old",
      ],
    )
  })

  it("reads the decorators of FastAPI with the prefixes of the router and of its inclusion", () => {
    assert.deepStrictEqual(
      routesIn(
        "items.py",
        'router = APIRouter(prefix="/items", tags=["items"])',
        "@router.get(",
        '    "/{id}",',
        "    response_model=Item,",
        ")",
        "async def read(id: int) -> Item: ...",
        '@router.post(path="")',
        "def create(): ...",
        'app.include_router(router, prefix="/v1")',
      ),
      ["2-5 GET /v1/items/{id} -> read", "7 POST /v1/items -> create"],
    )
  })

  it("reads the patterns of Django without those of other files", () => {
    assert.deepStrictEqual(
      routesIn(
        "urls.py",
        "router.register(r'articles', ArticleViewSet)",
        "urlpatterns = [",
        "    path('owners/<int:pk>/', views.OwnerView.as_view(), name='owner'),",
        "    re_path(r'^pets/(?P<pk>\\d+)/?$', views.pet),",
        "    path('api/', include('api.urls')),",
        "    path('admin/', admin.site.urls),",
        "]",
      ),
      [
        "1 ANY /articles -> ArticleViewSet",
        "3 ANY /owners/<int:pk>/ -> views.OwnerView",
        "4 ANY /pets/<pk>/ -> views.pet",
      ],
    )
  })

  it("leaves out calls of clients and caches, mocks, and decorators with other arguments", () => {
    assert.deepStrictEqual(
      routesIn(
        "other.py",
        "requests.get('/url', timeout=1)",
        "cache.get('/a/b', default)",
        "path('a/b', handler)",
        "@mock.patch('app.models.get')",
        "def test_a(): client.get('/x')",
        "@app.get(URL)",
        "def b(): pass",
        "# @app.get('/commented')",
        '"""',
        "@app.get('/documented')",
        "def c(): pass",
        '"""',
        "@app.get(f'/{name}')",
        "def d(): pass",
      ),
      [],
    )
  })

  it("reads the routes around a syntax error", () => {
    assert.deepStrictEqual(routesIn("app.py", "@app.get('/a')", "def a(: pass", "@app.get('/b')", "def b(): pass"), [
      "1 GET /a -> a",
      "3 GET /b -> b",
    ])
  })
})
