import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { toTestbedError } from '#kit/errors.ts'
import type { RecordRow } from '../adapters/issuer-tables.ts'
import { checkReach } from '../domain/check-reach.ts'
import { alreadyRevoked, credentialNotFound, revocationFailed } from '../errors.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'
import { exampleCredentialId } from './examples.ts'

/**
 * Revokes a credential for good (Document 1, States and transitions): its bit in the status list is
 * set from now on, and an offer that is still open ends.
 *
 * @row 1.endpoints/credential-issuer.8 1.endpoints/credential-issuer.12 1.errors.5..7
 * @assumption A-21 A-22 A-40
 */
export const postCredentialRevoke = defineRoute<IssuerDependencies, JWTPayload>()({
  method: 'post',
  path: '/issuance/credential/revoke',
  summary: 'Revokes a credential',
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
    const record = await revoke(body.credential_id, principal, dependencies).catch(
      (error: unknown) => {
        const known = toTestbedError(error)
        throw known.status < 500 ? known : revocationFailed(error)
      },
    )
    await tellConnector(record, dependencies)
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

async function revoke(
  credentialId: string,
  principal: JWTPayload,
  { config, records }: IssuerDependencies,
): Promise<RecordRow> {
  const record = await records.findByCredentialId(credentialId)
  if (!record) throw credentialNotFound()
  checkReach(principal, [record.organization_identifier], 'delete', config)
  if (!(await records.apply(record.id, 'revocation requested'))) throw alreadyRevoked()
  return record
}

/**
 * The issuer's own record and list decide, and a Connector that asks for the claims of a revoked
 * record gets none; so one that is away now does not stand in the way. An offer ends with its only
 * record; one that holds other credentials stays open for these.
 */
async function tellConnector(
  { profile, status, subject_id, credential_id }: RecordRow,
  { connectors, records, runtime }: IssuerDependencies,
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
