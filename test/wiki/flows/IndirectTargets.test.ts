/** Calls through parameters, variables, properties and tables of small projects, with real outlines and references. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FileGraph from "../../../src/wiki/FileGraph.ts"
import * as IndirectTargets from "../../../src/wiki/flows/IndirectTargets.ts"
import { layer, type Project } from "../../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../../index/IndexStore.fixture.ts"

/** `send: $handler at 9 -> Stack.__invoke (Client.__construct)`, for each call of this kind in the project. */
const jointsIn = (files: Project) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      const graph = yield* FileGraph.read(index)
      const find = IndirectTargets.make(index, graph.files, (path) => Effect.succeed(files[path]))
      const entries = yield* Effect.forEach(graph.files, (path) => index.symbolsIn(path))
      const lines = yield* Effect.forEach(entries.flat(), (entry) =>
        Effect.map(find(entry), (joints) =>
          joints.map(({ holder, line, targets }) => {
            const names = targets.map(
              ({ by, entry, isLater }) =>
                `${entry.qualifiedName} (${by?.qualifiedName ?? "-"})${isLater ? " later" : ""}`,
            )
            return `${entry.qualifiedName}: ${holder} at ${line} -> ${names.join(", ") || "?"}`
          }),
        ),
      )
      return lines.flat()
    }),
  ).pipe(Effect.provide(layer))

const php: Project = {
  "src/Client.php": `<?php
namespace App;

class Client
{
    private $config;

    public function __construct(array $config)
    {
        $config['handler'] = Stack::create();
        $this->config = $config;
    }

    public function send($request, array $options)
    {
        $handler = $options['handler'];

        return $handler($request, $options);
    }
}
`,
  "src/Stack.php": `<?php
namespace App;

class Stack
{
    private $stack = [];
    private $handler;

    public function __construct(callable $handler)
    {
        $this->handler = $handler;
    }

    public static function create(): self
    {
        $stack = new self(new Transport());
        $stack->push(Middleware::errors(), 'errors');
        $stack->push(Middleware::retry(), 'retry');

        return $stack;
    }

    public function push(callable $middleware, string $name): void
    {
        $this->stack[] = [$middleware, $name];
    }

    public function __invoke($request, array $options)
    {
        $next = $this->handler;
        foreach (array_reverse($this->stack) as $fn) {
            $next = $fn[0]($next);
        }
        // $comment() is no call, and neither is "$text()".
        return ($this->handler)($request);
    }
}
`,
  "src/Middleware.php": `<?php
namespace App;

class Middleware
{
    public static function errors(): callable
    {
        return static function (callable $handler): callable {
            return static function ($request) use ($handler) {
                return $handler($request);
            };
        };
    }

    public static function retry(): callable
    {
        return static function (callable $handler): Retry {
            return new Retry($handler);
        };
    }
}
`,
  "src/Retry.php":
    "<?php\nnamespace App;\n\nclass Retry\n{\n    public function __construct(private $next)\n    {\n    }\n\n    public function __invoke($request)\n    {\n        return ($this->next)($request);\n    }\n}\n",
  "src/Transport.php":
    "<?php\nnamespace App;\n\nclass Transport\n{\n    public function __invoke($request)\n    {\n        return $request;\n    }\n}\n",
}

const python: Project = {
  "app/errors.py": `class Errors:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope):
        await self.app(scope)
`,
  "app/middleware.py": `class Middleware:
    def __init__(self, cls, **options):
        self.cls = cls
`,
  "app/main.py": `from app.errors import Errors
from app.middleware import Middleware


class Base:
    async def __call__(self, scope):
        return scope


class Router(Base):
    def __init__(self, default=None):
        self.default = self.not_found if default is None else default

    def not_found(self, scope):
        return 404

    def route(self, scope):
        return self.default(scope)


class Application:
    def __init__(self):
        self.router = Router()
        self.stack = None

    def build(self):
        layers = [Middleware(Errors, debug=True)]
        app = self.router
        for cls, options in reversed(layers):
            app = cls(app, **options)
        return app

    async def __call__(self, scope):
        if self.stack is None:
            self.stack = self.build()
        await self.stack(scope)


def endpoint(action):
    async def app(scope):
        return action(scope)

    return app


def hello(scope):
    return "hello"


greeting = endpoint(hello)
`,
}

