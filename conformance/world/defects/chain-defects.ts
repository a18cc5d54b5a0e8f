import { randomBytes } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { createTermsOfUseUrl } from '#core/trust/tir-attribute.ts'
import { toIsoTime } from '#core/verification/data-model.ts'
import { closestMisses, nearMisses, similarDids } from '../../kit/near-misses.ts'
import type { Party, TrustWorld } from '../create-trust-world.ts'
import { addKey } from '../key-uses.ts'
import type { AccreditationDefect } from '../register-chain.ts'
import { registerIssuer } from '../register-issuer.ts'
import {
  leaveUnsigned,
  signUnderLongerAlg,
  signWithKeyInHeader,
  signWithStrangeKey,
} from './defect.ts'
import { emptySignatures, flipBit, forgedForms } from './signature-defects.ts'

type Payload = NonNullable<AccreditationDefect['payload']>
type Draft = Parameters<Payload>[0]

/** Members that replace those of an accreditation; undefined removes one. */
interface Members {
  readonly claims?: object
  readonly vc?: object
  readonly subject?: object
}

const change =
  (membersOf: (draft: Draft & { readonly now: number }) => Members): Payload =>
  (draft) => {
    const { payload } = draft
    const { claims, vc, subject } = membersOf({ ...draft, now: unixTime() })
    const credentialSubject = { ...payload.vc.credentialSubject, ...subject }
    return { ...payload, vc: { ...payload.vc, credentialSubject, ...vc }, ...claims }
  }

const unixTime = () => Math.floor(Date.now() / 1000)

const otherTaos = new WeakMap<TrustWorld, Party>()

/** A trusted TAO that has accredited no organization in the TIR. */
function otherTaoOf(world: TrustWorld): Party {
  const tao = otherTaos.get(world) ?? registerIssuer(world, { issuerType: 'TAO' })
  otherTaos.set(world, tao)
  return tao
}

/**
 * An accreditation that the organization in the TIR did not sign. In these lists the most different
 * mistakes come first.
 */
export const wrongSignatures: readonly AccreditationDefect[] = [
  { what: 'has a signature with a flipped bit', afterwards: flipBit },
  {
    what: 'is signed by another organization in its own name',
    signer: ({ world: { issuer } }) => issuer,
    payload: change(({ world: { issuer } }) => ({
      claims: { iss: issuer.did },
      vc: { issuer: issuer.did },
    })),
  },
  {
    what: 'is signed with a key that is not for assertions',
    signer: ({ world, parent }) => addKey(world, parent, { relationship: 'authentication' }),
  },
  { what: 'is signed with an unknown key under the kid of its TAO', sign: signWithStrangeKey },
  {
    // Before it signed: the profile lets earlier signatures remain valid.
    what: 'is signed with a key that had been revoked',
    signer: ({ world, parent, payload }) => addKey(world, parent, { notAfter: payload.iat - 3600 }),
  },
  {
    what: 'has the signature of another accreditation by the same TAO',
    afterwards: (body, { world }) => {
      const other = world.attributeOf(world.issuer).attribute.body
      return body.replace(/[^.]*$/, other.split('.')[2] ?? '')
    },
  },
  { what: 'is not signed', sign: leaveUnsigned },
  { what: 'has an alg with one more character', sign: signUnderLongerAlg },
  {
    what: 'is signed by another organization under its own kid',
    signer: ({ world }) => world.issuer,
  },
  {
    what: 'names another organization in iss',
    payload: change(({ world }) => ({ claims: { iss: world.issuer.did } })),
  },
  {
    // Only the TIR says who accredited the subject.
    what: 'is signed by another TAO in its own name, and names the accreditation of that TAO',
    signer: ({ world }) => otherTaoOf(world),
    payload: change(({ world }) => {
      const tao = otherTaoOf(world)
      const id = createTermsOfUseUrl(world.policy.tirBaseUrl, tao)
      const termsOfUse = { id, type: 'TrustedIssuersRegistryEntry' }
      return { claims: { iss: tao.did }, vc: { issuer: tao.did, termsOfUse } }
    }),
  },
  {
    what: 'is signed with an unknown key under the kid of its TAO, and has this key as jwk',
    sign: signWithKeyInHeader,
  },
  { what: 'has no kid', header: () => ({ kid: undefined }) },
  ...closestMisses.flatMap(({ what, change: miss }): AccreditationDefect[] => [
    {
      what: `names a TAO in iss that ${what}`,
      payload: change(({ parent }) => ({ claims: { iss: miss(parent.did) } })),
    },
    { what: `has a kid that ${what}`, header: ({ parent }) => ({ kid: miss(parent.kid) }) },
  ]),
  ...Object.entries(forgedForms).map(([what, sign]) => ({ what, sign })),
  ...Object.entries(emptySignatures).map(([what, afterwards]) => ({ what, afterwards })),
]

