import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import type { IssuanceRow } from '../adapters/connector-tables.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'

export const zIssuedId = z.object({
  id: z.string().describe('credential_id, or the subject_id of the issuance'),
})

/** An issuance as the issuer sees it. Status 0x0 is good, 0x1 revoked. */
export const zIssuedCredential = z.object({
  credential_id: z.string().nullable(),
  subject_id: z.string(),
  vc_names: z.array(z.string()),
  state: z.string(),
  status: z.enum(['0x0', '0x1']),
})

export function createIssuedCredential(row: IssuanceRow): z.infer<typeof zIssuedCredential> {
  return {
    credential_id: row.credential_id,
    subject_id: row.subject_id,
    vc_names: JSON.parse(row.vc_names),
    state: row.state,
    status: row.revoked === 1 ? '0x1' : '0x0',
  }
}

/** The issuance of an id; throws 404 `not_found` where there is none. */
export async function findIssued(
  id: string,
  { issuances }: ConnectorDependencies,
): Promise<IssuanceRow> {
  const issuance = await issuances.findByIssuerId(id)
  if (issuance) return issuance
  throw new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'This connector has issued no such credential.',
  })
}
