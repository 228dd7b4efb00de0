import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import { withSpan } from "../../src/base/Tracing.ts"

/** A tracer that records the started spans. */
const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    context: (run) => run(),
    span: (name, parent, context, links, startTime, kind) => {
      const span: Tracer.Span = {
        _tag: "Span",
        name,
        spanId: `span-${spans.length}`,
        traceId: "trace",
        parent,
        context,
        status: { _tag: "Started", startTime },
        attributes: new Map(),
        links,
        sampled: true,
        kind,
        end: () => {},
        attribute: () => {},
        event: () => {},
        addLinks: () => {},
      }
      spans.push(span)
      return span
    },
  })
  return { spans, tracer }
}

const inner = withSpan("inner", { of: 1 })(Effect.option(Effect.currentSpan))

describe("Tracing.withSpan", () => {
  it.effect("creates a span of the installed tracer, below the current one", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recorder()
      const seen = yield* inner.pipe(Effect.withSpan("outer"), Effect.withTracer(tracer))
      assert.deepStrictEqual(
        spans.map(({ name }) => name),
        ["outer", "inner"],
      )
      assert.strictEqual(Option.getOrUndefined(seen), spans[1])
      assert.strictEqual(Option.getOrUndefined(spans[1]?.parent ?? Option.none()), spans[0])
    }),
  )

  it.effect("creates no span if no tracer is installed", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* inner))
    }),
  )
})
