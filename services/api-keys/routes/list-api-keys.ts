import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { pageOf, pageQuery, replyPage } from '#kit/lists.ts'
import type { ApiKeysDependencies } from '../dependencies.ts'
import { exampleApiKey, zApiKey } from '../domain/z-api-key.ts'

/** All keys, revoked ones too, without the keys themselves. */
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
    return { ...replyPage(query, total, items), headers: { 'cache-control': 'no-store' } }
  },
})