/** Upper and lower case of hexadecimal digits mean the same. */
const hexMisses = nearMisses.filter(({ what }) => !what.includes('case'))

/** The subject of an accreditation, and the attribute that it was made for. */
export const wrongSubjects: readonly AccreditationDefect[] = [
  {
    what: 'is about another organization',
    payload: change(({ world }) => ({ subject: { id: world.issuer.did } })),
  },
  {
    what: 'was made for another attribute',
    payload: change(() => ({ subject: { reservedAttributeId: `0x${'ab'.repeat(32)}` } })),
  },
  {
    what: 'has another organization in sub',
    payload: change(({ world }) => ({ claims: { sub: world.issuer.did } })),
  },
  {
    what: 'is about a DID with one more character',
    payload: change(({ subject: { did } }) => ({
      claims: { sub: `${did}2` },
      subject: { id: `${did}2` },
    })),
  },
  ...closestMisses.flatMap(({ what, change: miss }) => [
    {
      what: `has no sub, and is about a DID that ${what}`,
      payload: change(({ subject: { did } }) => ({
        claims: { sub: undefined },
        subject: { id: miss(did) },
      })),
    },
    {
      what: `has a sub that ${what}`,
      payload: change(({ subject: { did } }) => ({ claims: { sub: miss(did) } })),
    },
  ]),
  {
    what: 'does not name its attribute',
    payload: change(() => ({ subject: { reservedAttributeId: undefined } })),
  },
  ...hexMisses.map(({ what, change: miss }) => ({
    what: `names an attribute that ${what}`,
    payload: change(({ subject: { attributeId } }) => ({
      subject: { reservedAttributeId: miss(attributeId) },
    })),
  })),
  {
    what: 'names its attribute in a list',
    payload: change(({ subject: { attributeId } }) => ({
      subject: { reservedAttributeId: [attributeId] },
    })),
  },
  {
    what: 'is about a list with its DID',
    payload: change(({ subject: { did } }) => ({ subject: { id: [did] } })),
  },
  {
    what: 'has no subject',
    payload: change(() => ({ vc: { credentialSubject: undefined } })),
  },
  { what: 'has a number as sub', payload: change(() => ({ claims: { sub: 7 } })) },
]

const day = 86_400

/** Not valid now, but at the time of a credential that was signed more than an hour ago. */
export const endedAnHourAgo: AccreditationDefect = {
  what: 'ended an hour ago',
  payload: change(({ now }) => ({
    claims: { exp: now - 3600 },
    vc: { validUntil: toIsoTime(now - 3600) },
  })),
}

/** When an accreditation is valid, each time on its own. */
export const wrongPeriods: readonly AccreditationDefect[] = [
  {
    what: 'has an exp ten minutes ago and a later validUntil',
    payload: change(({ now }) => ({ claims: { exp: now - 600 } })),
  },
  {
    what: 'has a validUntil ten minutes ago and a later exp',
    payload: change(({ now }) => ({ vc: { validUntil: toIsoTime(now - 600) } })),
  },
  {
    what: 'has an nbf in ten minutes',
    payload: change(({ now }) => ({ claims: { nbf: now + 600 } })),
  },
  {
    what: 'has an exp an hour ago, in milliseconds, and no validUntil',
    payload: change(({ now }) => ({
      claims: { exp: (now - 3600) * 1000 },
      vc: { validUntil: undefined },
    })),
  },
  {
    what: 'has neither exp nor validUntil',
    payload: change(() => ({ claims: { exp: undefined }, vc: { validUntil: undefined } })),
  },
  {
    what: 'has a string of digits as exp',
    payload: change(({ now }) => ({ claims: { exp: String(now + day) } })),
  },
  {
    what: 'has a validUntil that is not a time',
    payload: change(() => ({ vc: { validUntil: 'next year' } })),
  },
  {
    what: 'has a validFrom in ten minutes',
    payload: change(({ now }) => ({ vc: { validFrom: toIsoTime(now + 600) } })),
  },
  {
    what: 'has a validFrom that is not a time',
    payload: change(() => ({ vc: { validFrom: 'last year' } })),
  },
  ...['nbf', 'iat'].map((claim) => ({
    what: `has a string of digits as ${claim}`,
    payload: change(({ now }) => ({ claims: { [claim]: String(now - day) } })),
  })),
]

