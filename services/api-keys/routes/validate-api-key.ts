import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ApiKeysDependencies } from '../dependencies.ts'
import { hashApiKey } from '../domain/hash-api-key.ts'
import { bodyErrors } from '../errors.ts'

/**
 * Tells a service whether a key that it was shown opens what it guards. It answers the same for a
 * key that never was, one of another scope, and one that is revoked.
 *
 * @row 2.authentication.2
 */
export const validateApiKey = defineRoute<ApiKeysDependencies>()({
  method: 'post',
  path: '/api-keys/validations',
  summary: 'Validate a key',
  auth: 'none',
  request: {
    body: z.object({ key: z.string().max(512), scope: z.string().min(1).max(100) }),
    limit: 8192,
    example: { key: 'q8Zk0Gd3x1nV5cW7yT2uR4oP6sA9eB0fH1jK3lM5N7Q', scope: 'tir' },
  },
  responses: {
    200: {
      description: 'The verdict',
      body: z.object({ active: z.boolean() }),
      example: { active: true },
    },
  },
  errors: bodyErrors,
  async handle({ body: { key, scope } }, { keys }) {
    return { status: 200, body: { active: await keys.isActive(scope, hashApiKey(key)) } }
  },
})
