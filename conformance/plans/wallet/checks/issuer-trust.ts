import { randomBytes } from 'node:crypto'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { closestMisses } from '../../../kit/near-misses.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import {
  otherRoots,
  ownRoot,
  signedBySubject,
  wrongAnswers,
  wrongParents,
  wrongPeriods,
  wrongSignatures,
  wrongSubjects,
  wrongTypes,
} from '../../../world/defects/chain-defects.ts'
import {
  malformedDocuments,
  otherDocuments,
  registerWithDocuments,
} from '../../../world/defects/document-defects.ts'
import {
  createBomb,
  revokedLists,
  unknownEntries,
  wrongContents,
  wrongPeriods as wrongListPeriods,
  wrongSigners,
} from '../../../world/defects/list-defects.ts'
import { issueCredential } from '../../../world/issue-credential.ts'
import { removeKey } from '../../../world/key-uses.ts'
import type { OpenTrustWorld } from '../../../world/open-trust-world.ts'
import { publishStatusList, type StatusListOptions } from '../../../world/publish-status-list.ts'
import {
  type AccreditationDefect,
  type AccreditedParty,
  registerChain,
} from '../../../world/register-chain.ts'
import {
  registerBelow,
  registerDefectiveIssuer,
  registerIssuer,
  registerSimilar,
} from '../../../world/register-issuer.ts'
import type { ServedAnswer } from '../../../world/start-kit-server.ts'
import type { WalletContext } from '../context.ts'
import { findNoneKept, type WrongDelivery } from '../findings/issuance-findings.ts'

/** Credentials that a wallet must not keep because of what the registries and lists say. */
interface DistrustedCredentials
  extends Pick<CheckRow<WalletContext>, 'title' | 'description' | 'sends' | 'fix'>,
    Partial<Pick<CheckRow<WalletContext>, 'expectation' | 'level' | 'clauses' | 'deviations'>> {
  readonly deliveries: (trust: OpenTrustWorld) => readonly WrongDelivery[]
}

