import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { encodeBase64url, encodeJson } from '#core/crypto/base64url.ts'
import { type PrivateJwk, pointOf, publicJwkOf } from '#core/crypto/jwk.ts'
import type { HolderCurve } from '#core/crypto/suites.ts'
import { credentialsContext } from '#core/verification/data-model.ts'
import {
  allOf,
  changeSignature,
  setHeader,
  setPayload,
  signByOther,
} from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import { closestMisses, nearMisses } from '../../../kit/near-misses.ts'
import { certificateOfJwk, createMac, macForgeries } from '../../../kit/signatures.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import type { OpenedRequest } from '../context.ts'
import {
  asPractice,
  type PresentationCase,
  refusals,
  withChange,
  withFaults,
} from '../presentation-checks.ts'
import { addFirst, addLast } from '../raw-tokens.ts'

const addOwnKey = setHeader({
  jwk: (_: unknown, { otherAccount }: FaultContext) => publicJwkOf(otherAccount.privateKey),
})

const addOwnCertificate = setHeader({
  x5c: (_: unknown, { otherAccount }: FaultContext) => [certificateOfJwk(otherAccount.privateKey)],
})

const forms: Readonly<Record<string, (signature: Uint8Array) => Uint8Array>> = {
  'The last byte of the signature is missing.': (signature) => signature.subarray(0, 63),
  'The signature has one byte more.': (signature) => Buffer.concat([signature, Buffer.of(0)]),
  'Each half of the signature has a zero byte before it.': (signature) =>
    Uint8Array.of(0, ...signature.subarray(0, 32), 0, ...signature.subarray(32)),
  'All bytes of the signature are zero.': () => new Uint8Array(64),
  'The signature is empty.': () => new Uint8Array(),
}

const ofEd25519 = ({ what, ...each }: PresentationCase): PresentationCase => ({
  ...each,
  what: `Of a holder with an Ed25519 key: ${what}`,
  account: createAccount({ curve: 'Ed25519' }),
})

const inLowerCase = withChange('The alg of the presentation is in lower case.', {
  presentation: setHeader({ alg: (alg: unknown) => String(alg).toLowerCase() }),
})

/** A signature of ES256K-R: its last byte says which of two keys made it. */
function addRecoveryByte(signature: Uint8Array, input: string, { account }: FaultContext) {
  const parsed = secp256k1.Signature.fromBytes(signature)
  const hash = createHash('sha256').update(input).digest()
  const key = Buffer.from(pointOf(account.privateKey))
  const byte = [0, 1].find((bit) =>
    key.equals(parsed.addRecoveryBit(bit).recoverPublicKey(hash).toBytes(false)),
  )
  return Uint8Array.of(...signature, byte ?? 0)
}

