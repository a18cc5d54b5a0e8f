import {
  type AccreditOptions,
  createOwnIssuer,
  createOwnTao,
} from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused } from '#scenarios/fixtures/log-in.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'

interface WrongAccreditation {
  readonly name: string
  /** The end of "An accreditation …". */
  readonly what: string
  /** Whose accreditation it is: the issuer's own, or that of its TAO. */
  readonly of: 'issuer' | 'tao'
  readonly options: (context: ScenarioContext) => Partial<AccreditOptions>
  readonly rule: string
  readonly section: string
}

const cases: readonly WrongAccreditation[] = [
  {
    name: 'another-type',
    what: 'for another credential type',
    of: 'issuer',
    options: () => ({ types: ['OtherCredential'] }),
    rule: 'trust.accredited-for',
    section: 'A-17, A-18',
  },
  {
    name: 'beyond-its-powers',
    what: "for a type that the TAO's own accreditation does not cover",
    of: 'tao',
    options: () => ({ types: ['OtherCredential'] }),
    rule: 'trust.accredited-for',
    section: 'A-17, A-18',
  },
  {
    name: 'expired',
    what: 'by a TAO whose own accreditation has expired',
    of: 'tao',
    options: ({ now }) => ({ validFrom: now() - 7200, validUntil: now() - 3600 }),
    rule: 'trust.period',
    section: 'A-18',
  },
  {
    name: 'not-yet-valid',
    what: 'that begins in an hour',
    of: 'issuer',
    options: ({ now }) => ({ validFrom: now() + 3600 }),
    rule: 'trust.period',
    section: 'A-18',
  },
  {
    name: 'about-another',
    what: 'about a different DID from the one in the TIR entry',
    of: 'issuer',
    options: (context) => ({ about: createOwnIdentity(context, 'another').did }),
    rule: 'trust.subject',
    section: 'A-17, A-18',
  },
  {
    name: 'for-another-attribute',
    what: 'whose `reservedAttributeId` is a different attribute',
    of: 'issuer',
    options: () => ({ reservedAttributeId: 'ab'.repeat(32) }),
    rule: 'trust.attribute-id',
    section: 'A-17, A-18',
  },
  {
    name: 'self-signed',
    what: 'that its subject signed',
    of: 'issuer',
    options: (context) => {
      const own = createOwnIdentity(context, 'issuer')
      return { signedBy: { ...own, attributeId: '' } }
    },
    rule: 'trust.signature',
    section: 'A-18',
  },
]

function scenarioFor(wrong: WrongAccreditation, index: number): Scenario {
  const { name, what, of, options, rule, section } = wrong
  return defineScenario({
    id: `trust-chain/wrong-accreditation-${name}`,
    title: `An accreditation ${what.replaceAll('`', '')} is not accepted`,
    algorithms: oneAlgorithm(index),
    description: `
The contract of the TIR checks the sender, not the content of the accreditation, so an accreditation
${what} can be published. Verifiers must check its content.

The issuer signs a credential that is valid in itself, and the login with it fails only because of
\`${rule}\`: every accreditation up to the root must be valid.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
      `Assumptions: ${section}`,
    ),

    async run(context) {
      const { step, environment } = context
      const wallet = context.createWallet()
      const tao =
        of === 'issuer'
          ? environment.trustChain.tao
          : await step(`The root publishes a TAO's accreditation ${what}`, () =>
              createOwnTao(context, options(context)),
            )
      const title =
        of === 'issuer' ? `The TAO publishes one ${what}` : 'The TAO accredits an issuer'
      const issuer = await step(title, () =>
        createOwnIssuer(context, { by: tao, ...(of === 'issuer' ? options(context) : {}) }),
      )
      await step('The issuer signs a credential for a wallet', () =>
        giveOwnCredential(context, issuer, wallet),
      )
      await step(`A login with it fails because of ${rule}`, () =>
        expectLoginRefused(context, wallet, rule),
      )
    },
  })
}

export const scenarios = cases.map(scenarioFor)
