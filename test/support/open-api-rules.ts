import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * The objects of OpenAPI 3.0.3, section 4.7, as far as the services use them, as JSON Schema: their
 * members, which of them are required, and that there are no others.
 */
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  patternProperties: { '^x-': {} },
  additionalProperties: false,
})
const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
const mapOf = (value: object) => ({ type: 'object', additionalProperties: value })
const listOf = (items: object) => ({ type: 'array', items })

const openApiSchema = {
  ...closed(
    {
      openapi: { const: '3.0.3' },
      info: closed({ title: text, version: text, description: text }, ['title', 'version']),
      servers: listOf(
        closed({ url: { type: 'string', format: 'uri' }, description: text }, ['url']),
      ),
      paths: {
        type: 'object',
        patternProperties: {
          '^/': closed({
            get: ref('Operation'),
            post: ref('Operation'),
            put: ref('Operation'),
            delete: ref('Operation'),
          }),
        },
        additionalProperties: false,
      },
      components: closed({ securitySchemes: mapOf(ref('SecurityScheme')) }),
    },
    ['openapi', 'info', 'paths'],
  ),
  definitions: {
    Operation: closed(
      {
        summary: text,
        description: text,
        tags: listOf(text),
        security: listOf(mapOf(listOf(text))),
        parameters: { ...listOf(ref('Parameter')), uniqueItems: true },
        requestBody: closed(
          { description: text, required: { type: 'boolean' }, content: ref('Content') },
          ['content'],
        ),
        responses: {
          type: 'object',
          minProperties: 1,
          patternProperties: { '^([1-5]\\d\\d|[1-5]XX|default)$': ref('Response') },
          additionalProperties: false,
        },
      },
      ['responses'],
    ),
    Parameter: {
      ...closed(
        {
          name: text,
          in: { enum: ['query', 'path', 'header', 'cookie'] },
          description: text,
          required: { type: 'boolean' },
          schema: ref('Schema'),
          example: {},
        },
        ['name', 'in', 'schema'],
      ),
      if: { properties: { in: { const: 'path' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { required: { const: true } }, required: ['required'] },
    },
    Response: closed({ description: text, content: ref('Content') }, ['description']),
    Content: { ...mapOf(ref('MediaType')), propertyNames: { pattern: '^[^/\\s]+/[^/\\s]+$' } },
    MediaType: {
      ...closed({
        schema: ref('Schema'),
        example: {},
        examples: mapOf(closed({ summary: text, description: text, value: {} })),
      }),
      not: { required: ['example', 'examples'] },
    },
    Schema: closed({
      title: text,
      description: text,
      type: { enum: ['array', 'boolean', 'integer', 'number', 'object', 'string'] },
      format: text,
      nullable: { type: 'boolean' },
      enum: { type: 'array', minItems: 1 },
      default: {},
      example: {},
      maximum: { type: 'number' },
      minimum: { type: 'number' },
      exclusiveMaximum: { type: 'boolean' },
      exclusiveMinimum: { type: 'boolean' },
      multipleOf: { type: 'number', exclusiveMinimum: 0 },
      maxLength: { type: 'integer', minimum: 0 },
      minLength: { type: 'integer', minimum: 0 },
      pattern: { type: 'string', format: 'regex' },
      maxItems: { type: 'integer', minimum: 0 },
      minItems: { type: 'integer', minimum: 0 },
      uniqueItems: { type: 'boolean' },
      required: { type: 'array', items: text, minItems: 1, uniqueItems: true },
      properties: mapOf(ref('Schema')),
      additionalProperties: { anyOf: [{ type: 'boolean' }, ref('Schema')] },
      items: ref('Schema'),
      allOf: listOf(ref('Schema')),
      anyOf: listOf(ref('Schema')),
      oneOf: listOf(ref('Schema')),
      not: ref('Schema'),
    }),
    SecurityScheme: {
      oneOf: [
        closed(
          { type: { const: 'apiKey' }, in: { enum: ['query', 'header', 'cookie'] }, name: text },
          ['type', 'in', 'name'],
        ),
        closed({ type: { const: 'http' }, scheme: text, bearerFormat: text }, ['type', 'scheme']),
      ],
    },
  },
}

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

/** What a document has against the rules of OpenAPI 3.0.3; empty where nothing. */
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
  /** Where it stands, for a test's name. */
  readonly name: string
  readonly value: unknown
  readonly validate: ValidateFunction
}

/** The bodies of an operation that the document shows no example of, and the examples of others. */
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

/** Bodies and parameters without an example, and examples that are not of their own schema. */
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

/** Whether the document says that an operation answers so: status, content type and body. */
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
