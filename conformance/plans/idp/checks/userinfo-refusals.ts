import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { createSigningInput } from '#core/crypto/jws.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { findRefusal, jsonAsPremise, requireFinding } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import { createMac, rsaMacForgeries } from '../../../kit/signatures.ts'
import type { IdpContext } from '../context.ts'
import { requireUserinfo } from '../read-tokens.ts'

/** userinfo without a token of a login. These need no wallet. */
export const checks = defineChecks<IdpContext>({
  'O25-garbage-token': {
    title: 'userinfo rejects an invalid token with 401 and WWW-Authenticate',
    level: 'practice',
    expectation: 'refuse',
    clauses: ['RFC 6750, 3'],
    description:
      'Client libraries use the header to distinguish an expired token from a server error.',
    sends:
      'GET userinfo with the access token of a login, if there is one, then with an invalid token, and without one.',
    decides:
      'The response to the invalid token is 401 with WWW-Authenticate: Bearer and error invalid_token; without a token the header has no error.',
    fix: 'Reject an invalid access token at userinfo with 401 and the header WWW-Authenticate: Bearer error="invalid_token". Without a token, leave error out.',
    async run(context) {
      const { url, missing } = await openUserinfo(context)
      const headers = { authorization: 'Bearer this.is.nothing' }
      const answer = await context.httpAs('relying-party').request(url, { headers })
      const finding = findRefusal(answer, { what: 'An invalid token', statuses: [401] })
      if (finding.kind !== 'held') return missing ? withoutLogin(finding, missing) : finding
      const actual = answer.headers.get('www-authenticate') ?? 'none'
      if (!/^Bearer\b.*error="?invalid_token/i.test(actual)) {
        const reason = 'The 401 has no WWW-Authenticate: Bearer error="invalid_token".'
        const found = broken(reason, { actual })
        return missing ? withoutLogin(found, missing) : found
      }
      const bare = await context.httpAs('relying-party').request(url)
      const challenge = bare.headers.get('www-authenticate') ?? 'none'
      return /^Bearer\b/i.test(challenge) && !/\berror=/i.test(challenge)
        ? held('401 with WWW-Authenticate: Bearer, error invalid_token.')
        : broken('Without a token there is no WWW-Authenticate: Bearer without error.', {
            actual: challenge,
          })
    },
  },
  'O78-made-up-access-tokens': {
    title: 'userinfo rejects access tokens that it did not issue',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.authentication.4', '1.endpoints/credential-idp.6'],
    clauses: ['RFC 6750, 3.1'],
    description:
      'Everything that userinfo compares is public. Only the signature, or the store of its tokens, keeps attackers out.',
    sends:
      "GET userinfo with tokens that the kit made up: a word, JWTs with the IDP's iss and aud and the kid of its key, signed with another key, with MACs of the public key as PEM, DER or JWK, and with alg none; and without a token.",
    decides:
      'Each is rejected, while the token of a login is accepted. Without a login, the response to a made-up token must be 401 invalid_token, and differ from that to no token.',
    fix: 'Verify the signature of access tokens with your own key under kid, with RS256 only, before you read their claims. Otherwise return 401 invalid_token.',
    async run(context) {
      const { url, missing } = await openUserinfo(context)
      const cases = dueCases(context, await createTokens(context))
      const http = context.httpAs('relying-party')
      const bare = findRefusal(await http.request(url), {
        what: 'userinfo without a token',
        statuses: [400, 401],
        statusLevel: 'practice',
      })
      if (bare.kind !== 'held') return bare
      return findEach(cases, async ({ what, token }) => {
        const answer = await http.request(url, { headers: { authorization: `Bearer ${token}` } })
        const finding = findRefusal(answer, { what, statuses: [400, 401], statusLevel: 'practice' })
        if (finding.kind !== 'held' || !missing) return finding
        const challenge = answer.headers.get('www-authenticate') ?? ''
        return challenge.includes('invalid_token') ? finding : withoutLogin(finding, missing)
      })
    },
  },
})

/** The address of userinfo, and why there is no login whose token it accepts. */
async function openUserinfo(
  context: IdpContext,
): Promise<{ readonly url: string; readonly missing?: string }> {
  const url = await context.endpoint('userinfo_endpoint')
  const failure = await requireUserinfo(context).then(() => undefined, requireFinding)
  return failure === undefined ? { url } : { url, missing: failure.reason }
}

/** A server that rejects every request has not read the token. */
const withoutLogin = ({ reason }: Finding, missing: string) =>
  inconclusive(`${reason.replace(/\.?$/, '.')} There is no token that is accepted: ${missing}`)

async function createTokens(context: IdpContext) {
  const { issuer } = await context.discover()
  const answer = context.httpAs('relying-party').request(await context.endpoint('jwks_uri'))
  const { keys } = await jsonAsPremise('jwks_uri', answer, 'reading jwks_uri (see O15)')
  const published = [keys].flat().map((key) => ({ ...(key as PublicJwk) }))
  const key = published.find(isRsaKey)
  const { kid } = key ?? published[0] ?? {}
  const { clientId } = context.target.client
  const now = context.now()
  const claims = {
    iss: String(issuer),
    aud: String(issuer),
    sub: 'a-person',
    client_id: clientId,
    grant_id: 'a-grant',
    scope: 'openid',
    iat: now,
    exp: now + 3600,
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const header = { alg: 'RS256', typ: 'at+jwt', ...(typeof kid === 'string' && { kid }) }
  const signed = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
  const inputOf = (alg: string) => createSigningInput({ ...header, alg }, claims)
  const secrets = key ? rsaMacForgeries : []
  return [
    { what: 'A word as an access token', token: 'nobody-was-given-this-token' },
    { what: 'An access token that another key signed', token: signed },
    ...secrets.map((forgery) => {
      const input = inputOf(forgery.alg)
      const mac = Buffer.from(createMac(forgery, input, key as PublicJwk)).toString('base64url')
      const what = `An access token with a MAC (${forgery.alg}) with ${forgery.secret}`
      return { what, token: `${input}.${mac}` }
    }),
    { what: 'An access token with alg none', token: `${inputOf('none')}.` },
    { what: 'An access token of two parts', token: signed.split('.').slice(0, 2).join('.') },
  ]
}

/** Whether a published key can be read: O77 finds other keys. */
function isRsaKey(jwk: PublicJwk): boolean {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
