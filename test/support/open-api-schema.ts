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

/**
 * The objects of OpenAPI 3.0.3, section 4.7, as far as the services use them, as JSON Schema: their
 * members, which of them are required, and that there are no others.
 */
export const openApiSchema = {
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
