/** The arguments of a tool: as JSON Schema for the model, as a decoder for the tool. */
import * as Effect from "effect/Effect"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { JsonObject } from "../message/Json.ts"
import * as SchemaIssues from "../message/SchemaIssues.ts"
import { withoutGeneratedTexts } from "./internal/generatedTexts.ts"
import { InvalidArguments } from "./ToolError.ts"

export type JsonSchema = JsonObject

export interface Parameters<A> {
  /** As its author gave it: `$schema` and all. A provider's adapter strips what its provider refuses. */
  readonly jsonSchema: JsonSchema
  /** From the object a model sent, by name. Fails with a line for each issue. */
  readonly decode: (input: unknown) => Effect.Effect<A, InvalidArguments>
}

/** A [Standard Schema](https://standardschema.dev) that also tells its JSON Schema, as zod 4 does. */
export interface Standard<A> {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult<A> | Promise<StandardResult<A>>
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown> }
    readonly types?: { readonly output: A } | undefined
  }
}

type StandardResult<A> =
  | { readonly value: A; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/**
 * From an Effect Schema. Unknown keys are issues: a misspelt option must not be dropped in silence. Throws where the
 * schema is not that of an object, or cannot be told as JSON Schema.
 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): Parameters<A> => {
  const decode = Schema.decodeUnknown(schema, { errors: "all", onExcessProperty: "error" })
  return {
    jsonSchema: objectSchema(withoutGeneratedTexts(toJson(toJsonSchema(schema.ast)))),
    decode: (input) => Effect.mapError(decode(input), (error) => invalid(SchemaIssues.fromParseError(error))),
  }
}

/** From any Standard Schema with JSON Schema. Throws as `fromSchema` does. */
export const fromStandard = <A>(schema: Standard<A>): Parameters<A> => ({
  jsonSchema: objectSchema(toJson(schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }))),
  decode: (input) =>
    Effect.flatMap(
      Effect.promise(async () => schema["~standard"].validate(input)),
      (result) =>
        result.issues === undefined
          ? Effect.succeed(result.value)
          : Effect.fail(
              invalid(
                result.issues.map(({ message, path = [] }) =>
                  SchemaIssues.line(
                    path.map((step) => (typeof step === "object" ? step.key : step)),
                    message,
                  ),
                ),
              ),
            ),
    ),
})

/** From raw JSON Schema, draft 2020-12 unless its `$schema` says otherwise. What it accepts is passed on as it came. */
export const fromJsonSchema = (jsonSchema: JsonSchema): Parameters<unknown> => ({
  jsonSchema,
  decode: (input) =>
    Effect.flatMap(validator, ({ Validator }) => {
      const { errors, valid } = new Validator(jsonSchema, draftOf(jsonSchema), false).validate(input)
      const told = errors.filter(({ keyword }) => !parents.has(keyword))
      return valid
        ? Effect.succeed(input)
        : Effect.fail(
            invalid(
              told.map(({ error, instanceLocation, keyword }) =>
                SchemaIssues.line(stepsOf(instanceLocation), keyword === "false" ? "is unexpected" : error),
              ),
            ),
          )
    }),
})

/** The steps of a JSON pointer in a URI fragment: `#/a~1b/0`. */
const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** An error at one of these only says that a part is wrong; the part's own error says what. */
const parents = new Set([
  "$ref",
  "allOf",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "prefixItems",
  "items",
  "additionalItems",
])

/** Loaded by the first raw schema that decodes something: most runs have none. */
const validator = Effect.promise(() => import("@cfworker/json-schema"))

const draftOf = (schema: JsonSchema) => {
  const named = typeof schema.$schema === "string" ? schema.$schema : ""
  return named.includes("draft-07")
    ? "7"
    : named.includes("draft-04")
      ? "4"
      : named.includes("2019-09")
        ? "2019-09"
        : "2020-12"
}

const invalid = (issues: ReadonlyArray<string>): InvalidArguments => {
  const [first = "they are not what the schema asks for", ...rest] = issues
  return new InvalidArguments({ issues: [first, ...rest] })
}

/**
 * Draft 2020-12, with named schemas written out where they are used: a refined `Schema.Int` would else be a `$ref` with
 * keywords beside it, which Gemini refuses. Only what contains itself stays a reference.
 */
const toJsonSchema = (ast: SchemaAST.AST): object => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const schema = JSONSchema.fromAST(ast, {
    definitions,
    target: "jsonSchema2020-12",
    topLevelReferenceStrategy: "skip",
  })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    ...(isEmptyStruct(ast) ? emptyObject : schema),
  }
}

/** To Effect `{}` is anything that is not null, to a model a tool without arguments. */
const emptyObject = { type: "object", properties: {} }

const isEmptyStruct = (ast: SchemaAST.AST): boolean =>
  ast._tag === "TypeLiteral" && ast.propertySignatures.length === 0 && ast.indexSignatures.length === 0

/** Models send an object, and providers refuse a tool that asks for anything else. */
const objectSchema = (schema: JsonSchema): JsonSchema => {
  if (schema.type !== "object") throw new Error("they are not an object")
  return schema
}

/**
 * Plain data, whatever prototypes or `undefined`s the schema library left in it; without the `$id` that Effect gives to
 * each `Schema.Unknown` alike, since two of a name make a schema invalid.
 */
const toJson = (schema: object): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === "$id" && typeof value === "string" && value.startsWith("/schemas/") ? undefined : value,
    ),
  )
