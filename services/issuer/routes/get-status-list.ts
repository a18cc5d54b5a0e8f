import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { statusListNotFound } from '../errors.ts'

/**
 * A status list credential, a JWT signed as the credentials are. It may be kept as long as its ttl
 * says, and asked for again by its ETag.
 *
 * @see Bitstring Status List 1.0, ttl
 * @assumption A-23
 */
export const getStatusList = defineRoute<IssuerDependencies>()({
  method: 'get',
  path: '/credentials/status/:id',
  summary: 'Status list credential',
  auth: 'none',
  crossOrigin: true,
  request: { params: z.object({ id: z.string().describe('Number of the list, from 1') }) },
  responses: {
    200: { description: 'The list as a JWT', contentType: 'application/vc+jwt' },
    304: { description: 'It is the one of If-None-Match' },
  },
  errors: ['not_found'],
  async handle({ params, request }, { statusLists, config }): Promise<Reply> {
    const isNumber = /^[1-9]\d{0,8}$/.test(params.id)
    const list = isNumber ? await statusLists.read(Number(params.id)) : undefined
    if (list === undefined) throw statusListNotFound()
    const etag = `"${createHash('sha256').update(list).digest('base64url')}"`
    const headers = {
      etag,
      'cache-control': `public, max-age=${config.statusListTtlSeconds}, must-revalidate`,
    }
    if (matches(request.get('if-none-match'), etag)) return { status: 304, headers }
    return { status: 200, body: list, contentType: 'application/vc+jwt', headers }
  },
})

/** The weak comparison that RFC 9110, 13.1.2 asks for. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
