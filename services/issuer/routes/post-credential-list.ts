import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { RecordRow } from '../adapters/issuer-tables.ts'
import { checkReach } from '../domain/check-reach.ts'
import { shownStatus } from '../domain/record-states.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'

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
 * The records of organizations, newest first (Document 1, IssuedCredential).
 *
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
  },
  responses: { 200: { description: 'The records', body: z.array(zIssuedCredential) } },
  errors: ['invalid_request', 'other_organization'],
  async handle({ body, principal }, { config, records, runtime }) {
    checkReach(principal, body.organization_identifiers, 'read', config)
    const rows = await records.listByOrganizations(body.organization_identifiers)
    const now = runtime.clock.seconds()
    return { status: 200, body: rows.map((row) => createIssuedCredential(row, now)) }
  },
})

function createIssuedCredential(row: RecordRow, now: number): z.infer<typeof zIssuedCredential> {
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