const accreditedFor = (what: string, list: unknown): AccreditationDefect => ({
  what,
  payload: change(() => ({ subject: { accreditedFor: list } })),
})

/** What an accreditation covers; the credential is an OrgPortalLearCredential. */
export const wrongTypes: readonly AccreditationDefect[] = [
  accreditedFor('covers only another type', [{ types: ['OtherCredential'] }]),
  accreditedFor('covers only the types above', [
    { types: ['VerifiableCredential', 'LEARCredential'] },
  ]),
  accreditedFor('covers a type with a longer name', [{ types: ['OrgPortalLearCredential2'] }]),
  accreditedFor('covers a type with a shorter name', [{ types: ['OrgPortalLear'] }]),
  accreditedFor('covers the type in lower case', [
    { types: ['OrgPortalLearCredential'.toLowerCase()] },
  ]),
  accreditedFor('covers no type', [{ types: [] }]),
  accreditedFor('has a string as types', [{ types: 'OrgPortalLearCredential' }]),
  accreditedFor('has an empty accreditedFor', []),
  accreditedFor('has no accreditedFor', undefined),
]

/** What the TIR answers, in place of the accreditation. */
export const wrongAnswers: readonly AccreditationDefect[] = [
  {
    what: 'is answered with another DID',
    answer: (entry, { world }) => Object.assign(entry, { did: world.issuer.did }),
  },
  {
    what: 'is answered with another hash',
    answer: ({ attribute }, { world }) =>
      Object.assign(attribute, { hash: world.issuer.attributeId }),
  },
  {
    what: 'is answered with 404',
    answer: (_, { world, subject }) =>
      world.attributes.delete(`${subject.did} ${subject.attributeId}`),
  },
  {
    what: 'is answered with an unknown role',
    answer: ({ attribute }) => Object.assign(attribute, { issuerType: 'NONE' }),
  },
  ...closestMisses.map(({ what, change: miss }) => ({
    what: `is answered with a DID that ${what}`,
    answer: (entry: { did: string }) => Object.assign(entry, { did: miss(entry.did) }),
  })),
  {
    what: 'is answered with a list with its hash',
    answer: ({ attribute }) => Object.assign(attribute, { hash: [attribute.hash] }),
  },
  {
    what: 'is answered with a role in lower case',
    answer: ({ attribute }) =>
      Object.assign(attribute, { issuerType: attribute.issuerType.toLowerCase() }),
  },
  ...hexMisses.map(({ what, change: miss }) => ({
    what: `is answered with a hash that ${what}`,
    answer: ({ attribute }: { attribute: { hash: string } }) =>
      Object.assign(attribute, { hash: miss(attribute.hash) }),
  })),
  ...(['hash', 'tao', 'issuerType', 'body'] as const).map((name) => ({
    what: `is answered without ${name}`,
    answer: ({ attribute }: { attribute: object }) =>
      Object.assign(attribute, { [name]: undefined }),
  })),
  {
    what: 'is answered without a DID',
    answer: (entry) => Object.assign(entry, { did: undefined }),
  },
  {
    what: 'is answered with an empty body',
    answer: ({ attribute }) => Object.assign(attribute, { body: '' }),
  },
  ...[undefined, 7].map((body) => ({
    what: `is answered with ${body === undefined ? 'no body' : 'a number as its body'}`,
    answer: ({ attribute }: { attribute: object }) => Object.assign(attribute, { body }),
  })),
  {
    what: 'is answered with a body that is not a JWT',
    answer: ({ attribute }) =>
      Object.assign(attribute, { body: Buffer.from('{}').toString('base64url') }),
  },
]

