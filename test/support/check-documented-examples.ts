import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

interface Media {
  readonly schema: object
  readonly example?: unknown
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface DocumentedExample {
  /** For example `post /issuance/claims 200`, or `… request`. */
  readonly place: string
  /** What ajv finds wrong with it under its schema; undefined where there is no example. */
  readonly problems: readonly string[] | undefined
}

/** Every JSON body of an OpenAPI document, its example held against its schema by ajv. */
export function checkDocumentedExamples({ paths }: OpenApiDocument): readonly DocumentedExample[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody, responses }]) => [
      ...listMedia(`${method} ${path} request`, requestBody?.content),
      ...Object.entries(responses)
        .filter(([status]) => status !== 'default')
        .flatMap(([status, { content }]) => listMedia(`${method} ${path} ${status}`, content)),
    ]),
  )
}

function listMedia(
  place: string,
  content: Readonly<Record<string, Media>> = {},
): readonly DocumentedExample[] {
  return Object.entries(content)
    .filter(([type]) => type === 'application/json')
    .map(([, { schema, example }]) => ({
      place,
      problems: example === undefined ? undefined : check(schema, example),
    }))
}

function check(schema: object, example: unknown): readonly string[] {
  const ajv = new Ajv({ allErrors: true, strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(asDraft7(schema) as object)
  validate(example)
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  )
}

/** OpenAPI 3.0 says by a boolean that a bound is exclusive; JSON Schema since draft 6 by a number. */
function asDraft7(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asDraft7)
  if (typeof schema !== 'object' || schema === null) return schema
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema as Record<
    string,
    unknown
  >
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, asDraft7(value)])),
    ...(minimum === undefined
      ? {}
      : { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined
      ? {}
      : { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  }
}
