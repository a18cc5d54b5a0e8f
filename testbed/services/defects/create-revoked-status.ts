import { z } from 'zod'
import type { Mandate } from '#core/lear-credential/lear-credential.ts'
import { createHttpClient, type HttpAnswer } from '#kit/create-http-client.ts'
import type { IssuerService } from '#services/issuer/create-issuer-service.ts'
import { noStatusList } from '../../errors.ts'
import type { EnvironmentContext } from '../environment-context.ts'

const zClaims = z.looseObject({ credential_status: z.looseObject({}) })
const zToken = z.looseObject({ access_token: z.string() })

/**
 * The credentialStatus of a credential that the issuer has revoked: a record is created and revoked
 * through the issuer's own endpoints.
 * @throws TestbedError `no_status_list` (409) if the issuer does not return a credentialStatus
 */
export async function createRevokedStatus(
  { runtime, localUrls, secret }: EnvironmentContext,
  issuer: Pick<IssuerService, 'createOffer'>,
  mandate: Mandate,
): Promise<Record<string, unknown>> {
  const { credentialId } = await issuer.createOffer({ mandate })
  const caller = 'control'
  const issuerClient = createHttpClient(runtime, {
    caller,
    dependency: 'issuer',
    baseUrl: localUrls.issuer,
  })
  const tokenIssuer = createHttpClient(runtime, {
    caller,
    dependency: 'token issuer',
    baseUrl: localUrls['token-issuer'],
    headers: { 'x-api-key': secret('api-key/token-issuer') },
  })
  const claims = read(
    zClaims,
    await issuerClient.postJson(
      '/issuance/claims',
      { credential_id: credentialId },
      { 'x-api-key': secret('api-key/issuer') },
    ),
  )
  const { access_token } = read(
    zToken,
    await tokenIssuer.postJson('/internal/bearer-tokens', {
      organization_identifier: mandate.mandator.organizationIdentifier,
    }),
  )
  const revoked = await issuerClient.postJson(
    '/issuance/credential/revoke',
    { credential_id: credentialId },
    { authorization: `Bearer ${access_token}` },
  )
  read(z.looseObject({ status: z.literal('revoked') }), revoked)
  return claims.credential_status
}

function read<Shape extends z.ZodType>(shape: Shape, answer: HttpAnswer): z.output<Shape> {
  const parsed = shape.safeParse(answer.json)
  if (answer.status === 200 && parsed.success) return parsed.data
  throw noStatusList(`${answer.status}: ${answer.text.slice(0, 300)}`)
}
