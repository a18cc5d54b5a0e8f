import { expect } from 'vitest'
import {
  findOpenApiProblems,
  listExamples,
  listOperations,
  type OpenApiDocument,
} from './open-api-rules.ts'

/**
 * Holds a service's OpenAPI document against the rules of OpenAPI, and its examples against their
 * schemas: each JSON body has one.
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
