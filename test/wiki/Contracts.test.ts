/** Contracts, their defaults and errors of small projects, with real outlines and references. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Contracts from "../../src/wiki/Contracts.ts"
import * as FileGraph from "../../src/wiki/FileGraph.ts"
import { layer, type Project } from "../index/IndexStore/references/References.fixture.ts"
import { withIndex } from "../index/IndexStore.fixture.ts"

const contractsIn = (files: Project) =>
  withIndex("/p", files, (index) =>
    Effect.gen(function* () {
      const graph = yield* FileGraph.read(index)
      const { contracts, errors } = yield* Contracts.read(index, graph.files, (path) => Effect.succeed(files[path]))
      return {
        contracts: contracts.map(({ defaults, entry, implementations }) => {
          const names = implementations.map(({ name }) => name).toSorted()
          const taken = defaults.map(({ by, entry }) => `${entry.name} in ${by?.name ?? "-"}`)
          return `${entry.name} <- ${names.join(" ")}${taken.length === 0 ? "" : `; ${taken.join(", ")}`}`
        }),
        errors: errors.map(
          ({ base, derived, entry }) =>
            `${entry.name} (${base ?? "-"}) <- ${derived.map(({ name }) => name).join(" ")}`,
        ),
      }
    }),
  ).pipe(Effect.provide(layer))

const inherit = "<?php\nnamespace App;\n\n"

describe("Contracts", () => {
  it.effect("lists interfaces, abstract classes and traits of PHP with what is taken by default", () =>
    Effect.map(
      contractsIn({
        "src/Cache.php": `${inherit}interface Cache\n{\n    public function get(string $key);\n}\n`,
        "src/MemoryCache.php": `${inherit}class MemoryCache implements Cache\n{\n    public function get(string $key)\n    {\n    }\n}\n`,
        "src/FileCache.php": `${inherit}class FileCache implements Cache\n{\n    public function get(string $key)\n    {\n    }\n}\n`,
        "src/Base.php": `${inherit}abstract class Base\n{\n}\n`,
        "src/Names.php": `${inherit}trait Names\n{\n}\n`,
        "src/Store.php": `${inherit}class Store extends Base
{
    use Names;

    private $cache;

    public function __construct(?Cache $cache = null)
    {
        $this->cache = $cache ?? new MemoryCache();
    }

    public static function onDisk(): self
    {
        return new self(new FileCache());
    }
}
`,
      }),
      ({ contracts, errors }) => {
        assert.deepStrictEqual(contracts, [
          "Cache <- FileCache MemoryCache; MemoryCache in __construct",
          "Base <- Store",
          "Names <- Store",
        ])
        assert.deepStrictEqual(errors, [])
      },
    ),
  )

  it.effect("names no default of a type of which there are dozens, such as nodes of a syntax tree", () => {
    const nodes = (count: number) => {
      const kinds = Array.from({ length: count }, (_, n) => `class Node${n}(Node):\n    pass\n`).join("\n")
      const use = "def parse(given=None):\n    if given is None:\n        given = Node0()\n    return given\n"
      return contractsIn({ "nodes.py": `class Node:\n    pass\n\n${kinds}\n${use}` })
    }
    return Effect.map(Effect.all([nodes(5), nodes(30)]), ([few, many]) => {
      assert.match(few.contracts[0] ?? "", /^Node <- .*; Node0 in parse$/)
      assert.match(many.contracts[0] ?? "", /^Node <- [^;]*$/)
    })
  })

  it.effect("lists protocols, abstract classes and what many extend, of Python, with defaults in conditions", () =>
    Effect.map(
      contractsIn({
        "app/shapes.py": `from typing import Protocol


class Backend(Protocol):
    def run(self): ...


class Local(Backend):
    def run(self):
        return 1


class Route:
    def match(self):
        raise NotImplementedError()


class Path(Route):
    pass


class Plain:
    pass


class One(Plain):
    pass


class Many:
    pass


class A(Many):
    pass


class B(Many):
    pass


class C(Many):
    pass
`,
        "app/run.py": `from app.shapes import Local, One, Path


class Runner:
    def __init__(self, backend=None):
        self.backend = Local() if backend is None else backend

    def route(self, route=None):
        if route is None:
            route = Path()
        made = One(1, 2)
        return route
`,
      }),
      ({ contracts }) =>
        assert.deepStrictEqual(contracts, [
          "Many <- A B C",
          "Backend <- Local; Local in __init__",
          "Route <- Path; Path in route",
        ]),
    ),
  )

  it.effect("takes an object that is made without a condition for no default, in TypeScript", () =>
    Effect.map(
      contractsIn({
        "src/log.ts": `export interface Log {
  write(text: string): void
}
export class Console implements Log {
  write(text: string) {}
}
export class Silent implements Log {
  write(text: string) {}
}
`,
        "src/app.ts": `import { Console, type Log, Silent } from "./log"

export class App {
  constructor(private readonly log: Log = new Console()) {}
}
export const quiet = new App(new Silent())
`,
      }),
      ({ contracts }) => assert.deepStrictEqual(contracts, ["Log <- Console Silent; Console in constructor"]),
    ),
  )

  it.effect("lists errors in the order of their inheritance, with the outer type that they begin with", () =>
    Effect.map(
      contractsIn({
        "app/errors.py": `class AppError(Exception):
    pass


class Timeout(AppError):
    pass


class ReadTimeout(Timeout):
    pass


class _Hidden(AppError):
    pass


class ErrorHandler:
    pass


class Halt(RuntimeError):
    pass
`,
      }),
      ({ contracts, errors }) => {
        assert.deepStrictEqual(contracts, [])
        assert.deepStrictEqual(errors, [
          "AppError (Exception) <- Timeout",
          "Timeout (-) <- ReadTimeout",
          "ReadTimeout (-) <- ",
          "Halt (RuntimeError) <- ",
        ])
      },
    ),
  )

  it.effect("lists an error first whose base is a class of the project that is none", () =>
    Effect.map(
      contractsIn({
        "app/a.py": "from app.http import HttpError\n\n\nclass SlowError(HttpError):\n    pass\n",
        "app/http.py": "class Response:\n    pass\n\n\nclass HttpError(Response):\n    pass\n",
      }),
      ({ errors }) =>
        assert.deepStrictEqual(
          errors.map((error) => error.replace(/ \(.*\)/, "")),
          ["HttpError <- SlowError", "SlowError <- "],
        ),
    ),
  )

  it.effect("reads types whose names have characters that mean something in a pattern", () =>
    Effect.map(
      contractsIn({
        "src/store.ts":
          'export interface $Store {\n  get(): string\n}\n\nexport class $Memory implements $Store {\n  get() {\n    return ""\n  }\n}\n\nexport const open = (store?: $Store) => {\n  const taken = store ?? new $Memory()\n  return taken\n}\n',
      }),
      ({ contracts }) => assert.deepStrictEqual(contracts, ["$Store <- $Memory; $Memory in open"]),
    ),
  )
})
