import { randomUUID } from 'node:crypto'
import { similarDids } from '../../../kit/near-misses.ts'
import type { Party, TrustWorld } from '../../../world/create-trust-world.ts'
import {
  endedAnHourAgo,
  otherRoots,
  ownRoot,
  ownRootUnderTrusted,
  parentInBody,
  revoked,
  signedBySubject,
  wrongAnswers,
  wrongParents,
  wrongPeriods,
  wrongSignatures,
  wrongSubjects,
  wrongTypes,
} from '../../../world/defects/chain-defects.ts'
import { removeKey } from '../../../world/key-uses.ts'
import {
  type AccreditationDefect,
  type AccreditedParty,
  registerBelowRootAsTao,
  registerChain,
} from '../../../world/register-chain.ts'
import { registerBelow, registerIssuer, registerSimilar } from '../../../world/register-issuer.ts'
import type { VerifierContext } from '../context.ts'
import {
  acceptances,
  type PresentationCase,
  refusals,
  withDefects,
} from '../presentation-checks.ts'

/** The accreditations between the issuer and the root, each with each defect. */
export const checks = {
  ...acceptances({
    'V124-parent-in-body': {
      title: 'A chain is followed without attributeIdTao in the responses of the TIR',
      level: 'practice',
      rows: ['2.endpoints/tir.17'],
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'attributeIdTao is not among the members that the profile lists. Without it, termsOfUse.id in the accreditation names that of the TAO above.',
      sends: 'A credential of an issuer for which the TIR returns no attributeIdTao.',
      fix: 'If the TIR returns no attributeIdTao, decode attribute.body and continue at its termsOfUse.id. Require that it names the DID in attribute.tao.',
      presentations: ({ trust: { world } }) => atEach(['issuer', 'TAO'], world, [parentInBody]),
    },
  }),
  ...refusals({
    'V37-parent-revoked': {
      title: 'A credential below a revoked TAO or root is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'Revocation does not cascade on chain. A verifier that checks only the issuer still trusts everything that a revoked TAO accredited.',
      sends:
        'Credentials of issuers below a revoked TAO, below a revoked root, and below a root with a second accreditation as a TAO.',
      fix: 'Follow attribute.tao from the issuer up to the root. If issuerType of one of the attributes is REVOKED, reject the presentation.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('parent-revoked'),
        ...atEach(['TAO', 'root'], world, [revoked]),
        belowRootAsTao(world, revoked),
      ],
    },
    'V42-type-not-accredited': {
      title: 'A credential of a type that its issuer is not accredited for is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'An accreditation lists the credential types it covers. The profile leaves open whether verifiers check them, so this is advice.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, covers no type, another type, or a type with a similar name.',
      fix: "Decode attribute.body, and require the credential's type in types of an entry of accreditedFor. Otherwise reject the presentation.",
      expectation: 'advice',
      presentations: ({ trust: { world } }) => [
        ...withDefects('accreditation-for-another-type'),
        ...atEach(['issuer'], world, wrongTypes),
        ...atEach(['TAO', 'root'], world, wrongTypes.slice(0, 1)),
      ],
    },
    'V75-accreditation-expired': {
      title: 'A credential under an accreditation that is not valid now is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description: 'An accreditation expires like any credential, but the TIR keeps serving it.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, is not valid now, by each of its times. One of the credentials was signed before the accreditation ended.',
      fix: 'Compare exp, validUntil, nbf and validFrom in attribute.body of each link with the current time, not with that of the credential. If it has ended, has not begun or has no end, reject the presentation.',
      presentations: ({ trust: { world }, now }) => [
        ...withDefects('accreditation-expired'),
        {
          what: 'The accreditation of the issuer ended after the signature of the credential.',
          issuer: registerChain(world, 'issuer', endedAnHourAgo),
          issuedAt: now() - 2 * 3600,
        },
        ...atEach(['issuer'], world, wrongPeriods),
        ...atEach(['TAO', 'root'], world, wrongPeriods.slice(0, 3)),
        ...wrongPeriods.slice(0, 1).map((defect) => belowRootAsTao(world, defect)),
      ],
    },
    'V79-self-accredited': {
      title: 'A credential of an issuer that accredited itself is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'An organization that can write to the TIR can write any body. The body must be signed by the TAO that the TIR names.',
      sends: 'Credentials of an issuer that accredited itself, and of one whose TAO did.',
      fix: 'Verify the signature of attribute.body with an assertionMethod key of the DID in attribute.tao, and require that DID as its iss. Otherwise reject the presentation.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('accreditation-self-signed'),
        ...atEach(['issuer', 'TAO'], world, [signedBySubject]),
      ],
    },
    'V80-root-not-trusted': {
      title: 'A credential under a root that is not trusted is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description: 'A trust chain is worth only as much as its root, and anyone can create one.',
      sends:
        'Credentials of an issuer that is its own root, of ones whose TAO is its own root, of ones whose root has a DID similar to that of the trusted root, and of one whose root names another rootTao.',
      fix: 'Configure the DIDs of the trusted roots, and require one of them at the end of the chain. If there is another root, or its rootTao is not itself, reject the presentation, even if its issuerType is RTAO.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('root-not-trusted'),
        ...atEach(['TAO'], world, [ownRoot, ownRootUnderTrusted]),
        ...similarRoots(world),
        ...atEach(['root'], world, otherRoots),
      ],
    },
    'V87-accreditation-of-another-subject': {
      title: 'A credential under an accreditation of another subject is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'If a TAO accredited one issuer, another issuer that shows the same body is not accredited.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, was made for another subject or attribute.',
      fix: 'Compare credentialSubject.id in attribute.body with iss of the credential, and reservedAttributeId with the attributeId in termsOfUse.id. If one differs, reject the presentation.',
      presentations: ({ trust: { world } }) => [
        ...withDefects('accreditation-of-another', 'accreditation-moved'),
        ...atEach(['issuer'], world, wrongSubjects),
        ...atEach(['TAO', 'root'], world, wrongSubjects.slice(0, 2)),
      ],
    },
    'V98-accreditation-signature': {
      title: 'A credential under an accreditation with a wrong signature is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'The TIR stores any body. It is an accreditation only if the TAO above signed it, at each link of the chain.',
      sends:
        'Credentials of issuers whose accreditation, or that of the TAO or root above, was not signed by the organization that the TIR names as tao, or not with a key of it that was valid then.',
      fix: 'At each link, verify attribute.body with an assertionMethod key of attribute.tao that is valid. Require attribute.tao as its iss and as the DID in its kid. Otherwise reject the presentation.',
      presentations: ({ trust: { world } }) => {
        const parent = registerIssuer(world, { issuerType: 'TAO' })
        const issuer = registerIssuer(world, { parent })
        removeKey(world, parent)
        return [
          ...atEach(['issuer'], world, wrongSignatures),
          ...atEach(['TAO', 'root'], world, wrongSignatures.slice(0, 5)),
          { what: 'The DID registry does not contain the TAO of the issuer.', issuer },
        ]
      },
    },
    'V99-accredited-by-an-issuer': {
      title: 'A credential of an issuer that another issuer accredited is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'A trusted issuer may only issue credentials. If it could also accredit, each issuer could admit others.',
      sends:
        'Credentials of issuers that an organization with the issuerType TI accredited, or whose TAO it accredited.',
      fix: 'Require issuerType TAO or RTAO of each organization above the issuer. If it is TI, reject the presentation.',
      presentations: ({ trust: { world } }) => {
        const accreditor = registerIssuer(world)
        const parent = registerIssuer(world, { parent: accreditor, issuerType: 'TAO' })
        return [
          {
            what: 'An issuer, not a TAO, accredited the issuer.',
            issuer: registerIssuer(world, { parent: accreditor }),
          },
          {
            what: 'An issuer, not a TAO, accredited the TAO of the issuer.',
            issuer: registerIssuer(world, { parent }),
          },
        ]
      },
    },
    'V100-answer-about-another': {
      title: 'A TIR response without the requested accreditation is not trusted',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'A cache or proxy between verifier and TIR can return the response to another request. A verifier that does not compare it trusts any issuer.',
      sends:
        'Credentials of issuers for whose accreditation, or that of the TAO or root above, the TIR returns another DID or hash, an unknown role, an unreadable body, or 404.',
      fix: 'Compare did and attribute.hash in each response of the TIR with what you requested. Require a known issuerType and a JWT in attribute.body. Otherwise reject the presentation.',
      presentations: ({ trust: { world } }) => [
        ...atEach(['issuer'], world, wrongAnswers),
        ...atEach(['TAO', 'root'], world, wrongAnswers.slice(0, 3)),
      ],
    },
    'V101-chain-without-end': {
      title: 'A credential under a chain that does not lead to a root is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-18'],
      description:
        'Organizations that accredit each other, and very long chains, keep a verifier busy that only follows them.',
      sends:
        'Credentials of issuers below two TAOs that accredit each other, below a TAO that accredits itself, below 7 and 25 TAOs, and with a wrong attributeIdTao in the chain.',
      fix: 'Stop at a root, at an accreditation that you have visited, and after 8 links. If attributeIdTao is not a string of 64 hex digits, or if you did not reach a trusted root, reject the presentation.',
      presentations: createEndlessChains,
    },
  }),
}

