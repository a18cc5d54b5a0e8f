import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { broken, endCheck } from '../../kit/check.ts'
import { asPremise, jsonAsPremise, requireJson } from '../../kit/classify-answer.ts'
import type { IdpContext, TokenAnswer } from './context.ts'

/** An id_token with a valid signature by one of the published keys. */
export interface VerifiedIdToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Verifies the id_token's signature, issuer, audience and times; an invalid token ends the check.
 */
export async function verifyIdToken(
  { discover, endpoint, httpAs, target }: IdpContext,
  { id_token }: TokenAnswer,
  { clientId } = target.client,
): Promise<VerifiedIdToken> {
  const answer = await httpAs('relying-party').request(await endpoint('jwks_uri'))
  const { keys: published } = requireJson(answer, 'jwks_uri')
  const keys = { keys: [published].flat().map(publicMembers) } as JSONWebKeySet
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
    if (error instanceof errors.JOSEError) {
      endCheck(broken(`The id_token is not valid: ${error.message} (${error.code})`))
    }
    // What the platform throws for an invalid published key.
    if (error instanceof TypeError || error instanceof DOMException) {
      endCheck(broken(`The key of the id_token at jwks_uri is not usable: ${error.message}`))
    }
    throw error
  }
}

/** Without private members, which are a finding of O15 and would make every other check fail. */
const publicMembers = (key: unknown) =>
  Object.fromEntries(Object.entries(key ?? {}).filter(([name]) => !privateMembers.has(name)))

/** Of RSA, EC, OKP and symmetric keys: RFC 7518, 6 and RFC 8037, 2. */
export const privateMembers: ReadonlySet<string> = new Set([
  'd',
  'p',
  'q',
  'dp',
  'dq',
  'qi',
  'oth',
  'k',
])

/** The tokens of a login, and the claims of userinfo; without either the check is inconclusive. */
export async function requireUserinfo(context: IdpContext) {
  const { tokens } = await asPremise('a login (see O02)', context.logInForTokens())
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const answer = context.httpAs('relying-party').request(url, { headers })
  const claims = await jsonAsPremise('userinfo', answer, 'userinfo (see O12)')
  return { url, tokens, claims }
}

/** The claims that a relying party gets in a login: those of id_token and userinfo together. */
export async function readClaims(context: IdpContext): Promise<Readonly<Record<string, unknown>>> {
  const { tokens, claims: userClaims } = await requireUserinfo(context)
  const { claims } = await verifyIdToken(context, tokens)
  return { ...claims, ...userClaims }
}
