import { z } from 'zod'
import { readCredentialStatus } from '#core/lear-credential/credential-status.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { statusUnavailable } from '../errors.ts'

/**
 * For the IDP, before it renews a login: whether the credential behind the login is still good.
 *
 * @assumption A-55
 */
export const postCredentialStatus = defineRoute<Dependencies>()({
  method: 'post',
  path: '/credentials/status',
  summary: 'Whether a credential was revoked or has expired since it was presented',
  auth: 'apiKey',
  request: {
    body: z.object({
      credential: z
        .record(z.string(), z.unknown())
        .describe('The vc claim, as it was in the verdict'),
    }),
  },
  responses: {
    200: {
      description: 'The status',
      body: z.object({ status: z.enum(['valid', 'revoked', 'expired']) }),
    },
  },
  errors: ['invalid_request', 'invalid_api_key', 'status_unavailable'],
  async handle({ body }, { config, runtime, lookups, verificationCache }) {
    const { checkCredentialStatus: checkStatus, credentialIssuerUrls } = config
    const result = await readCredentialStatus({
      vc: body.credential,
      policy: { checkStatus, credentialIssuerUrls },
      now: runtime.clock.seconds(),
      ...lookups,
      cache: verificationCache,
    })
    if (result.status === 'unknown') throw statusUnavailable(result.reason)
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: result }
  },
})
