import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { randomToken } from '#kit/secrets.ts'
import type { ApiKeysDependencies } from '../dependencies.ts'
import { hashApiKey } from '../domain/hash-api-key.ts'
import { exampleApiKey, zApiKey, zName, zScope } from '../domain/z-api-key.ts'
import { bodyErrors } from '../errors.ts'

/** Creates a key. Its answer is the only place that ever shows it; what is stored is its hash. */
export const createApiKey = defineRoute<ApiKeysDependencies>()({
  method: 'post',
  path: '/api-keys',
  summary: 'Create a key',
  description: 'The key is shown in this answer alone.',
  auth: 'operator',
  request: {
    body: z.object({ name: zName, scope: zScope }),
    limit: 8192,
    example: { name: exampleApiKey.name, scope: exampleApiKey.scope },
  },
  responses: {
    201: {
      description: 'The key',
      body: zApiKey.extend({ key: z.string().describe('Send it as x-api-key') }),
      example: { ...exampleApiKey, key: 'q8Zk0Gd3x1nV5cW7yT2uR4oP6sA9eB0fH1jK3lM5N7Q' },
    },
  },
  errors: [...bodyErrors, 'invalid_api_key'],
  async handle({ body: { name, scope } }, { keys, clock }) {
    const key = randomToken()
    const record = await keys.create({ name, scope, keyHash: hashApiKey(key) }, clock.seconds())
    return {
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: { ...record, key },
    }
  },
})
