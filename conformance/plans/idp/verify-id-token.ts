import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { broken, endCheck } from '../../kit/check.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import type { IdpContext, TokenAnswer } from './context.ts'

/** An id_token whose signature verifies with the published keys. */
export interface VerifiedIdToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** Verifies the id_token's signature, issuer, audience and times; a wrong one ends the check. */
export async function verifyIdToken(
  { discover, endpoint, httpAs, target }: IdpContext,
  { id_token }: TokenAnswer,
  { clientId } = target.client,
): Promise<VerifiedIdToken> {
  const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
  const keys = requireJson(answer, 'jwks_uri') as unknown as JSONWebKeySet
  const token = String(id_token)
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: String((await discover()).issuer),
      audience: clientId,
      clockTolerance: 60,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return { header: { ...decodeProtectedHeader(token) }, claims: payload }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    endCheck(broken(`The id_token does not verify: ${error.message} (${error.code})`))
  }
}
