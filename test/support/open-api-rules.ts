import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
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