export const checks = defineChecks<WalletContext, DistrustedCredentials>(
  {
    'W68-parent-revoked': {
      title: 'A credential below a revoked TAO is not kept',
      description: 'A TAO may lose its accreditation. The organizations below it then lose theirs.',
      deviations: ['parent-revoked'],
      sends:
        'Credentials of issuers whose TAO is revoked, and whose TAO is valid but below a revoked one.',
      fix: 'Verify every accreditation from the issuer up to the root. Discard the credential if attribute.issuerType of one of them is REVOKED.',
      deliveries: ({ world }) => [
        deliveryOf("whose issuer's TAO is revoked", world, registerBelowRevoked(world, 1)),
        deliveryOf(
          'whose issuer is below two TAOs, the upper one of which is revoked',
          world,
          registerBelowRevoked(world, 2),
        ),
      ],
    },
    'W97-accreditation-signature': {
      title: 'A credential under an accreditation with a wrong signature is not kept',
      description:
        'The TIR stores any body. It is an accreditation only if the TAO above signed it, at each link of the chain.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, was not signed by the organization that the TIR names as tao, or not with a key of it that is valid now, of an issuer whose TAO has no DID document, and of issuers whose TAO also lists the key of the organization that signed, whose DID is another one or similar.',
      fix: 'At each link, verify attribute.body with an assertionMethod key of attribute.tao that is valid now, and require attribute.tao as its iss and as the DID in its kid. Discard the credential otherwise.',
      deliveries: ({ world }) => [
        ...atEach(['issuer'], world, wrongSignatures),
        ...atEach(['TAO', 'root'], world, wrongSignatures.slice(0, 3)),
        deliveryOf('of an issuer whose TAO has no DID document', world, registerOrphan(world)),
        deliveryOf(
          'whose accreditation has a kid of another organization that its TAO lists',
          world,
          registerUnderForeignKid(world, () => registerIssuer(world)),
        ),
        ...closestMisses.map(({ what, change }) =>
          deliveryOf(
            `whose accreditation has a kid that its TAO lists, and whose DID ${what}`,
            world,
            registerUnderForeignKid(world, (tao) => registerSimilar(world, tao, change)),
          ),
        ),
      ],
    },
    'W98-accreditation-subject': {
      title: 'A credential under an accreditation of another subject is not kept',
      description:
        'If a TAO accredited one issuer, another issuer that shows the same body is not accredited.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, was made for another subject or attribute.',
      fix: 'Compare credentialSubject.id in attribute.body with iss of the credential, and reservedAttributeId with the attributeId in termsOfUse.id. Discard the credential if one differs.',
      deliveries: ({ world }) => [
        ...atEach(['issuer'], world, wrongSubjects),
        ...atEach(['TAO', 'root'], world, wrongSubjects.slice(0, 2)),
      ],
    },
    'W99-accreditation-period': {
      title: 'A credential under an accreditation that is not valid now is not kept',
      description: 'An accreditation expires like any credential, but the TIR keeps serving it.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, is not valid now, by each of its times.',
      fix: 'Compare exp, validUntil, nbf and validFrom in attribute.body of each link with the current time. Discard the credential if it has ended, has not begun or has no end.',
      deliveries: ({ world }) => [
        ...atEach(['issuer'], world, wrongPeriods),
        ...atEach(['TAO', 'root'], world, wrongPeriods.slice(0, 2)),
      ],
    },
    'W100-accredited-types': {
      title: 'A credential of a type that its issuer is not accredited for is not kept',
      expectation: 'advice',
      description:
        'An accreditation lists the credential types it covers. The profile leaves open whether wallets check them, so this is advice.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO above, covers no type, another type, or a type with a similar name.',
      fix: "Decode attribute.body, and require the credential's type in types of an entry of accreditedFor. Discard the credential otherwise.",
      deliveries: ({ world }) => [
        ...atEach(['issuer'], world, wrongTypes),
        ...atEach(['TAO'], world, wrongTypes.slice(0, 1)),
      ],
    },
    'W101-answer-about-another': {
      title: 'A TIR response without the requested accreditation is not trusted',
      description:
        'A cache or proxy between wallet and TIR can return the response to another request. A wallet that does not compare it trusts any issuer.',
      sends:
        'Credentials of issuers for whose accreditation, or that of the TAO or root above, the TIR returns another DID or hash, an unknown role, an unreadable body, 404, or a wrong attributeIdTao.',
      fix: 'Compare did and attribute.hash in each response of the TIR with what you requested. Require a known issuerType and a JWT in attribute.body. Discard the credential otherwise.',
      deliveries: ({ world }) => [
        ...atEach(['issuer'], world, wrongAnswers),
        ...atEach(['TAO', 'root'], world, wrongAnswers.slice(0, 3)),
        ...atEach(['issuer', 'TAO'], world, wrongParents),
      ],
    },
    'W102-chain-without-root': {
      title: 'A credential of an issuer without a trusted root is not kept',
      description:
        'A trust chain is worth only as much as its root, and anyone can create one. Only a TAO may accredit, and not itself.',
      sends:
        'Credentials of issuers without a trusted root: the issuer or its TAO is its own root or accredited itself, another issuer accredited it, two TAOs accredit each other, or the root names another rootTao.',
      fix: 'Follow attribute.tao from the issuer to a root whose DID you trust, with issuerType TAO or RTAO above the issuer and a signature of each TAO. Require that root in rootTao of each link. Stop after some links. Otherwise discard the credential.',
      deliveries: ({ world }) => [
        deliveryOf('of an issuer that is its own root', world, registerOwnRoot(world)),
        deliveryOf(
          'of an issuer that another issuer accredited',
          world,
          registerIssuer(world, { parent: registerIssuer(world) }),
        ),
        deliveryOf('below two TAOs that accredit each other', world, registerCircle(world)),
        ...atEach(['TAO'], world, [ownRoot]),
        ...atEach(['root'], world, otherRoots),
        ...atEach(['issuer', 'TAO'], world, [signedBySubject]),
      ],
    },
    'W153-end-of-chain': {
      title: 'A chain of nine accreditations, or whose top accreditation has ended, is not trusted',
      expectation: 'advice',
      description:
        'The profile limits a chain to eight accreditations, and the last one is that of the root itself. A wallet that stops at any accreditation of the root does not see that its own has ended.',
      sends:
        'Credentials of an issuer below seven TAOs, and of issuers below a second accreditation of the root, whose own one is revoked or has expired.',
      fix: 'Follow attributeIdTao up to the accreditation with issuerType RTAO, even if its tao is the root already, and verify that one as well. Stop after eight accreditations. Otherwise discard the credential.',
      deliveries: ({ world }) => [
        deliveryOf('of an issuer below seven TAOs', world, registerBelow(world, 7)),
        ...(['revoked', 'expired'] as const).map((end) =>
          deliveryOf(
            `below a second accreditation of the root, whose own one is ${end}`,
            world,
            registerBelowSecond(world, end),
          ),
        ),
      ],
    },
    'W148-issuer-document': {
      title: 'A credential is not kept if the DID document does not list its key for assertions',
      description:
        'A cache or proxy between wallet and registry can return the document of another DID, and a key in it may be ambiguous or compromised. A wallet that takes the first key with the right id trusts it.',
      sends: `Credentials of new issuers whose DID document ${Object.keys(otherDocuments).join(', ')}.`,
      fix: 'Compare id of the DID document with the DID that you resolved. Require kid, as a whole, exactly once in verificationMethod and in assertionMethod, with a public key for signatures. Otherwise discard the credential.',
      deliveries: (trust) =>
        registerWithDocuments(trust, otherDocuments).map(({ does, party }) =>
          deliveryOf(`of an issuer whose DID document ${does}`, trust.world, party),
        ),
    },
    'W155-malformed-documents': {
      title: 'A DID document that is not well-formed is not used',
      level: 'final',
      clauses: ['DID Core 1.0, 6.1'],
      description:
        'A consumer of DID documents must report an error for a document that does not conform. What else is wrong with it, the wallet cannot know.',
      sends: `Credentials of new issuers whose DID document ${Object.keys(malformedDocuments).join(', ')}.`,
      fix: 'Validate the DID document before you use it: arrays in verification relationships and alsoKnownAs, and strings in id, type and controller of each verification method. If it does not conform, discard the credential.',
      deliveries: (trust) =>
        registerWithDocuments(trust, malformedDocuments).map(({ does, party }) =>
          deliveryOf(`of an issuer whose DID document ${does}`, trust.world, party),
        ),
    },
    'W103-status-list-defects': {
      title: 'A credential whose status list cannot be verified is not kept',
      description:
        'An attacker who can replace the list, or point to another one, hides a revocation.',
      sends:
        'Revoked credentials, and credentials with a status list that another organization or an unknown key signed, that is not valid now, that is for another address or purpose, that cannot be decompressed or fetched, or that lacks the index, and a credential that is revoked only in the second of its two entries.',
      fix: 'Verify the signature of the list with a key of the issuer of the credential, and its types, exp, id, statusPurpose and length. Limit its size while you decompress it. Discard the credential if an entry of credentialStatus or its list is wrong or unavailable.',
      deliveries: ({ world }) => [
        ...[...statusDefects, bombed(), ...unavailableLists].map(([wrong, status, answer]) =>
          deliveryWithStatus(
            world,
            wrong,
            (url) => publishStatusList(world, { url, ...status }),
            answer,
          ),
        ),
        deliveryWithStatus(
          world,
          'that is revoked in the second of its two status entries',
          (url) => {
            const entry = publishStatusList(world, { url, index: 7, revoked: [8] })
            return [entry, { ...entry, id: `${url}#8`, statusListIndex: '8' }]
          },
        ),
      ],
    },
  },
  ({ deliveries, ...texts }) => ({
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    decides: 'The wallet must report a rejection of each credential, and must not list any.',
    timeLimitMilliseconds: 120_000,
    ...texts,
    run: (context) => findNoneKept(context, deliveries(context.trust)),
  }),
)

