import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { encodeJson } from '#core/crypto/base64url.ts'
import { broken, endCheck } from '../../kit/check.ts'
import { asPremise, requireJson } from '../../kit/classify-answer.ts'
import { setUnusedBit } from '../../kit/signatures.ts'
import type { IdpContext, LoginOptions, TokenAnswer } from './context.ts'

/** An id_token with a valid signature by one of the published keys. */
export interface VerifiedIdToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Claims
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

/** The claims that userinfo returns for the access token of an answer. */
export async function readUserinfo(
  { endpoint, httpAs }: IdpContext,
  { access_token }: TokenAnswer,
): Promise<Record<string, unknown>> {
  const url = await endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${access_token}` }
  return requireJson(await httpAs('relying-party').request(url, { headers }), 'userinfo')
}

/** A login with its tokens and the claims of userinfo; otherwise the check is inconclusive. */
export async function requireUserinfo(context: IdpContext, options: LoginOptions = {}) {
  const { tokens, code } = await asPremise('a login (see O02)', context.logInForTokens(options))
  const claims = await asPremise('userinfo (see O12)', readUserinfo(context, tokens))
  return { url: await context.endpoint('userinfo_endpoint'), tokens, code, claims }
}

export type Claims = Readonly<Record<string, unknown>>

/** Claims by where a relying party finds them. A claim may be in only one of the two. */
export type ClaimsByPlace = Readonly<Record<'the id_token' | 'userinfo', Claims>>

/** The claims of a login. */
export async function readClaims(context: IdpContext, tokens: TokenAnswer): Promise<ClaimsByPlace> {
  const userinfo = await asPremise('userinfo (see O12)', readUserinfo(context, tokens))
  return { 'the id_token': (await verifyIdToken(context, tokens)).claims, userinfo }
}

/** Every value of a claim, with its place. */
export const valuesOf = (places: ClaimsByPlace, name: string) =>
  Object.entries(places).flatMap(([place, claims]) =>
    claims[name] === undefined ? [] : [{ place, value: claims[name] }],
  )

interface ChangedToken {
  /** As the subject of a sentence. */
  readonly what: string
  readonly token: string
  readonly isPractice?: boolean
}

export const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)

/** Changed copies of a signed JWT, which fail the verification of its signature. */
export function tamperWith(token: string): readonly ChangedToken[] {
  if (!isJwt(token)) return []
  const [header = '', payload = '', signature = ''] = token.split('.')
  const none = encodeJson({ ...decodeProtectedHeader(token), alg: 'none' })
  const claims = decodeJwt(token)
  const others = encodeJson({ ...claims, sub: 'another person' })
  const bytes = Buffer.from(signature, 'base64url')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  return [
    {
      what: 'An access token with another scope',
      token: `${header}.${encodeJson({ ...claims, scope: `${claims.scope} more` })}.${signature}`,
    },
    { what: 'An access token with another subject', token: `${header}.${others}.${signature}` },
    {
      what: 'An access token with another signature',
      token: `${header}.${payload}.${bytes.toString('base64url')}`,
    },
    {
      what: 'An access token with another spelling of its signature',
      token: `${header}.${payload}.${setUnusedBit(signature)}`,
      isPractice: true,
    },
    { what: 'An access token without its signature', token: `${header}.${payload}.` },
    { what: 'An access token with alg none', token: `${none}.${payload}.` },
  ]
}
