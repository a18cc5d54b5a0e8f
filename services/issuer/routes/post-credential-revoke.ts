import type { JWTPayload } from 'jose'
import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { exampleCredentialId } from '../domain/examples.ts'
import { revokeCredential } from '../operations/revoke-credential.ts'

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