/** Where the chain continues according to the TIR. */
export const wrongParents: readonly AccreditationDefect[] = [
  {
    what: 'names an attribute of its TAO that does not exist',
    answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: 'ab'.repeat(32) }),
  },
  {
    what: 'names the attribute of another organization as that of its TAO',
    answer: ({ attribute }, { world }) =>
      Object.assign(attribute, { attributeIdTao: world.issuer.attributeId }),
  },
  {
    what: 'names itself as the accreditation of its TAO',
    answer: ({ attribute }, { subject }) =>
      Object.assign(attribute, { attributeIdTao: subject.attributeId }),
  },
  {
    what: 'lacks attributeIdTao, and its body names another organization',
    payload: change(({ world }) => ({
      vc: {
        termsOfUse: {
          id: createTermsOfUseUrl(world.policy.tirBaseUrl, world.issuer),
          type: 'TrustedIssuersRegistryEntry',
        },
      },
    })),
    answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
  },
  ...similarDids.map(
    ({ what, change: miss }): AccreditationDefect => ({
      what: `lacks attributeIdTao, and its body names an accredited DID that ${what}`,
      payload: change(({ world, parent }) => {
        const attributeId = randomBytes(32).toString('hex')
        const similar = { ...parent, did: miss(parent.did), attributeId }
        world.publish(similar, world.root, 'TAO')
        const id = createTermsOfUseUrl(world.policy.tirBaseUrl, similar)
        return { vc: { termsOfUse: { id, type: 'TrustedIssuersRegistryEntry' } } }
      }),
      answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
    }),
  ),
  {
    what: 'names the attribute of its TAO in a list',
    answer: ({ attribute }, { parent }) =>
      Object.assign(attribute, { attributeIdTao: [parent.attributeId] }),
  },
  {
    what: 'lacks attributeIdTao, and its body has no vc',
    payload: change(() => ({ claims: { vc: undefined } })),
    answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
  },
  {
    what: 'lacks attributeIdTao, and termsOfUse in its body',
    payload: change(() => ({ vc: { termsOfUse: undefined } })),
    answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
  },
  {
    what: 'lacks attributeIdTao and a readable body',
    answer: ({ attribute }) =>
      Object.assign(attribute, { attributeIdTao: undefined, body: 'body' }),
  },
  {
    what: 'names an attribute that is not hexadecimal',
    answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: 'g'.repeat(64) }),
  },
]

/** Valid: only the body names the accreditation of the TAO. */
export const parentInBody: AccreditationDefect = {
  what: 'has no attributeIdTao',
  answer: ({ attribute }) => Object.assign(attribute, { attributeIdTao: undefined }),
}

/** The root names a different root, or almost itself. */
export const otherRoots: readonly AccreditationDefect[] = [
  {
    what: 'names another organization as rootTao',
    answer: ({ attribute }, { world }) => Object.assign(attribute, { rootTao: world.tao.did }),
  },
  ...closestMisses.map(({ what, change: miss }) => ({
    what: `has a rootTao that ${what}`,
    answer: ({ attribute }: { attribute: { rootTao: string } }) =>
      Object.assign(attribute, { rootTao: miss(attribute.rootTao) }),
  })),
]

export const revoked: AccreditationDefect = {
  what: 'is revoked',
  answer: ({ attribute }) => Object.assign(attribute, { issuerType: 'REVOKED' }),
}

/** Valid in its form, but signed by the organization that it is about. */
export const signedBySubject: AccreditationDefect = {
  what: 'is signed by the organization that it is about',
  signer: ({ subject }) => subject,
  payload: change(({ subject: { did } }) => ({ claims: { iss: did }, vc: { issuer: did } })),
}

/** The organization makes itself a root. */
export const ownRoot: AccreditationDefect = {
  ...signedBySubject,
  what: 'makes it its own root',
  answer: ({ attribute }, { subject: { did, attributeId } }) =>
    Object.assign(attribute, {
      issuerType: 'RTAO',
      tao: did,
      rootTao: did,
      attributeIdTao: attributeId,
    }),
}

