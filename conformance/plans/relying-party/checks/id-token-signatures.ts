import { constants, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { encodeJson } from '#core/crypto/base64url.ts'
import type { PublicJwk } from '#core/crypto/jwk.ts'
import { defineChecks, endCheck, type Finding, wronglyAccepted } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { createCertificate, createMac, rsaMacForgeries } from '../../../kit/signatures.ts'
import type { Trap } from '../../../world/create-traps.ts'
import type { RelyingPartyContext } from '../context.ts'
import { findEachRejected, type WrongLogin, withToken } from '../findings.ts'
import { signRs256 } from '../id-tokens.ts'

const flipBit = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from(bytes, (byte, index) => (index === 9 ? byte ^ 1 : byte))

/** Signatures of the right algorithm that are not those of the provider's key. */
const withWrongSignatures = ({ provider }: RelyingPartyContext): readonly WrongLogin[] => {
  const { key, otherKey } = provider
  return [
    withToken('that another key signed', { key: otherKey }),
    withToken('that another key signed, with its kid', {
      key: otherKey,
      header: { kid: otherKey.kid },
    }),
    withToken('that another key signed, without kid', {
      key: otherKey,
      header: { kid: undefined },
    }),
    withToken('with one other bit in its signature', {
      sign: (input) => flipBit(signRs256(input, key)),
    }),
    withToken('with an empty signature', { sign: () => new Uint8Array() }),
    withToken('whose claims were changed after it was signed', {
      sign: (input) => signRs256(`${input.split('.')[0]}.${encodeJson({ sub: 'another' })}`, key),
    }),
    withToken('with the signature of another header', {
      header: { typ: 'at+jwt' },
      sign: (input) =>
        signRs256(`${encodeJson({ alg: 'RS256', kid: key.kid })}.${input.split('.')[1]}`, key),
    }),
  ]
}

const nothing = () => new Uint8Array()

const withoutAlgorithm = ({ provider }: RelyingPartyContext): readonly WrongLogin[] => [
  withToken('with alg none and no signature', { header: { alg: 'none' }, sign: nothing }),
  withToken('with alg none, kid and typ removed, and no signature', {
    header: { alg: 'none', kid: undefined, typ: undefined },
    sign: nothing,
  }),
  withToken('with alg none and a valid RS256 signature', { header: { alg: 'none' } }),
  ...['None', 'NONE', 'nOnE', ''].map((alg) =>
    withToken(`with alg "${alg}" and no signature`, { header: { alg }, sign: nothing }),
  ),
  withToken('without alg', { header: { alg: undefined } }),
  withToken('with alg none and only two parts', {
    header: { alg: 'none' },
    change: (token) => token.split('.').slice(0, 2).join('.'),
  }),
  withToken('with alg none that another key signed', {
    header: { alg: 'none' },
    key: provider.otherKey,
  }),
]

const withMacs = ({ provider, target }: RelyingPartyContext): readonly WrongLogin[] => {
  const publicKey = provider.key.publicJwk as unknown as PublicJwk
  const ofSecret = (alg: string) => (input: string) =>
    createHmac(alg.replace('HS', 'sha'), target.client.clientSecret).update(input).digest()
  return [
    ...['HS256', 'HS384', 'HS512'].map((alg) =>
      withToken(`with a MAC (${alg}) with the client secret`, {
        header: { alg },
        sign: ofSecret(alg),
      }),
    ),
    ...rsaMacForgeries.map((forgery) =>
      withToken(`with a MAC (${forgery.alg}) with ${forgery.secret}`, {
        header: { alg: forgery.alg },
        sign: (input) => createMac(forgery, input, publicKey),
      }),
    ),
  ]
}

const withOtherAlgorithms = ({ provider }: RelyingPartyContext): readonly WrongLogin[] => {
  const { privateKey } = provider.key
  const pss = (hash: string) => (input: string) =>
    sign(hash, Buffer.from(input), {
      key: privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    })
  return [
    withToken('with RS384', {
      header: { alg: 'RS384' },
      sign: (input) => sign('sha384', Buffer.from(input), privateKey),
    }),
    withToken('with RS512', {
      header: { alg: 'RS512' },
      sign: (input) => sign('sha512', Buffer.from(input), privateKey),
    }),
    withToken('with PS256', { header: { alg: 'PS256' }, sign: pss('sha256') }),
    withToken('with alg rs256 in lower case', { header: { alg: 'rs256' } }),
    withToken('with RS1', {
      header: { alg: 'RS1' },
      sign: (input) => sign('sha1', Buffer.from(input), privateKey),
    }),
  ]
}

/** Tokens that contain or name the key that signed them. */
function withOwnKeys({ provider }: RelyingPartyContext, trap: Trap): readonly WrongLogin[] {
  const { otherKey } = provider
  const { kid } = otherKey
  const certificate = createCertificate(otherKey.privateKey)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const from = (what: string, header: object) =>
    withToken(`with ${what} of the key that signed it`, {
      key: otherKey,
      header: { ...header },
    })
  return [
    from('jwk', { jwk: otherKey.publicJwk }),
    from('jwk, without kid', { kid: undefined, jwk: otherKey.publicJwk }),
    from('x5c', { x5c: [certificate] }),
    from('x5c and kid', { kid, x5c: [certificate] }),
    from('jku', { kid, jku: `${trap.origin}/jku` }),
    from('x5u', { kid, x5u: `${trap.origin}/x5u` }),
    from('a kid that is an address', { kid: `${trap.origin}/kid` }),
    withToken('whose iss names a server with the key that signed it', {
      key: otherKey,
      header: { kid },
      claims: { iss: `${trap.origin}/iss` },
    }),
    withToken('with jwk of the EC key that signed it with ES256', {
      header: { alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) },
      sign: (input) =>
        sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    }),
  ]
}

