import { z } from 'zod'
import type { AnyRoute } from '#kit/define-route.ts'

export interface OpenApiInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly serverUrl: string
  readonly securitySchemes?: Readonly<Record<string, object>>
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    unrepresentable: 'any',
    io,
  }) as Record<string, unknown>
  return rest
}

function parametersOf(schema: z.ZodType | undefined, place: 'query' | 'path'): object[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, member]) => {
    const { description, ...rest } = schemaOf(member as z.ZodType, 'input') as {
      description?: string
    }
    return {
      name,
      in: place,
      required: place === 'path' || !(member as z.ZodType).safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function operationOf(route: AnyRoute<never>, errorSchema: object): object {
  const { request, responses } = route
  const parameters = [
    ...parametersOf(request?.params, 'path'),
    ...parametersOf(request?.query, 'query'),
  ]
  const content = Object.entries(responses).map(([status, response]) => {
    const contentType =
      response.contentType ?? (response.body === undefined ? undefined : 'application/json')
    const media =
      contentType === undefined
        ? undefined
        : {
            [contentType]: {
              schema:
                response.body === undefined
                  ? { type: 'string', format: 'binary' }
                  : schemaOf(response.body, 'output'),
              ...(response.example === undefined ? {} : { example: response.example }),
            },
          }
    return [
      status,
      { description: response.description, ...(media === undefined ? {} : { content: media }) },
    ]
  })
  const errors = route.errors ?? []
  return {
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.tags === undefined ? {} : { tags: route.tags }),
    ...(route.auth === 'none' ? {} : { security: [{ [route.auth]: [] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request?.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              (request.contentTypes ?? ['application/json']).map((type) => [
                type,
                {
                  schema: schemaOf(request.body as z.ZodType, 'input'),
                  ...(request.example === undefined ? {} : { example: request.example }),
                },
              ]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries(content),
      ...(errors.length === 0
        ? {}
        : {
            default: {
              description: `An error, one of: ${errors.join(', ')}`,
              content: { 'application/json': { schema: errorSchema } },
            },
          }),
    },
  }
}

/** The OpenAPI 3.0.3 document of a service, made from the same route objects that Express runs. */
export function createOpenApiDocument(
  info: OpenApiInfo,
  routes: readonly AnyRoute<never>[],
): Record<string, unknown> {
  const errorSchema = { type: 'object', properties: { error: {}, error_description: {} } }
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    if (route.documented === false) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route, errorSchema) }
  }
  return {
    openapi: '3.0.3',
    info: { title: info.title, version: info.version, description: info.description },
    servers: [{ url: info.serverUrl }],
    paths,
    components: { securitySchemes: info.securitySchemes ?? {} },
  }
}
