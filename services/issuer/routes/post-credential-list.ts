import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { sendJsonList } from '#kit/lists.ts'
import type { ListedRecord } from '../adapters/record-store.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { requireReach } from '../domain/bearer-claims.ts'
import { exampleCredentialId, exampleOrganization, exampleSubjectId } from '../domain/examples.ts'
import { shownStatus } from '../domain/record-states.ts'

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
 * The records of organizations, newest first (Document 1, IssuedCredential): all of them, as the
 * document has no pages, written as they are read.
 *
 * @row 1.resources-and-their-fields/issuedcredential.1..9 1.endpoints/credential-issuer.7
 * @assumption A-22 A-40
 */
export const postCredentialList = defineRoute<IssuerDependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/credential',
  summary: 'The issued credentials of organizations',
  auth: 'bearer',
  request: {
    body: z.object({
      organization_identifiers: z.array(z.string()).max(100).describe('Whose credentials'),
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