const rs256 = ['1.endpoints/credential-idp.11', '1.endpoints/credential-idp.20']

const fixAlgorithm =
  'Accept RS256 as the only alg of ID tokens: set it in your library, for example as id_token_signed_response_alg or algorithms. If it verifies nothing, use another library.'

/** Signatures of ID tokens. */
export const checks = defineChecks<RelyingPartyContext>({
  'R20-alg-none': {
    title: 'An ID token with alg none is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: rs256,
    clauses: ['OpenID Connect Core 1.0, 2', 'RFC 8725, 3.1'],
    description: 'Anyone can write a token without a signature.',
    sends:
      'Logins whose ID tokens have alg none in different spellings, or no alg: without a signature, with a valid one, with that of another key.',
    decides: 'No page shows the user.',
    fix: fixAlgorithm,
    run: (context) => findEachRejected(context, withoutAlgorithm(context), 'tokenRequests'),
  },
  'R21-macs': {
    title: 'An ID token with a MAC is rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'login',
    rows: rs256,
    clauses: ['RFC 8725, 3.1', 'OpenID Connect Core 1.0, 3.1.3.7'],
    description:
      'A library that trusts alg takes the public key for the secret of the MAC, and everyone has the public key.',
    sends:
      'Logins whose ID tokens have HS256, HS384 or HS512 with the client secret, with the public key as PEM, DER or JWK, and with an empty secret.',
    decides: 'No page shows the user.',
    fix: fixAlgorithm,
    run: (context) => findEachRejected(context, withMacs(context), 'tokenRequests'),
  },
  'R22-other-algorithms': {
    title: 'An ID token with an algorithm other than RS256 is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    rows: rs256,
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7', 'RFC 8725, 3.1'],
    description:
      'The provider announces RS256 only, and its key has the alg RS256. Each further algorithm is one more way to forge a token.',
    sends:
      'Logins whose ID tokens the key of the provider signed with RS384, RS512, PS256, RS1, or with alg in lower case.',
    decides: 'No page shows the user.',
    fix: fixAlgorithm,
    run: (context) => findEachRejected(context, withOtherAlgorithms(context), 'tokenRequests'),
  },
  'R23-signature': {
    title: 'An ID token without a valid signature by a published key is rejected',
    level: 'practice',
    expectation: 'refuse',
    control: 'login',
    rows: ['1.endpoints/credential-idp.7', '1.endpoints/credential-idp.20'],
    clauses: ['OpenID Connect Core 1.0, 3.1.3.7', 'RFC 7515, 5.2'],
    description:
      'OpenID Connect allows a client to rely on the TLS connection to the token endpoint instead. But then a proxy, a log or a queue between the two can change who logs in.',
    sends:
      'Logins whose ID tokens another key signed, with different values of kid, and with changed, empty and foreign signatures.',
    decides: 'No page shows the user.',
    fix: 'Verify the signature of each ID token with the key of jwks_uri that kid names. With openid-client, call enableNonRepudiationChecks.',
    run: (context) => findEachRejected(context, withWrongSignatures(context), 'tokenRequests'),
  },
  'R24-keys-in-tokens': {
    title: 'A key that an ID token contains or names by address is not used',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 8725, 3.10', 'CWE-918, Server-Side Request Forgery'],
    description:
      'Anyone can sign a token with a key that the token itself contains. An address in a token lets an attacker send requests from inside your network.',
    sends:
      'Logins whose ID tokens another key signed, with that key in jwk or x5c, or with an address in jku, x5u, kid or iss.',
    decides:
      'No page shows the user, and the addresses are not requested. If the application does not verify signatures, the check is inconclusive: see R23.',
    fix: 'Take keys only from jwks_uri of the discovery document. Ignore jwk, jku, x5u and x5c in the header of an ID token, and compare iss before you use it.',
    async run(context) {
      await asPremise('rejecting another signature (see R23)', findSignatureVerified(context))
      const trap = await context.startTrap()
      const finding = await findEachRejected(context, withOwnKeys(context, trap), 'tokenRequests')
      return trap.visits.length === 0
        ? finding
        : wronglyAccepted('The application requested an address in an ID token.', {
            verdictSource: 'the requests to an address of the kit',
            actual: trap.visits,
          })
    },
  },
})

/** Ends the check if the application accepts every signature. */
async function findSignatureVerified(context: RelyingPartyContext): Promise<Finding> {
  const [first] = withWrongSignatures(context)
  const finding = await findEachRejected(context, first ? [first] : [], 'tokenRequests')
  if (finding.kind !== 'held') endCheck(finding)
  return finding
}