/** The presentation, its submission or its form is invalid. */
export const checks = refusals({
  'V05-bad-vp-signature': {
    title: 'A presentation with a wrong signature is rejected',
    level: 'spec',
    rows: ['1.states-and-transitions.7', '1.errors.10'],
    description:
      'Only the signature binds a presentation to its holder. Without it, anyone who has seen a credential can log in with it.',
    fix: 'Decode the key from the did:key or did:jwk in kid, and verify the signature of vp_token with it. If it is invalid, reject the presentation.',
    presentations: withFaults('presentation-bad-signature', 'presentation-other-key'),
  },
  'V13-presentation-alg-none': {
    title: 'A presentation with alg none is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'A library that trusts the alg of the header treats an unsigned token as verified.',
    fix: 'Accept only ES256K and EdDSA as alg of the presentation, and compare it before you look at the signature. Reject alg none, in upper or lower case.',
    presentations: [
      ...withFaults('presentation-alg-none'),
      ...['None', 'NONE', 'nOnE'].map((alg) =>
        withChange(`The presentation is not signed and has alg ${alg}.`, {
          presentation: allOf(
            setHeader({ alg }),
            changeSignature(() => new Uint8Array()),
          ),
        }),
      ),
      withChange('The presentation is not signed, and has alg none and no kid.', {
        presentation: allOf(
          setHeader({ alg: 'none', kid: undefined }),
          changeSignature(() => new Uint8Array()),
        ),
      }),
    ],
  },
  'V14-presentation-hs256': {
    title: 'A presentation with HS256 is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'A library that trusts the alg of the header uses the public key of the holder as a MAC secret, and anyone can know the public key.',
    fix: 'Accept only ES256K and EdDSA as alg of the presentation. Reject HS256: a public key is not a MAC secret.',
    presentations: [
      ...withFaults('presentation-hs256'),
      ...macForgeries.map((forgery) =>
        withChange(`The presentation has a MAC (${forgery.alg}) with ${forgery.secret}.`, {
          presentation: allOf(
            setHeader({ alg: forgery.alg }),
            changeSignature((_, input, { account }) =>
              createMac(forgery, input, account.privateKey),
            ),
          ),
        }),
      ),
    ],
  },
  'V15-curve-mismatch': {
    title: 'A presentation whose alg does not match its key is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
    ],
    description:
      'ES256K belongs to secp256k1 and EdDSA to Ed25519. A verifier that uses only the key ignores what the header says. ES256K-R, whose signature names its own key, is not a suite of the profile.',
    fix: 'Derive the algorithm from the key in kid: ES256K for secp256k1, EdDSA for Ed25519. If alg of the presentation differs, reject the presentation.',
    presentations: [
      ...withFaults('presentation-curve-mismatch'),
      ...withFaults('presentation-curve-mismatch').map(ofEd25519),
      inLowerCase,
      ofEd25519(inLowerCase),
      withChange('The alg of the presentation is ES256, but key and signature are of ES256K.', {
        presentation: setHeader({ alg: 'ES256' }),
      }),
      withChange('The alg of the presentation is ES256K-R, whose signature has a recovery byte.', {
        presentation: allOf(setHeader({ alg: 'ES256K-R' }), changeSignature(addRecoveryByte)),
      }),
    ],
  },
  'V16-wrong-typ': {
    title: 'A presentation with another typ is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'typ separates kinds of tokens. A proof of possession that a holder made for an issuer is not a presentation.',
    fix: 'Require typ JWT in the header of the presentation. If it differs or is missing, reject the presentation.',
    remark:
      'Accepting the presentation without typ is a WARN: it cannot be mistaken for another token.',
    presentations: [
      ...withFaults('presentation-wrong-typ'),
      ...['at+jwt', 'oauth-authz-req+jwt', 'JWT2'].map((typ) =>
        withChange(`The presentation has the typ ${typ}.`, { presentation: setHeader({ typ }) }),
      ),
      ...asPractice(withFaults('presentation-missing-typ')),
    ],
  },
  'V17-no-credential': {
    title: 'A presentation without a credential is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.2', '1.states-and-transitions.6'],
    description: 'A loop over an empty list of credentials finds no problem.',
    fix: 'Require exactly one element in vp.verifiableCredential. If the array is empty or missing, reject the presentation.',
    presentations: [
      ...withFaults('presentation-empty'),
      ...Object.entries({
        'The presentation has no list of credentials.': undefined,
        'The list of credentials is null.': null,
        'The credential is null.': [null],
        'The credential is an empty string.': [''],
        'The credential is an empty object.': [{}],
      }).map(([what, held]) =>
        withChange(what, { presentation: setPayload({ 'vp.verifiableCredential': held }) }),
      ),
      withChange('There is no vp.', { presentation: setPayload({ vp: undefined }) }),
      ...asPractice(
        Object.entries({
          'The credential is not in a list.': ([credential]: readonly unknown[]) => credential,
          'The credential is in a list in the list.': (held: readonly unknown[]) => [held],
        }).map(([what, held]) => ({
          ...withChange(what, { presentation: setPayload({ 'vp.verifiableCredential': held }) }),
          fix: 'Require that vp.verifiableCredential is an array with one string. Otherwise reject the presentation.',
        })),
      ),
      ...asPractice(
        Object.entries({
          'vp is in a list.': (vp: unknown) => [vp],
          'vp is a string with its JSON.': (vp: unknown) => JSON.stringify(vp),
        }).map(([what, vp]) => ({
          ...withChange(what, { presentation: setPayload({ vp }) }),
          fix: 'Require that vp is an object. Otherwise reject the presentation.',
        })),
      ),
    ],
  },
  'V18-two-credentials': {
    title: 'A presentation of two credentials is rejected if the request asked for one',
    level: 'final',
    clauses: ['OpenID4VP 1.0, 6.1', 'OpenID4VP 1.0, 8.6'],
    description:
      'A verifier may verify one credential and read the other. The request asks for one, and the submission names one.',
    fix: 'Require exactly one element in vp.verifiableCredential, because dcql_query requests one credential. If there are more, reject the presentation.',
    presentations: [
      ...withFaults('presentation-two-credentials'),
      ...Object.entries({ 'an object': {}, null: null, 'an empty string': '' }).map(
        ([what, other]) =>
          withChange(`The list of credentials contains ${what} as well.`, {
            presentation: setPayload({
              'vp.verifiableCredential': ([credential]: readonly unknown[]) => [other, credential],
            }),
          }),
      ),
    ],
  },
  'V47-huge-presentation': {
    title: 'A presentation of 1 MiB is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-29'],
    description:
      'Anyone may post to response_uri. A body larger than any presentation costs memory and time before it is rejected.',
    fix: 'Limit the body at response_uri to the size that a presentation needs, such as 256 KiB. Reject a larger one with 413.',
    remark: 'The response is usually 413, or the session ends as rejected.',
    presentations: withFaults('presentation-huge'),
  },
  'V52-wrong-vp-context': {
    title: 'A presentation with a wrong @context or type is rejected',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.2'],
    description:
      'They identify the object as a presentation, and its vocabulary. The holder may have signed other objects.',
    fix: 'Require https://www.w3.org/2018/credentials/v1 as the first element of vp.@context, and VerifiablePresentation in vp.type. Otherwise reject the presentation.',
    remark: 'The profile states it for wallets. It does not require verifiers to check it.',
    presentations: [
      ...withFaults('presentation-wrong-context', 'presentation-wrong-type'),
      ...Object.entries({
        'There is no @context.': { 'vp.@context': undefined },
        'The @context of presentations comes second.': {
          'vp.@context': (own: unknown) => [credentialsContext, own].flat(),
        },
        'The @context of the presentation is an empty list.': { 'vp.@context': [] },
        'The first @context of the presentation begins with http.': {
          'vp.@context': (own: unknown) => [String([own].flat()[0]).replace('https', 'http')],
        },
        'There is no type.': { 'vp.type': undefined },
        'The type of the presentation is null.': { 'vp.type': null },
      }).map(([what, members]) => withChange(what, { presentation: setPayload(members) })),
      ...closestMisses.map(({ what, change }) =>
        withChange(`The type of the presentation ${what}.`, {
          presentation: setPayload({ 'vp.type': [change('VerifiablePresentation')] }),
        }),
      ),
      ...nearMisses.map(({ what, change }) =>
        withChange(`The first @context of the presentation ${what}.`, {
          presentation: setPayload({
            'vp.@context': (own: unknown) => [change(String([own].flat()[0]))],
          }),
        }),
      ),
    ],
  },
  'V66-signature-of-another-form': {
    title: 'A presentation whose signature has another encoding is rejected',
    level: 'final',
    clauses: ['RFC 7518, 3.4', 'RFC 8812, 3.2', 'RFC 8032, 5.1.7'],
    description:
      'A verifier that accepts other encodings accepts several signatures for one message, and exposes a second parser to attacks.',
    fix: 'Require a signature of exactly 64 bytes, r and s for ES256K, with S below the order of the curve for EdDSA. Do not try DER. Otherwise reject the presentation.',
    presentations: [
      ...withFaults('presentation-der-signature'),
      ...withFaults('presentation-order-added').map(ofEd25519),
      ...Object.entries(forms).flatMap(([what, form]) => {
        const each = withChange(what, { presentation: changeSignature(form) })
        return [each, ofEd25519(each)]
      }),
    ],
  },
  'V72-no-kid': {
    title: 'A presentation without kid is rejected',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'kid names the key of the holder. A verifier that guesses the key lets other members choose it.',
    fix: 'Require kid in the header of the presentation. If it is missing, reject the presentation: do not derive the key from iss.',
    remark:
      'The profile requires wallets to send kid. It does not say how to treat a presentation without it.',
    presentations: withFaults('presentation-missing-kid'),
  },
  'V92-vp-key-in-header': {
    title: 'A presentation that contains its own verification key is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/presentation-token.1'],
    description:
      'kid is the DID URL of the holder key. A library that prefers the jwk or x5c of the header accepts any sender as the holder.',
    fix: 'Ignore jwk and x5c in the header of the presentation. Verify it only with the key that the did:key or did:jwk in kid contains.',
    presentations: [
      withChange('Signed with another key, which is in the header as jwk.', {
        presentation: allOf(addOwnKey, signByOther),
      }),
      withChange('Signed with another key, whose certificate is in the header as x5c.', {
        presentation: allOf(addOwnCertificate, signByOther),
      }),
    ],
  },
  'V116-keys-of-other-kinds': {
    title: 'A holder with a key that holders must not use is rejected',
    level: 'practice',
    rows: [
      '1.resources-and-their-fields/presentation-token.1',
      '1.resources-and-their-fields/supported-curves.1',
      '1.resources-and-their-fields/supported-curves.2',
    ],
    clauses: ['RFC 7517, 9.2'],
    description:
      'The profile has two suites. A verifier that takes every key that its library can read depends on the choice of that library. A did:jwk with a private member is a key that everyone has.',
    fix: 'Accept only secp256k1 and Ed25519 keys in did:key and did:jwk. Reject a JWK that contains d, has another alg, or a use other than sig, and a did:key or JWK in another encoding or length. Reject Ed25519 points of small order: many libraries accept them.',
    remark:
      'The profile says which keys wallets use. It does not require verifiers to reject others.',
    sends:
      'Presentations of holders with P-256 keys, unless the request declares ES256, with a did:org of the DID registry, and with did:jwk and did:key that are not exactly a public key of the two suites: with private members, for another use or algorithm, incomplete, or in another encoding.',
    presentations: async ({ openRequest, trust: { world } }) => [
      ...(declaresP256(await openRequest()) ? [] : ofP256),
      {
        what: 'The holder is an organization in the DID registry, and signs with its key.',
        fix: 'Accept only did:key and did:jwk in kid of a presentation. Do not resolve other DIDs there.',
        account: { ...createAccount(), ...registerIssuer(world) },
      },
      {
        what: 'The did:jwk contains the private key.',
        fix: 'Reject a did:jwk that contains d: everyone who has seen it can sign with the key.',
        account: withJwk(({ d }) => ({ d })),
      },
      ...Object.entries({
        'The alg in the did:jwk is ES256.': { alg: 'ES256' },
        'The alg in the did:jwk is in lower case.': { alg: 'es256k' },
        'The use in the did:jwk is enc.': { use: 'enc' },
        'The use in the did:jwk is in upper case.': { use: 'SIG' },
        'The crv in the did:jwk is in upper case.': { crv: 'SECP256K1' },
        'The crv in the did:jwk is that of P-256.': { crv: 'P-256' },
        'The crv in the did:jwk is P-256K, a former name of secp256k1.': { crv: 'P-256K' },
        'The key in the did:jwk has no crv.': { crv: undefined },
        'The kty in the did:jwk is in lower case.': { kty: 'ec' },
        'The key in the did:jwk has no y.': { y: undefined },
        'The y of the key in the did:jwk is a number.': { y: 7 },
        'The key in the did:jwk is not a point of its curve.': {
          y: encodeBase64url(Buffer.alloc(32, 7)),
        },
      }).map(([what, members]) => ({ what, account: withJwk(() => members) })),
      {
        what: 'An Ed25519 key in the did:jwk has no x.',
        account: withJwk(() => ({ x: undefined }), 'Ed25519'),
      },
      {
        what: 'The x in the did:jwk is encoded with padding.',
        account: withJwk(({ x }) => ({ x: `${x}=` })),
      },
      {
        what: 'The y in the did:jwk is encoded with padding.',
        account: withJwk(({ y }) => ({ y: `${y}=` })),
      },
      {
        what: 'The x of an Ed25519 key in the did:jwk is encoded with padding.',
        account: withJwk(({ x }) => ({ x: `${x}=` }), 'Ed25519'),
      },
      {
        what: 'The did:jwk contains a wrong x before the right one.',
        account: withJson((json) => Buffer.from(addFirst('x', 'AQ')(json))),
      },
      {
        what: 'The did:jwk contains a wrong x after the right one.',
        account: withJson((json) => Buffer.from(addLast('x', 'AQ')(json))),
      },
      {
        what: 'The did:jwk contains text after its JWK.',
        account: withJson((json) => Buffer.from(`${json}x`)),
      },
      {
        what: 'The x in the did:jwk has a zero byte before it.',
        account: withJwk(({ x = '' }) => ({
          x: encodeBase64url(Buffer.concat([Buffer.of(0), Buffer.from(x, 'base64url')])),
        })),
      },
      {
        what: 'The did:jwk contains bytes that are not UTF-8.',
        account: withJson((json) => Buffer.from(addFirst('note', '\u00ff')(json), 'latin1')),
      },
      {
        what: 'The did:jwk is encoded with padding.',
        account: withDid(createAccount({ didMethod: 'jwk' }), (did) => `${did}=`),
      },
      {
        what: 'The did:jwk has one more character before it.',
        account: withDid(createAccount({ didMethod: 'jwk' }), (did) => `x${did}`),
      },
      {
        what: 'The did:key has one more character.',
        account: withDid(createAccount(), (did) => `${did}1`),
      },
      {
        what: 'The did:key has a zero byte before its code.',
        account: withDid(createAccount(), (did) => did.replace('did:key:z', 'did:key:z1')),
      },
      ...(['secp256k1', 'Ed25519'] as const).map((curve) => ({
        what: `The did:key contains one more byte after its ${curve} key.`,
        account: withBytes(createAccount({ curve }), (bytes) => Uint8Array.of(...bytes, 0)),
      })),
      {
        what: 'The did:key contains the uncompressed point of its key.',
        account: uncompressed(createAccount()),
      },
      {
        what: 'The did:key has one more character, which base58 does not contain.',
        account: withDid(createAccount(), (did) => `${did}0`),
      },
      {
        what: 'The did:key is encoded in base64url, the multibase u, not in base58btc.',
        fix: 'Require z at the beginning of the identifier of a did:key, and decode it from base58btc. Do not accept the other encodings of multibase.',
        account: withDid(
          createAccount(),
          (did) => `did:key:u${encodeBase64url(base58.decode(did.slice('did:key:z'.length)))}`,
        ),
      },
      {
        what: 'The code in the did:key has a superfluous byte.',
        fix: 'Compare the first two bytes of a did:key with 0xe701 and 0xed01. Do not decode them as a number: it can be written with more bytes.',
        account: withBytes(createAccount(), (bytes) =>
          Uint8Array.of(0xe7, 0x81, 0, ...bytes.subarray(2)),
        ),
      },
      {
        what: 'The second byte of the code in the did:key is 2.',
        fix: 'Compare both of the first two bytes of a did:key: with 0xe701 or 0xed01.',
        account: withBytes(createAccount(), (bytes) => bytes.fill(2, 1, 2)),
      },
      {
        what: 'The DID begins with did:KEY.',
        fix: 'Compare did:key: and did:jwk: exactly: DIDs are case-sensitive.',
        account: inCapitals(createAccount()),
      },
      {
        what: 'The did:key begins with its method twice.',
        account: withDid(createAccount(), (did) => `did:key:${did}`),
      },
      {
        what: 'The did:key of an Ed25519 key has the code of X25519.',
        account: withBytes(createAccount({ curve: 'Ed25519' }), (bytes) => bytes.fill(0xec, 0, 1)),
      },
      {
        ...withChange(
          'Everyone can sign with the Ed25519 key: it is the neutral element of its curve.',
          {
            presentation: changeSignature(() => Buffer.concat([neutralElement, Buffer.alloc(32)])),
          },
        ),
        fix: 'Reject Ed25519 keys of small order before you verify with them: many libraries accept them. Compare the key with the eight points of small order, or require a point of prime order.',
        account: withBytes(createAccount({ curve: 'Ed25519' }), () =>
          Uint8Array.of(0xed, 0x01, ...neutralElement),
        ),
      },
      {
        what: 'The did:key has the code of Ed25519, and a key of secp256k1.',
        account: withBytes(createAccount(), (bytes) => bytes.fill(0xed, 0, 1)),
      },
      {
        what: 'The did:key contains no point: its first byte is 5.',
        account: withBytes(createAccount(), (bytes) => bytes.fill(5, 2, 3)),
      },
    ],
  },
})

