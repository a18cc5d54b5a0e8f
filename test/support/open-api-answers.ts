import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from './open-api-rules.ts'

/** An answer as a client sees it. Where the body was masked, `…` or `•••` stand in its texts. */
export interface ObservedAnswer {
  readonly method: string
  /** With or without a query. */
  readonly url: string
  readonly status: number
  readonly contentType: string | undefined
  /** Parsed where it is JSON; undefined where there is none. */
  readonly body: unknown
}

/** What an answer has against the document; empty where nothing, or where it documents no such call. */
export type CheckAnswer = (answer: ObservedAnswer) => readonly string[]

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)

/** Holds answers against an OpenAPI 3.0 document: status, media type, and the body's schema. */
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
  // The most exact path first: `/a/b` before `/a/{id}`.
  operations.sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  const validators = new Map<object, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(toJsonSchema(schema) as object)
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
    // Of a long body only the beginning was recorded, which is text then.
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

/** What OpenAPI 3.0 writes in its own way, as JSON Schema 2020-12 has it. */
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