/** The organization is its own root, but the TIR names the trusted root as that of its chain. */
export const ownRootUnderTrusted: AccreditationDefect = {
  ...ownRoot,
  what: 'makes it its own root, and has the trusted root as rootTao',
  answer(entry, draft) {
    ownRoot.answer?.(entry, draft)
    entry.attribute.rootTao = draft.world.root.did
  },
}

interface ValidVariant extends AccreditationDefect {
  /** What to change in a system that rejects it. */
  readonly fix: string
}

/** Valid: accreditations with other keys, other optional members or other forms of their times. */
export const validVariants: readonly ValidVariant[] = [
  {
    what: 'is signed with ES256 and a registered P-256 key',
    fix: 'Support ES256: verify attribute.body with the P-256 key that the DID document of its TAO has under kid.',
    signer: ({ world, parent }) => addKey(world, parent, { curve: 'P-256' }),
    header: () => ({ alg: 'ES256' }),
  },
  {
    what: 'covers several types in several entries, one with a schema and one with a name',
    fix: 'Search all entries of accreditedFor, and all types of each, for the type of the credential. Treat schemaId and name as optional.',
    payload: change(() => ({
      subject: {
        accreditedFor: [
          { types: ['OtherCredential'], schemaId: 'https://schemas.example/other' },
          { types: ['LEARCredential', 'OrgPortalLearCredential'], name: 'Mandates' },
        ],
      },
    })),
  },
  {
    what: 'ends only with exp',
    fix: 'Accept an accreditation that ends only with exp: validUntil is optional then.',
    payload: change(() => ({ vc: { validUntil: undefined } })),
  },
  {
    what: 'ends only with validUntil',
    fix: 'Accept an accreditation that ends only with validUntil: exp is optional then.',
    payload: change(() => ({ claims: { exp: undefined } })),
  },
  {
    what: 'has no sub, iat, nbf, jti and validFrom',
    fix: 'Treat sub, iat, nbf, jti and validFrom of an accreditation as optional: compare only those that it has.',
    payload: change(() => ({
      claims: { sub: undefined, iat: undefined, nbf: undefined, jti: undefined },
      vc: { validFrom: undefined },
    })),
  },
  {
    what: 'has fractions in its times',
    fix: 'Accept fractions of a second in the times of an accreditation, as numbers and in validUntil.',
    payload: change(({ now }) => ({
      claims: { iat: now - 60.5, nbf: now - 60.5, exp: now + day + 0.25 },
      vc: { validUntil: toIsoTime(now + day).replace('Z', '.5Z') },
    })),
  },
  {
    what: 'becomes valid in 45 seconds',
    fix: 'Accept an accreditation whose nbf and validFrom are up to a minute in the future: clocks differ.',
    payload: change(({ now }) => ({
      claims: { nbf: now + 45 },
      vc: { validFrom: toIsoTime(now + 45) },
    })),
  },
  {
    what: 'has members that no rule names, and no termsOfUse',
    fix: 'Ignore unknown members of attribute.body, and treat termsOfUse in it as optional.',
    payload: change(() => ({
      claims: { note: 'accreditation' },
      vc: { name: 'Accreditation', termsOfUse: undefined },
      subject: { name: 'Issuer' },
    })),
  },
  {
    what: 'is in the TIR with members that no rule names',
    fix: 'Ignore unknown members of TIR responses and of attribute in them.',
    answer(entry) {
      Object.assign(entry, { note: 'entry' })
      Object.assign(entry.attribute, { note: 'attribute', changedAt: null })
    },
  },
  {
    what: 'covers 100 types, and has more than 8,000 characters',
    fix: 'Do not limit the number of types or the length of attribute.body to what one TAO sends.',
    payload: change(() => ({
      subject: {
        accreditedFor: [
          {
            types: [
              ...Array.from({ length: 99 }, (_, index) =>
                `OtherCredential${index}`.padEnd(64, 'x'),
              ),
              'OrgPortalLearCredential',
            ],
          },
        ],
      },
    })),
  },
  {
    // "accreditation JWT, base64url" can be read as the JWT itself, or as its encoding.
    what: 'is returned in base64url, not as the JWT itself',
    fix: 'Read attribute.body as a JWT if it has two dots, and otherwise decode it from base64url to one.',
    answer: ({ attribute }) => {
      attribute.body = encodeBase64url(attribute.body)
    },
  },
]