const deliveryOf = (wrong: string, world: TrustWorld, issuer: Party): WrongDelivery => ({
  wrong,
  behaviour: {
    credential: ({ holderDid, now }) => issueCredential(world, { holderDid, now, issuer }),
  },
})

/** A credential with this credentialStatus, whose list may be answered differently. */
const deliveryWithStatus = (
  world: TrustWorld,
  wrong: string,
  statusAt: (url: string) => unknown,
  answer?: ServedAnswer,
): WrongDelivery => ({
  wrong,
  behaviour: {
    ...(answer && { answers: { 'status-list': () => answer } }),
    credential: ({ holderDid, now, credentialIssuer: credentialIssuerUrl }) => {
      const credentialStatus = statusAt(`${credentialIssuerUrl}/status-lists/1`)
      const change = () => ({ vc: { credentialStatus } })
      const defect = { name: 'status', description: wrong, change }
      return issueCredential(world, { holderDid, now, defect, credentialIssuerUrl })
    },
  },
})

/** Credentials of new issuers: in each chain one accreditation has one defect. */
const atEach = (
  parties: readonly AccreditedParty[],
  world: TrustWorld,
  defects: readonly AccreditationDefect[],
): WrongDelivery[] =>
  parties.flatMap((party) =>
    defects.map((defect) =>
      deliveryOf(
        `where the accreditation of the ${party} ${defect.what}`,
        world,
        registerChain(world, party, defect),
      ),
    ),
  )

