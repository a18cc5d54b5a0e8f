import { randomUUID } from 'node:crypto'
import type { CredentialType } from '#core/lear-credential/credential-type.ts'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import type { NewRecord } from '../adapters/record-store.ts'

/**
 * A new record's members: its own identifiers, and the credential's, which is minted here so that
 * the record can be revoked from the start.
 *
 * @assumption A-39
 */
export function createRecord(
  { vcType, connectorProfile }: CredentialType,
  organizationIdentifier: string,
  mandate: Mandate,
  subjectId: string = randomUUID(),
): NewRecord {
  return {
    id: randomUUID(),
    vc_type: vcType,
    subject_id: subjectId,
    organization_identifier: organizationIdentifier,
    credential_id: `urn:uuid:${randomUUID()}`,
    profile: connectorProfile,
    mandate: JSON.stringify(mandate),
  }
}
