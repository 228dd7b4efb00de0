import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Project, referencesIn } from "../../../index/IndexStore/references/References.fixture.ts"

const module = { "go.mod": "module example.com/app\n\ngo 1.22\n" }

const engine =
  "package engine\n\ntype Engine struct {\n\tBase\n\tparts []*Part\n}\n\ntype Part struct{}\n\nfunc (p *Part) Turn() {}\n\nfunc New() (*Engine, error) {\n\treturn &Engine{}, nil\n}\n"

const cases: ReadonlyArray<readonly [name: string, files: Project, expected: ReadonlyArray<string>]> = [
  [
    "resolves packages by the path of the module",
    {
      ...module,
      "engine/engine.go": "package engine\n\nfunc Start() {}\n",
      "vendored/engine.go": "package engine\n\nfunc Start() {}\n",
      "main.go":
        'package main\n\nimport (\n\t"example.com/app/engine"\n\tother "example.org/engine"\n)\n\nfunc main() {\n\tengine.Start()\n\tother.Start()\n}\n',
    },
    ["main.go main -> engine/engine.go Start: 9"],
  ],
  [
    "takes all files of a folder for one package, and methods that another of them declares",
    {
      ...module,
      "a.go": "package app\n\ntype A struct{}\n\nfunc run(a A) {\n\ta.Stop()\n\thelp()\n}\n",
      "b.go": "package app\n\nfunc (a *A) Stop() {\n\ta.Stop()\n}\n\nfunc help() {}\n",
      "sub/c.go": "package sub\n\nfunc help() {}\n",
    },
    [
      "a.go run -> a.go A: 5",
      "a.go run -> b.go A.Stop: 6",
      "a.go run -> b.go help: 7",
      "b.go A.Stop -> a.go A: 3",
      "b.go A.Stop -> b.go A.Stop: 4",
    ],
  ],
  [
    "resolves members by receivers, fields, elements, embedded types and results",
    {
      ...module,
      "engine/engine.go": engine,
      "engine/base.go": "package engine\n\ntype Base struct{}\n\nfunc (b Base) Stop() {}\n",
      "engine/run.go":
        "package engine\n\nfunc (e *Engine) Run(x any) {\n\te.Stop()\n\tfor _, part := range e.parts {\n\t\tpart.Turn()\n\t}\n\te.parts[0].Turn()\n\tmade, err := New()\n\tmade.Stop()\n\t_ = err\n\tswitch p := x.(type) {\n\tcase *Part:\n\t\tp.Turn()\n\t}\n\tall := []Part{{}}\n\tall[0].Turn()\n}\n",
    },
    [
      "engine/base.go Base.Stop -> engine/base.go Base: 5",
      "engine/engine.go Engine.Base -> engine/base.go Base: 4",
      "engine/engine.go Engine.parts -> engine/engine.go Part: 5",
      "engine/engine.go New -> engine/engine.go Engine: 12 13",
      "engine/engine.go Part.Turn -> engine/engine.go Part: 10",
      "engine/run.go Engine.Run -> engine/base.go Base.Stop: 4 10",
      "engine/run.go Engine.Run -> engine/engine.go Engine.parts: 5 8",
      "engine/run.go Engine.Run -> engine/engine.go Engine: 3",
      "engine/run.go Engine.Run -> engine/engine.go New: 9",
      "engine/run.go Engine.Run -> engine/engine.go Part.Turn: 6 8 14 17",
      "engine/run.go Engine.Run -> engine/engine.go Part: 13 16",
    ],
  ],
  [
    "does not take local names for those of the package",
    {
      ...module,
      "a.go": "package app\n\nfunc help() {}\n\nfunc item() int { return 1 }\n",
      "b.go":
        "package app\n\nfunc run(help func()) {\n\thelp()\n\titem := item()\n\tprintln(item)\n\tif help := 1; help > 0 {\n\t\tprintln(help)\n\t}\n}\n",
    },
    ["b.go run -> a.go item: 5"],
  ],
  [
    "resolves names of packages that are imported with a dot, and takes a use for that of all systems",
    {
      ...module,
      "a/p_linux.go": "package a\n\nfunc platform() {}\n",
      "a/p_windows.go": "package a\n\nfunc platform() {}\n",
      "a/use.go": "package a\n\nfunc Plat() { platform() }\n",
      "b/b.go": 'package b\n\nimport . "example.com/app/a"\n\nfunc Go() { Plat() }\n',
    },
    [
      "a/use.go Plat -> a/p_linux.go platform: 3",
      "a/use.go Plat -> a/p_windows.go platform: 3",
      "b/b.go Go -> a/use.go Plat: 5",
    ],
  ],
]

describe("references of Go", () => {
  for (const [name, files, expected] of cases) {
    it.effect(name, () => Effect.map(referencesIn(files), (lines) => assert.deepStrictEqual(lines, expected)))
  }
})
