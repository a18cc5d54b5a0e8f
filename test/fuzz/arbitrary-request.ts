import { fc } from '#test/support/fast-check.ts'

/** The parts of an OpenAPI 3.0 document that requests are made from. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> }
}

interface SecurityScheme {
  readonly type: string
  readonly name?: string
  readonly scheme?: string
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>
  }
  readonly responses: Readonly<Record<string, unknown>>
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Text that has broken parsers before: prototype names, control and bidi characters, long runs. */
const hostileText = fc.constantFrom(
  ...['', ' ', '\u0000', '\r\nX: y', '__proto__', 'constructor', 'null', 'NaN', '-1', '1e999'],
  ...['../../etc/passwd', '%00', '%', "' or 1=1 --", '<script>alert(1)</script>', '{{7*7}}'],
  ...['\u202eabc', '\ud800', 'é'.repeat(300), 'a'.repeat(10_000), '0x', `0x${'f'.repeat(64)}`],
  ...['did:org:uc-pre:', 'did:key:z', 'eyJhbGciOiJub25lIn0.e30.', '2026-02-30T25:61:61Z'],
)

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[]], { toString: 'x' }),
)

/** Values that the schema allows, as far as this small reader of JSON Schema understands it. */
function arbitraryValue(schema: Schema = {}): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(arbitraryValue))
  if (schema.allOf) return fc.tuple(...schema.allOf.map(arbitraryValue)).map(mergeObjects)
  switch (schema.type) {
    case 'string':
      return arbitraryText(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1e6, 2 ** 31) })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(arbitraryValue(schema.items), { maxLength: 3 })
    case 'object': {
      const members = Object.entries(schema.properties ?? {})
      const record = Object.fromEntries(members.map(([name, one]) => [name, arbitraryValue(one)]))
      const requiredKeys = (schema.required ?? []).filter((name) => name in record)
      return fc.record(record, { requiredKeys })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const mergeObjects = (values: readonly unknown[]) => Object.assign({}, ...(values as object[]))

function arbitraryText({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 100) }
  if (pattern === undefined) return fc.string({ unit: 'grapheme', ...length })
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    // fast-check does not generate from look-around assertions.
    return fc.string(length)
  }
}

/** Mostly what the schema allows; now and then one member or the whole is something else. */
function nearlyValid(schema: Schema | undefined): fc.Arbitrary<unknown> {
  const valid = arbitraryValue(schema)
  const names = Object.keys(schema?.properties ?? {})
  const invalid = fc
    .tuple(valid, fc.constantFrom(...(names.length > 0 ? names : ['x'])), hostileValue)
    .map(([value, name, hostile]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { ...value, [name]: hostile }
        : hostile,
    )
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 3, arbitrary: invalid }, hostileValue)
}

const rawBody = fc.constantFrom(
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1}{"b":2}',
  '\u0000',
  '[['.repeat(500),
)
const mediaTypes = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x']

function arbitraryBody({ requestBody }: Operation) {
  if (requestBody === undefined) return fc.constant({})
  const [type = 'application/json', media] = Object.entries(requestBody.content)[0] ?? []
  const text = fc.oneof(
    { weight: 8, arbitrary: nearlyValid(media?.schema).map((value) => encodeBody(type, value)) },
    rawBody,
  )
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant(type) },
    fc.constantFrom(...mediaTypes),
  )
  return fc.record({ body: text, contentType })
}

function encodeBody(type: string, value: unknown): string {
  if (!type.includes('form')) return JSON.stringify(value) ?? 'null'
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const texts = fields.map(([name, field]): [string, string] => [
    name,
    typeof field === 'string' ? field : (JSON.stringify(field) ?? ''),
  ])
  return new URLSearchParams(texts).toString()
}

const parameterText = (schema: Schema | undefined) =>
  fc
    .oneof({ weight: 4, arbitrary: arbitraryValue(schema) }, hostileText)
    .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))

// A lone surrogate has no percent-encoding.
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** Every operation of a document, as `POST /path`, with requests for it: valid, nearly, hostile. */
export function arbitraryRequests(
  document: OpenApiDocument,
  credentials: Readonly<Record<string, string>>,
): readonly { readonly name: string; readonly request: fc.Arbitrary<FuzzRequest> }[] {
  const secrets = fc.oneof(
    { weight: 6, arbitrary: fc.constant(credentials) },
    fc.constant({}),
    fc.constant({ authorization: 'Bearer x.y.z', 'x-api-key': 'x' }),
  )
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parameters = operation.parameters ?? []
      const texts = fc.tuple(...parameters.map(({ schema }) => parameterText(schema)))
      const present = fc.tuple(...parameters.map(() => fc.boolean()))
      const request = fc
        .tuple(texts, present, arbitraryBody(operation), secrets)
        .map(([values, isPresent, body, given]): FuzzRequest => {
          let path = template
          const query: string[] = []
          for (const [index, { name, in: place }] of parameters.entries()) {
            const text = encode(values[index] ?? '')
            if (place === 'path') path = path.replace(`{${name}}`, text)
            else if (isPresent[index]) query.push(`${name}=${text}`)
          }
          const { body: content, contentType } = body as { body?: string; contentType?: string }
          return {
            method: method.toUpperCase(),
            path: query.length > 0 ? `${path}?${query.join('&')}` : path,
            headers: {
              ...given,
              ...(contentType === undefined ? {} : { 'content-type': contentType }),
            },
            ...(content === undefined ? {} : { body: content.toWellFormed() }),
          }
        })
      return { name: `${method.toUpperCase()} ${template}`, request }
    }),
  )
}