/** Credentials of new issuers: in each chain one accreditation has one defect. */
function atEach(
  parties: readonly AccreditedParty[],
  world: TrustWorld,
  defects: readonly AccreditationDefect[],
): PresentationCase[] {
  return parties.flatMap((party) =>
    defects.map((defect) => {
      let issuer: Party | undefined
      return {
        what: `The accreditation of the ${party} ${defect.what}.`,
        // Only a few of them are presented in a repetition.
        get issuer() {
          issuer ??= registerChain(world, party, defect)
          return issuer
        },
      }
    }),
  )
}

/** Their own roots, with DIDs that a comparison by prefix takes for that of the trusted root. */
function similarRoots(world: TrustWorld): PresentationCase[] {
  return similarDids.map(({ what, change }) => {
    const root = registerSimilar(world, world.root, change)
    const { attribute } = world.publish(root, root, 'RTAO')
    attribute.rootTao = root.did
    const parent = registerIssuer(world, { parent: root, issuerType: 'TAO' })
    return {
      what: `The root has a DID that ${what}, compared with the trusted one.`,
      issuer: registerIssuer(world, { parent }),
    }
  })
}

const belowRootAsTao = (world: TrustWorld, defect: AccreditationDefect): PresentationCase => ({
  what: `The root has a second accreditation as a TAO; its accreditation as the root ${defect.what}.`,
  issuer: registerBelowRootAsTao(world, defect),
})

function createEndlessChains({ trust: { world } }: VerifierContext): PresentationCase[] {
  const createTao = () => world.createParty(`tao ${randomUUID()}`)
  const [one, another, itself] = [createTao(), createTao(), createTao()]
  world.publish(one, another, 'TAO')
  world.publish(another, one, 'TAO')
  world.publish(itself, itself, 'TAO')
  return [
    ...Object.entries({
      'Two TAOs accredit each other.': one,
      'A TAO accredits itself.': itself,
    }).map(([what, parent]) => ({ what, issuer: registerIssuer(world, { parent }) })),
    ...[25, 7].map((taos) => ({
      what: `There are ${taos} TAOs between the issuer and the root.`,
      issuer: registerBelow(world, taos),
    })),
    ...atEach(['issuer', 'TAO'], world, wrongParents),
  ]
}
