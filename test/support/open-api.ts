import { Ajv } from 'ajv'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { openApiSchema } from './open-api-schema.ts'

interface MediaType {
  readonly schema?: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

type Content = Readonly<Record<string, MediaType>>

export interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly schema: { readonly example?: unknown; readonly default?: unknown }
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly securitySchemes?: Readonly<Record<string, object>> }
}

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const validateDocument = ajv.compile(openApiSchema)

/** The errors of a document by the rules of OpenAPI 3.0.3; empty if there are none. */
export function findOpenApiProblems(document: OpenApiDocument): string[] {
  validateDocument(document)
  const problems = (validateDocument.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  )
  for (const { path, method, operation } of listOperations(document)) {
    const templated = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).sort()
    const declared = (operation.parameters ?? [])
      .flatMap(({ name, in: place }) => (place === 'path' ? [name] : []))
      .sort()
    if (JSON.stringify(templated) !== JSON.stringify(declared)) {
      problems.push(`${method} ${path}: its path has ${templated}, its parameters ${declared}`)
    }
    const { securitySchemes = {} } = document.components
    for (const name of (operation.security ?? []).flatMap(Object.keys)) {
      if (!Object.hasOwn(securitySchemes, name)) problems.push(`${path}: no scheme ${name}`)
    }
  }
  return problems
}

/** Every operation of a document. */
export function listOperations(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
}

export interface ListedExample {
  /** Its place, for a test's name. */
  readonly name: string
  readonly value: unknown
  readonly validate: ValidateFunction
}

/** Lists the bodies of an operation without an example in the document, and the examples of the rest. */
export function listExamples(operation: Operation): {
  readonly bare: readonly string[]
  readonly examples: readonly ListedExample[]
} {
  const places = [
    ['request', operation.requestBody?.content ?? {}] as const,
    ...Object.entries(operation.responses).map(
      ([status, { content = {} }]) => [status, content] as const,
    ),
  ]
  const media = places.flatMap(([place, content]) =>
    Object.entries(content).map(([type, each]) => ({ place: `${place} ${type}`, ...each })),
  )
  const examples = media.flatMap(({ place, schema = {}, example, examples = {} }) => {
    const validate = ajv.compile(schema)
    const named = Object.entries(examples).map(([name, { value }]) => [name, value] as const)
    const all = example === undefined ? named : [['example', example] as const]
    return all.map(([name, value]) => ({ name: `${place} ${name}`, value, validate }))
  })
  const bare = media
    .filter(({ example, examples }) => example === undefined && examples === undefined)
    .map(({ place }) => place)
  return { bare, examples }
}

/** Bodies and parameters without an example, and examples that do not match their schema. */
export function findExampleProblems(document: OpenApiDocument): string[] {
  return listOperations(document).flatMap(({ path, method, operation }) => {
    const { bare, examples } = listExamples(operation)
    const wrong = examples.filter(({ value, validate }) => !validate(value)).map(({ name }) => name)
    const silent = (operation.parameters ?? [])
      .filter(({ schema }) => schema.example === undefined && schema.default === undefined)
      .map(({ name }) => name)
    return [
      ...bare.map((place) => `${method} ${path}: no example of ${place}`),
      ...wrong.map((name) => `${method} ${path}: not of its schema: ${name}`),
      ...silent.map((name) => `${method} ${path}: no example of ${name}`),
    ]
  })
}

/** Whether the document describes this response of an operation: status, content type and body. */
export function findAnswerProblems(
  operation: Operation,
  answer: { readonly status: number; readonly type: string | null; readonly body: unknown },
): string[] {
  const response = operation.responses[answer.status]
  if (response === undefined) return [`status ${answer.status} is not documented`]
  const type = answer.type?.split(';')[0] ?? ''
  const schema = response.content?.[type]?.schema
  if (schema === undefined) return [`${answer.status} with ${type} is not documented`]
  const validate = ajv.compile(schema)
  validate(answer.body)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** An answer as a client sees it. If the body was masked, its strings contain `…` or `•••`. */
interface ObservedAnswer {
  readonly method: string
  /** With or without a query. */
  readonly url: string
  readonly status: number
  readonly contentType: string | undefined
  /** Parsed if it is JSON; undefined if there is none. */
  readonly body: unknown
}

/** Returns how an answer differs from the document; empty if it does not, or if the call is undocumented. */
export type CheckAnswer = (answer: ObservedAnswer) => readonly string[]

const answerAjv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(answerAjv)

/** Compares answers with an OpenAPI 3.0 document: status, media type, and the body's schema. */
export function createAnswerCheck(document: OpenApiDocument): CheckAnswer {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
      pattern: new RegExp(
        `^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`,
      ),
    })),
  )
  // The most specific path first: `/a/b` before `/a/{id}`.
  operations.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? answerAjv.compile(toJsonSchema(schema) as object)
    validators.set(schema, validate)
    return validate
  }

  return ({ method, url, status, contentType, body }) => {
    const [pathname = ''] = url.split('?')
    const found = operations.find((each) => each.method === method && each.pattern.test(pathname))
    if (!found) return []
    const at = `${method} ${found.path} ${status}`
    const { responses } = found.operation
    const response = responses[status] ?? responses.default
    if (!response) return [`${at}: the status is not documented`]
    if (contentType === undefined) return []
    const type = contentType.split(';')[0]?.trim() ?? ''
    const media = response.content?.[type] ?? response.content?.['*/*']
    if (!media) return [`${at}: ${type} is not documented`]
    if (!type.endsWith('json') || media.schema === undefined) return []
    // Only the beginning of a long body was recorded, as a string.
    if (typeof body === 'string' && /^[[{]/.test(body)) return []
    const validate = validatorOf(media.schema)
    if (validate(body)) return []
    return (validate.errors ?? [])
      .filter(({ instancePath }) => !isMasked(body, instancePath))
      .map((error) => `${at}: ${describe(error)}`)
  }
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`
}

function isMasked(body: unknown, pointer: string): boolean {
  const value = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((current, name) => (current as Record<string, unknown>)?.[name], body)
  return typeof value === 'string' && /…|•••/.test(value)
}

/** Converts the notation of OpenAPI 3.0 to JSON Schema 2020-12. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = schema as Record<
    string,
    unknown
  >
  const converted: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, toJsonSchema(value)]),
  )
  if (exclusiveMinimum === true) converted.exclusiveMinimum = converted.minimum
  else if (exclusiveMinimum !== undefined)
    converted.exclusiveMinimum = toJsonSchema(exclusiveMinimum)
  if (exclusiveMaximum === true) converted.exclusiveMaximum = converted.maximum
  else if (exclusiveMaximum !== undefined)
    converted.exclusiveMaximum = toJsonSchema(exclusiveMaximum)
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted
}

/**
 * Checks a service's OpenAPI document by the rules of OpenAPI, and its examples by their schemas.
 * Each JSON body has an example.
 */
export async function expectDocumentedExamples(baseUrl: string): Promise<void> {
  const response = await fetch(`${baseUrl}/swagger/openapi.json`)
  const document = (await response.json()) as OpenApiDocument
  expect(findOpenApiProblems(document)).toEqual([])
  for (const { path, method, operation } of listOperations(document)) {
    const { bare, examples } = listExamples(operation)
    const withoutExample = bare.filter((place) => place.endsWith(' application/json'))
    expect(withoutExample, `${method} ${path}`).toEqual([])
    for (const { name, value, validate } of examples) {
      validate(value)
      expect(validate.errors ?? [], `${method} ${path} ${name}`).toEqual([])
    }
  }
}
