import { publicJwkOf } from '#core/crypto/jwk.ts'
import { closestMisses } from '../../kit/near-misses.ts'
import { createHolder, type Party } from '../create-trust-world.ts'
import type { OpenTrustWorld } from '../open-trust-world.ts'
import { registerIssuer } from '../register-issuer.ts'

const otherKey = publicJwkOf(createHolder('another key').privateKey)

const underOtherDid = (kid: string) => kid.replace(/^.*#/, 'did:org:uc-pre:z1AnotherOrganization#')

type Documents = Readonly<Record<string, (issuer: Party) => object>>

/** What is wrong with a DID document: members that replace the right ones. */
export const otherDocuments: Documents = {
  'has another id': () => ({ id: 'did:org:uc-pre:zAnotherOrganization' }),
  'has no id': () => ({ id: undefined }),
  ...Object.fromEntries(
    closestMisses.flatMap(({ what, change }) => [
      [`has an id that ${what}`, ({ did }: Party) => ({ id: change(did) })],
      [
        `lists in assertionMethod only a kid that ${what}`,
        ({ kid }: Party) => ({ assertionMethod: [change(kid)] }),
      ],
    ]),
  ),
  'has a string in assertionMethod that begins with kid': ({ kid }) => ({
    assertionMethod: `${kid}2`,
  }),
  'lists kid in a list in assertionMethod': ({ kid }) => ({ assertionMethod: [[kid]] }),
  'allows the key only for key agreement': ({ kid }) => ({
    assertionMethod: [],
    authentication: [],
    keyAgreement: [kid],
  }),
  'allows the key only for capability invocation': ({ kid }) => ({
    assertionMethod: [],
    authentication: [],
    capabilityInvocation: [kid],
  }),
  'lists in assertionMethod only the fragment of kid under another DID': ({ kid }) => ({
    assertionMethod: [underOtherDid(kid)],
  }),
  'contains the key under another DID, with the fragment of kid': (issuer) => ({
    verificationMethod: [{ ...methodOf(issuer), id: underOtherDid(issuer.kid) }],
  }),
  'has an empty assertionMethod': () => ({ assertionMethod: [] }),
  'has no assertionMethod': () => ({ assertionMethod: undefined }),
  'has no verification methods': () => ({ verificationMethod: [] }),
  'lacks verificationMethod': () => ({ verificationMethod: undefined }),
  'has no list of verification methods': () => ({ verificationMethod: undefined }),
  'contains kid twice, with different keys': (issuer) => ({
    verificationMethod: [methodOf(issuer), { ...methodOf(issuer), publicKeyJwk: otherKey }],
  }),
  ...Object.fromEntries(
    closestMisses.map(({ what, change }) => [
      `contains the key under an id that ${what}`,
      (issuer: Party) => ({
        verificationMethod: [{ ...methodOf(issuer), id: change(issuer.kid) }],
      }),
    ]),
  ),
  'contains kid without a key': (issuer) => ({
    verificationMethod: [{ ...methodOf(issuer), publicKeyJwk: undefined }],
  }),
  'contains the key as a string': (issuer) => ({
    verificationMethod: [
      { ...methodOf(issuer), publicKeyJwk: JSON.stringify(publicJwkOf(issuer.privateKey)) },
    ],
  }),
  'contains a key without y': (issuer) => ({
    verificationMethod: [methodOf(issuer, { y: undefined })],
  }),
  'contains a key with a short x': (issuer) => ({
    verificationMethod: [methodOf(issuer, { x: 'AQ' })],
  }),
  'contains a key whose x is not base64url': (issuer) => ({
    verificationMethod: [methodOf(issuer, { x: '?'.repeat(43) })],
  }),
  'contains a key whose x is encoded with padding': (issuer) => ({
    verificationMethod: [methodOf(issuer, { x: `${issuer.privateKey.x}=` })],
  }),
  'contains the private key': (issuer) => ({
    verificationMethod: [methodOf(issuer, { d: issuer.privateKey.d })],
  }),
  'contains the key for encryption': (issuer) => ({
    verificationMethod: [methodOf(issuer, { use: 'enc' })],
  }),
  'contains the key for another algorithm': (issuer) => ({
    verificationMethod: [methodOf(issuer, { alg: 'ES256' })],
  }),
  'contains the key for an algorithm in lower case': (issuer) => ({
    verificationMethod: [methodOf(issuer, { alg: 'es256k' })],
  }),
  ...Object.fromEntries(
    closestMisses.flatMap(({ what, change }) => [
      [
        `contains a key with a kty that ${what}`,
        (issuer: Party) => ({ verificationMethod: [methodOf(issuer, { kty: change('EC') })] }),
      ],
      [
        `contains a key with a crv that ${what}`,
        (issuer: Party) => ({
          verificationMethod: [methodOf(issuer, { crv: change('secp256k1') })],
        }),
      ],
    ]),
  ),
  'contains a key with the crv of P-256': (issuer) => ({
    verificationMethod: [methodOf(issuer, { crv: 'P-256' })],
  }),
  'contains a key that is not a point of its curve': (issuer) => ({
    verificationMethod: [methodOf(issuer, { y: otherKey.y })],
  }),
  'contains another key under kid': (issuer) => ({
    verificationMethod: [{ ...methodOf(issuer), publicKeyJwk: otherKey }],
  }),
}

const methodMembers = {
  'without id': { id: undefined },
  'without type': { type: undefined },
  'without controller': { controller: undefined },
}

/** What does not conform to DID Core 1.0, next to a key that can be used. */
export const malformedDocuments: Documents = {
  ...Object.fromEntries(
    [
      '@context',
      'controller',
      'authentication',
      'keyAgreement',
      'capabilityInvocation',
      'capabilityDelegation',
      'alsoKnownAs',
    ].map((name) => [`has a number as ${name}`, () => ({ [name]: 7 })]),
  ),
  ...Object.fromEntries(
    Object.entries(methodMembers).map(([what, members]) => [
      `contains another verification method ${what}`,
      (issuer: Party) => ({
        verificationMethod: [
          methodOf(issuer),
          {
            ...methodOf(issuer),
            id: `${issuer.did}#another-key`,
            publicKeyJwk: otherKey,
            ...members,
          },
        ],
      }),
    ]),
  ),
}

function methodOf({ did, kid, privateKey }: Party, members: object = {}): object {
  return {
    id: kid,
    type: 'JsonWebKey2020',
    controller: did,
    publicKeyJwk: { ...publicJwkOf(privateKey), ...members },
  }
}

/** Valid: keys with their optional members, and other keys next to them. */
export const validDocuments: Documents = {
  'contains the optional members of the key': (issuer) => ({
    verificationMethod: [methodOf(issuer, { alg: 'ES256K', use: 'sig', kid: 'a-key' })],
  }),
  'contains a key of an unknown type as well': (issuer) => ({
    verificationMethod: [
      {
        ...methodOf(issuer),
        id: `${issuer.did}#another-key`,
        publicKeyJwk: { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AQ' },
      },
      methodOf(issuer),
    ],
  }),
  'contains other keys with similar ids, and lists them first': (issuer) => {
    const others = closestMisses.map(({ change }) => ({
      ...methodOf(issuer),
      id: change(issuer.kid),
      publicKeyJwk: otherKey,
    }))
    return {
      verificationMethod: [...others, methodOf(issuer)],
      assertionMethod: [...others.map(({ id }) => id), issuer.kid],
    }
  },
  'contains 40 other keys, and lists them first': (issuer) => {
    const others = Array.from({ length: 40 }, (_, index) => ({
      ...methodOf(issuer),
      id: `${issuer.did}#another-key-${index}`,
      publicKeyJwk: otherKey,
    }))
    return {
      verificationMethod: [...others, methodOf(issuer)],
      assertionMethod: [...others.map(({ id }) => id), issuer.kid],
    }
  },
  'lists another key after that of the issuer': ({ did, kid }) => ({
    assertionMethod: [kid, `${did}#another-key`],
  }),
  'has members that no rule names, and no authentication': (issuer) => ({
    authentication: undefined,
    verificationMethod: [{ ...methodOf(issuer), name: 'Key' }],
    service: [{ id: '#service', type: 'Service', serviceEndpoint: 'https://issuer.example' }],
  }),
}

/**
 * Registers a new issuer for each document, and has the DID registry answer with it until the
 * answers are rewritten again.
 */
export function registerWithDocuments(
  trust: OpenTrustWorld,
  documents: Documents,
): readonly { readonly does: string; readonly party: Party }[] {
  const changes = new Map<unknown, object>()
  trust.rewrite('did-registry', (json) => ({ ...json, ...changes.get(json.id) }))
  return Object.entries(documents).map(([does, change]) => {
    const party = registerIssuer(trust.world)
    changes.set(party.did, change(party))
    return { does, party }
  })
}
