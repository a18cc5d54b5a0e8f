import type { JWTPayload } from 'jose'
import { toTestbedError } from '#kit/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireReach } from '../domain/bearer-claims.ts'
import { alreadyRevoked, credentialNotFound, revocationFailed } from '../errors.ts'
import type { RecordRow } from '../tables.ts'

/**
 * Revokes the credential if the client's token gives access to it, and informs the Connector.
 * @throws TestbedError the documented errors, `revocation_failed` for a failure of the issuer
 */
export async function revokeCredential(
  credentialId: string,
  principal: JWTPayload,
  dependencies: Dependencies,
): Promise<RecordRow> {
  const record = await revoke(credentialId, principal, dependencies).catch((error: unknown) => {
    const known = toTestbedError(error)
    throw known.status < 500 ? known : revocationFailed(error)
  })
  await notifyConnector(record, dependencies)
  return record
}

async function revoke(
  credentialId: string,
  principal: JWTPayload,
  { config, records }: Dependencies,
): Promise<RecordRow> {
  const record = await records.findByCredentialId(credentialId)
  if (!record) throw credentialNotFound()
  requireReach(principal, [record.organization_identifier], 'delete', config)
  if (!(await records.apply(record.id, 'revocation requested'))) throw alreadyRevoked()
  return record
}

/**
 * The issuer's own record and list decide, and a Connector does not get the claims of a revoked
 * record. So an outage of the Connector does not prevent the revocation. An offer ends with its
 * only record; one with other credentials stays open for these.
 */
async function notifyConnector(
  { profile, status, subject_id, credential_id }: RecordRow,
  { connectors, records, runtime }: Dependencies,
): Promise<void> {
  const revoke = async () => {
    const isAlone = (await records.listBySubjectId(subject_id)).length === 1
    const id = status === 'pending' && isAlone ? subject_id : credential_id
    await connectors.get(profile)?.revoke(id)
  }
  await revoke().catch((error: unknown) => {
    const detail = { service: 'issuer', err: error, credential_id }
    runtime.log.warn(detail, 'the Connector was not informed of a revocation')
  })
}
