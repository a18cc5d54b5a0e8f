import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import {
  createIssuedCredential,
  findIssued,
  zIssuedCredential,
  zIssuedId,
} from './z-issued-credential.ts'

/**
 * Revokes a credential, or all credentials of a subject, whose open offer ends.
 *
 * @assumption A-39
 */
export const postIssuedCredentialStatus = defineRoute<ConnectorDependencies>()({
  method: 'post',
  path: '/credentials/issued/:id/status',
  summary: 'Revokes an issued credential',
  tags: ['issuer'],
  auth: 'apiKey',
  request: {
    params: zIssuedId,
    body: z.object({ status: z.literal('0x1').describe('Revoked; there is no way back') }),
  },
  responses: { 200: { description: 'The issuance, revoked', body: zIssuedCredential } },
  errors: ['not_found', 'invalid_request'],
  async handle({ params }, dependencies) {
    const { issuance, credential } = await findIssued(params.id, dependencies)
    if (credential) await dependencies.issuances.revokeCredential(credential)
    else await dependencies.issuances.revokeOffer(issuance.id)
    const after = await findIssued(params.id, dependencies)
    return { status: 200, body: await createIssuedCredential(after, dependencies) }
  },
})