const typescript: Project = {
  "src/app.ts": `import { Layer } from "./layer"
import { log } from "./log"

export class App {
  private layers: Array<Layer> = []
  private last = log

  use(handler: (request: string) => void) {
    this.layers.push(new Layer(handler))
  }

  handle(request: string) {
    for (const layer of this.layers) layer.run(request)
    this.last(request)
  }
}
`,
  "src/layer.ts": `export class Layer {
  constructor(private readonly handler: (request: string) => void) {}

  run(request: string) {
    const fn = this.handler
    fn(request)
  }
}
`,
  "src/log.ts": "export function log(text: string) {\n  return text\n}\n",
  "src/query.ts":
    "export const query = (options: object) => (request: string) => {\n  return options\n}\nexport function json(request: string) {\n  return request\n}\n",
  "src/main.ts": `import { App } from "./app"
import { json, query } from "./query"

export function start() {
  const app = new App()
  app.use(json)
  app.use(query({}))
}

export function each(items: Array<string>, visit: (item: string) => void) {
  for (const item of items) visit(item)
}
`,
}

const javascript: Project = {
  "lib/layer.js": `function Layer(path, fn) {
  this.handle = fn
}

Layer.prototype.run = function run(req, next) {
  const fn = this.handle
  fn(req, next)
}

module.exports = Layer
`,
  "lib/app.js": `const Layer = require("./layer")

function first(req, next) {
  next()
}

function make() {
  return new Layer("/", first)
}

module.exports = make
`,
}

describe("IndirectTargets", () => {
  it.effect("finds what PHP calls through options, properties and what was pushed on a list", () =>
    Effect.map(jointsIn(php), (lines) =>
      assert.deepStrictEqual(lines, [
        "App.Client.send: $handler at 18 -> App.Stack.__invoke (App.Client.__construct)",
        "App.Middleware.errors: $handler at 10 -> ?",
        "App.Stack.__invoke: $fn at 32 -> App.Middleware.errors (App.Stack.create) later, App.Retry.__invoke (App.Middleware.retry) later",
        "App.Stack.__invoke: $this->handler at 35 -> App.Transport.__invoke (App.Stack.create)",
      ]),
    ),
  )

  it.effect("finds what Python calls through properties, loops over classes and base classes", () =>
    Effect.map(jointsIn(python), (lines) =>
      assert.deepStrictEqual(lines, [
        "Router.route: self.default at 18 -> Router.not_found (Router.__init__)",
        "Application.build: cls at 30 -> Errors (Application.build)",
        "Application.__call__: self.stack at 36 -> Base.__call__ (Application.__init__), Errors.__call__ (Application.build)",
        "endpoint: action at 41 -> hello (greeting)",
      ]),
    ),
  )

  it.effect("finds what TypeScript calls through properties of constructors and registrations", () =>
    Effect.map(jointsIn(typescript), (lines) =>
      assert.deepStrictEqual(lines, [
        "App.handle: this.last at 14 -> log (App.last)",
        "Layer.run: fn at 6 -> json (start), query (start) later",
        "each: visit at 11 -> ?",
      ]),
    ),
  )

  it.effect("finds what JavaScript calls through what a constructor was given", () =>
    Effect.map(jointsIn(javascript), (lines) =>
      assert.deepStrictEqual(lines, ["first: next at 4 -> ?", "Layer.run: fn at 7 -> first (make)"]),
    ),
  )

  it.effect("ends in cycles of names that hold each other", () =>
    Effect.map(
      jointsIn({
        "a.py": "def f(a):\n    b = a\n    a = b\n    return a()\n\n\ndef g(c):\n    f(c)\n    g(f)\n",
        "b.ts": "export function loop(x: any): any {\n  let y = x\n  x = y\n  loop(y)\n  return x()\n}\n",
      }),
      (lines) => assert.deepStrictEqual(lines, ["f: a at 4 -> ?", "loop: x at 5 -> ?"]),
    ),
  )
})
