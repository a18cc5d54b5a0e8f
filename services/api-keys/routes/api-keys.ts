import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageQuery, replyPage } from '#kit/lists.ts'
import type { Clock } from '#kit/runtime.ts'
import { randomToken } from '#kit/secrets.ts'
import type { ApiKeyStore } from '../adapters/api-key-store.ts'
import { exampleApiKey, hashApiKey, zApiKey, zName, zScope } from '../domain/api-key.ts'
import { bodyErrors, keyNotFound } from '../errors.ts'

/** The dependencies of the routes. */
interface ApiKeysDependencies {
  readonly keys: ApiKeyStore
  readonly clock: Clock
}

/**
 * Reports whether a key is valid for a scope. The result is the same for an unknown key, a key of
 * another scope, and a revoked key.
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
      description: 'The result',
      body: z.object({ active: z.boolean() }),
      example: { active: true },
    },
  },
  errors: bodyErrors,
  async handle({ body: { key, scope } }, { keys }) {
    return { status: 200, body: { active: await keys.isActive(scope, hashApiKey(key)) } }
  },
})

/** Creates a key. Only this response contains it; the database stores its hash. */
export const createApiKey = defineRoute<ApiKeysDependencies>()({
  method: 'post',
  path: '/api-keys',
  summary: 'Create a key',
  description: 'Only this response contains the key.',
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
      body: { ...record, key },
    }
  },
})

/** All keys, including revoked ones, without the secret values. */
export const listApiKeys = defineRoute<ApiKeysDependencies>()({
  method: 'get',
  path: '/api-keys',
  summary: 'List the keys',
  auth: 'operator',
  request: { query: z.object(pageQuery) },
  responses: {
    200: {
      description: 'A page of keys in the order of their creation',
      body: pageOf(zApiKey),
      example: { page: 1, pageSize: 10, total: 1, howMany: 1, items: [exampleApiKey] },
    },
  },
  errors: ['invalid_request', 'invalid_api_key'],
  async handle({ query }, { keys }) {
    const { page, pageSize } = query
    const { total, items } = await keys.list((page - 1) * pageSize, pageSize)
    return replyPage(query, total, items)
  },
})

/** Revokes a key permanently, from the next request on. Idempotent. */
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
    if (record === undefined) throw keyNotFound()
    return { status: 200, body: record }
  },
})
