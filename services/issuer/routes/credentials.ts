import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import { sendJsonList } from '#kit/lists.ts'
import type { ListedRecord } from '../adapters/record-store.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireReach } from '../domain/bearer-claims.ts'
import { exampleCredentialId, exampleOrganization, exampleSubjectId } from '../domain/examples.ts'
import { shownStatus } from '../domain/record-states.ts'
import { statusListNotFound } from '../errors.ts'
import { revokeCredential } from '../operations/revoke-credential.ts'

const zIssuedCredential = z.object({
  id: z.string(),
  vc_type: z.string(),
  subject_id: z.string(),
  organization_identifier: z.string(),
  status: z.enum(['pending', 'issued', 'revoked', 'expired']),
  credential_id: z.string(),
  creation_at: z.iso.datetime(),
  update_at: z.iso.datetime(),
})

/**
 * The records of organizations, newest first (profile/issuer, Records). Returns all of them, since
 * the profile has no pagination, and streams them from the database.
 *
 * @row 1.resources-and-their-fields/issuedcredential.1..9 1.endpoints/credential-issuer.7
 * @assumption A-22 A-40
 */
export const postCredentialList = defineRoute<Dependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/credential',
  summary: 'The issued credentials of organizations',
  auth: 'bearer',
  request: {
    body: z.object({
      organization_identifiers: z
        .array(z.string())
        .max(100)
        .describe('Identifiers of the organizations'),
    }),
    example: { organization_identifiers: [exampleOrganization] },
  },
  responses: {
    200: {
      description: 'The records',
      body: z.array(zIssuedCredential),
      example: [
        {
          id: '6f0d5b9c-3f1e-4c86-b6cf-52a4d6a9f9a1',
          vc_type: 'OrgPortalLearCredential',
          subject_id: exampleSubjectId,
          organization_identifier: exampleOrganization,
          status: 'issued',
          credential_id: exampleCredentialId,
          creation_at: '2026-11-21T10:00:00.000Z',
          update_at: '2026-11-21T10:01:00.000Z',
        },
      ],
    },
  },
  errors: ['invalid_token', 'invalid_request', 'other_organization'],
  async handle({ body, principal, response }, { config, records, runtime }) {
    requireReach(principal, body.organization_identifiers, 'read', config)
    const now = runtime.clock.seconds()
    const portions = records.listByOrganizations(body.organization_identifiers)
    await sendJsonList(response, showPortions(portions, now))
    return { status: 200 }
  },
})

async function* showPortions(portions: AsyncIterable<readonly ListedRecord[]>, now: number) {
  for await (const rows of portions) yield rows.map((row) => createIssuedCredential(row, now))
}

function createIssuedCredential(row: ListedRecord, now: number): z.infer<typeof zIssuedCredential> {
  return {
    id: row.id,
    vc_type: row.vc_type,
    subject_id: row.subject_id,
    organization_identifier: row.organization_identifier,
    status: shownStatus(row.status, row.valid_until, now),
    credential_id: row.credential_id,
    creation_at: new Date(row.created_at).toISOString(),
    update_at: new Date(row.updated_at).toISOString(),
  }
}

/**
 * Revokes a credential permanently (profile/issuer, States): sets its bit in the status list, and
 * ends an offer that is still open.
 *
 * @row 1.endpoints/credential-issuer.8 1.endpoints/credential-issuer.12 1.errors.5..7
 * @assumption A-21 A-22 A-40
 */
export const postCredentialRevoke = defineRoute<Dependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/credential/revoke',
  summary: 'Revoke a credential',
  auth: 'bearer',
  request: {
    body: z.object({ credential_id: z.string().min(1) }),
    example: { credential_id: exampleCredentialId },
  },
  responses: {
    200: {
      description: 'The credential is revoked',
      body: z.object({
        message: z.string(),
        credential_id: z.string(),
        status: z.literal('revoked'),
      }),
      example: {
        message: 'The credential has been revoked',
        credential_id: exampleCredentialId,
        status: 'revoked',
      },
    },
  },
  errors: [
    'invalid_token',
    'credential_not_found',
    'already_revoked',
    'other_organization',
    'revocation_failed',
  ],
  async handle({ body, principal }, dependencies) {
    const record = await revokeCredential(body.credential_id, principal, dependencies)
    return {
      status: 200,
      body: {
        message: 'The credential has been revoked',
        credential_id: record.credential_id,
        status: 'revoked',
      },
    }
  },
})

/**
 * A status list credential, a JWT signed like the credentials. Clients may cache it for its ttl,
 * and revalidate it by its ETag.
 *
 * @see Bitstring Status List 1.0, ttl
 * @assumption A-23
 */
export const getStatusList = defineRoute<Dependencies>()({
  method: 'get',
  path: '/credentials/status/:id',
  summary: 'Status list credential',
  auth: 'none',
  crossOrigin: true,
  request: { params: z.object({ id: z.string().describe('Number of the list, from 1') }) },
  responses: {
    200: { description: 'The list as a JWT', contentType: 'application/vc+jwt' },
    304: { description: 'Not modified (If-None-Match)' },
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
    // The weak comparison of RFC 9110, 13.1.2. Express ignores If-None-Match if the request has
    // Cache-Control: no-cache, which fetch adds.
    const known = request.get('if-none-match') ?? ''
    if (known.includes(etag) || known === '*') return { status: 304, headers }
    return { status: 200, body: list, contentType: 'application/vc+jwt', headers }
  },
})