/** (0, 1): as a key it verifies a signature that consists of it and of zero, over every message. */
const neutralElement = Buffer.concat([Buffer.of(1), Buffer.alloc(31)])

const onlyDeclared =
  'Accept only secp256k1 and Ed25519 keys of holders, or declare ES256 in client_metadata of the request.'

const ofP256: readonly PresentationCase[] = [
  {
    what: 'The key is a did:key of P-256.',
    fix: onlyDeclared,
    account: createAccount({ curve: 'P-256' }),
  },
  {
    what: 'The key is a did:jwk of P-256.',
    fix: onlyDeclared,
    account: createAccount({ curve: 'P-256', didMethod: 'jwk' }),
  },
]

/** Verifiers may declare further suites, in a member whose name differs between revisions. */
const declaresP256 = ({ parameters }: OpenedRequest) =>
  JSON.stringify(parameters.client_metadata ?? {}).includes('"ES256"')

/** An account with other members in its did:jwk. */
function withJwk(members: (privateKey: PrivateJwk) => object, curve?: HolderCurve): Account {
  const account = createAccount({ didMethod: 'jwk', ...(curve && { curve }) })
  const { privateKey } = account
  const jwk = { ...publicJwkOf(privateKey), ...members(privateKey) }
  return withDid(account, () => `did:jwk:${encodeJson(jwk)}`)
}

