import { broken, endCheck } from '../../../kit/check.ts'
import { requirePortalAnswer } from './require-portal-answer.ts'
import type { SignedInPortal } from './sign-in.ts'

/** The records of the organization, as POST /issuance/credential lists them. */
export async function listRecords({
  portal,
  headers,
}: SignedInPortal): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const json = { organization_identifiers: [portal.organizationIdentifier] }
  const answer = requirePortalAnswer(await portal.post('credential', json, headers), 'The list')
  if (Array.isArray(answer.json)) return answer.json
  endCheck(broken('The list of credentials is no JSON array.', { actual: answer.json }))
}