/** Registers an issuer below one or two TAOs. The one at the top is revoked. */
function registerBelowRevoked(world: TrustWorld, taos: 1 | 2): Party {
  const revoked = registerIssuer(world, { issuerType: 'TAO' })
  const parent =
    taos === 1 ? revoked : registerIssuer(world, { parent: revoked, issuerType: 'TAO' })
  world.attributeOf(revoked).attribute.issuerType = 'REVOKED'
  return registerIssuer(world, { parent })
}

function registerOrphan(world: TrustWorld): Party {
  const parent = registerIssuer(world, { issuerType: 'TAO' })
  const issuer = registerIssuer(world, { parent })
  removeKey(world, parent)
  return issuer
}

/** The TAO lists the key of another organization, which signed the accreditation. */
function registerUnderForeignKid(world: TrustWorld, register: (tao: Party) => Party): Party {
  const parent = registerIssuer(world, { issuerType: 'TAO' })
  const other = register(parent)
  world.usesOf(parent.did).push(...world.usesOf(other.did))
  const issuer = registerIssuer(world, { parent })
  world.publish(issuer, parent, 'TI', world.sign(world.accreditationOf(issuer, parent), other))
  return issuer
}

/** The root accredits itself twice; the first accreditation has ended. */
function registerBelowSecond(world: TrustWorld, end: 'revoked' | 'expired'): Party {
  const [own, second] = [1, 2].map(() => ({
    ...world.root,
    attributeId: randomBytes(32).toString('hex'),
  })) as [Party, Party]
  const exp = Math.floor(Date.now() / 1000) - 600
  const accreditation = { ...world.accreditationOf(own, own), ...(end === 'expired' && { exp }) }
  const { attribute } = world.publish(own, own, 'RTAO', world.sign(accreditation, own))
  if (end === 'revoked') attribute.issuerType = 'REVOKED'
  world.publish(second, own, 'TAO')
  return registerIssuer(world, { parent: second })
}

const registerOwnRoot = (world: TrustWorld) => registerDefectiveIssuer(world, 'root-not-trusted')

function registerCircle(world: TrustWorld): Party {
  const one = registerIssuer(world, { issuerType: 'TAO' })
  const another = registerIssuer(world, { parent: one, issuerType: 'TAO' })
  world.publish(one, another, 'TAO')
  return registerIssuer(world, { parent: another })
}

/** Created for the first check that sends it, because compressing it takes long. */
const bombed = () => ['whose status list decompresses to 32 MiB', createBomb()] as const

type StatusDefect = readonly [wrong: string, status: StatusListOptions, answer?: ServedAnswer]

const unavailableLists: readonly StatusDefect[] = [404, 500, 503].map((status) => [
  `whose status list is answered with ${status}`,
  {},
  { status, body: '' },
])

const statusDefects: readonly StatusDefect[] = [
  ...Object.entries({
    ...wrongSigners,
    ...wrongListPeriods,
    ...wrongContents,
    ...unknownEntries,
    ...revokedLists,
  }).map(([what, status]) => [`with this status: ${what.replace(/\.$/, '')}`, status] as const),
  ['whose index is beyond the end of the list', { entry: { statusListIndex: '131072' } }],
  ['whose entry is of an unknown type', { entry: { type: 'OtherStatusEntry' } }],
  ['whose entry has no purpose', { entry: { statusPurpose: undefined } }],
]