/** An account whose did:jwk contains a changed text of its JWK. */
function withJson(change: (json: string) => Buffer): Account {
  const account = createAccount({ didMethod: 'jwk' })
  const json = JSON.stringify(publicJwkOf(account.privateKey))
  return withDid(account, () => `did:jwk:${encodeBase64url(change(json))}`)
}

/** An account whose did:key contains other bytes. */
function withBytes(account: Account, change: (bytes: Uint8Array) => Uint8Array): Account {
  const prefix = 'did:key:z'
  return withDid(
    account,
    (did) => `${prefix}${base58.encode(change(base58.decode(did.slice(prefix.length))))}`,
  )
}

/** An account whose did:key contains x and y: 65 bytes instead of 33. */
const uncompressed = (account: Account) =>
  withBytes(account, (bytes) =>
    Uint8Array.of(...bytes.subarray(0, 2), ...pointOf(account.privateKey)),
  )

/** An account whose did:key has its method in upper case. */
function inCapitals(account: Account): Account {
  const change = (text: string) => text.replace('did:key:', 'did:KEY:')
  return { ...account, did: change(account.did), kid: change(account.kid) }
}

/** An account with another DID, and the kid that belongs to it. */
function withDid(account: Account, change: (did: string) => string): Account {
  const did = change(account.did)
  const fragment = did.startsWith('did:key:') ? did.slice('did:key:'.length) : '0'
  return { ...account, did, kid: `${did}#${fragment}` }
}
