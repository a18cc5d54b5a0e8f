import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ApiKeysDependencies } from '../dependencies.ts'
import { exampleApiKey, zApiKey } from '../domain/z-api-key.ts'

/** Revokes a key for good: from the next request on it opens nothing. Repeatable. */
export const revokeApiKey = defineRoute<ApiKeysDependencies>()({
  method: 'delete',
  path: '/api-keys/:id',
  summary: 'Revoke a key',
  auth: 'operator',
  request: {
    params: z.object({
      id: z.string().describe('Identifier of the key').meta({ example: exampleApiKey.id }),
    }),
  },
  responses: {
    200: {
      description: 'The revoked key',
      body: zApiKey,
      example: { ...exampleApiKey, revoked_at: 1_767_312_000 },
    },
  },
  errors: ['invalid_api_key', 'not_found'],
  async handle({ params: { id } }, { keys, clock }) {
    const isId = z.uuid().safeParse(id).success
    const record = isId ? await keys.revoke(id, clock.seconds()) : undefined
    if (record === undefined) {
      throw new TestbedError({ code: 'not_found', status: 404, message: 'There is no such key.' })
    }
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: record }
  },
})
