import { signerOf } from '#core/ethereum/account.ts'
import {
  type AccreditOptions,
  attributeIdOf,
  createAccreditationJwt,
  createOwnIssuer,
  createOwnTao,
} from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { credentialTypeOf } from '#scenarios/fixtures/organizations.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'

const accreditationNarrowed = defineScenario({
  id: 'trust-chain/accreditation-narrowed',
  title: 'The latest revision of an accreditation counts',
  algorithms: ['ES256K'],
  description: `
The TAO writes \`setAttributeData\` a second time for the same attribute: the issuer is now accredited
only for another type. A verifier evaluates accreditations at the time of the login, not at the time of
the credential's signature, so yesterday's credential can no longer be used. A third revision restores the
accreditation.

An unauthorized account cannot write a revision.`,
  references: cite('Profile: 2.endpoints/tir', 'Assumptions: A-16, A-18'),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const { vcType } = credentialTypeOf(environment)
    const registries = openRegistries(context, 'tao')
    const wallet = context.createWallet()
    const issuer = await step('The TAO accredits an issuer, whose credential logs in', async () => {
      const accredited = await createOwnIssuer(context)
      await giveOwnCredential(context, accredited, wallet)
      await logIn(context, wallet)
      return accredited
    })
    const { did, attributeId } = issuer
    const revise = (types: readonly string[], signer = signerOf(tao.privateKey)) => {
      const jwt = createAccreditationJwt(context, issuer, tao, { types })
      return registries.writeData({ did, attributeId, jwt }, signer)
    }
    await step('The TAO narrows the accreditation, and the login fails', async () => {
      await revise(['OtherCredential'])
      await expectLoginRefused(context, wallet, 'trust.accredited-for')
    })
    await step('An unauthorized account cannot widen it', async () => {
      const stranger = await registerDid(context, 'stranger', { isForAssertions: false })
      const revised = revise([vcType], stranger)
      await expectRevert('a revision', revised, 'TrustedIssuersRegistryNotAuthorized')
    })
    await step('The TAO can, and the login succeeds again', async () => {
      await revise(['OtherCredential', vcType])
      await logIn(context, wallet)
    })
  },
})

const accreditationOfAnother = defineScenario({
  id: 'trust-chain/accreditation-of-another',
  title: 'An issuer cannot use the accreditation of another issuer',
  algorithms: ['ES256K'],
  description: `
One issuer is accredited, another one has a DID and a key but no accreditation. The second signs a
credential and puts the address of the first one's accreditation into \`termsOfUse.id\`. The address
exists in the TIR of the environment and has a valid chain.

But it is not the signer's accreditation. The login fails, while the first issuer's own credential
logs in.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8',
    'Assumptions: A-18, A-29',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const good = context.createWallet()
    const accredited = await step('The TAO accredits an issuer', createOwnIssuer)
    const impostor = await step('Another organization registers a DID', async () => {
      const identity = await registerDid(context, 'impostor')
      return { ...identity, attributeId: attributeIdOf(identity) }
    })
    await step("It signs a credential with the issuer's accreditation", () =>
      giveOwnCredential(context, impostor, wallet, { accreditation: accredited }),
    )
    await step('A login with it fails', () =>
      expectLoginRefused(context, wallet, 'credential.terms-of-use'),
    )
    await step("The issuer's own credential logs in", async () => {
      await giveOwnCredential(context, accredited, good)
      await logIn(context, good)
    })
  },
})

const dataBeforeMetadata = defineScenario({
  id: 'trust-chain/data-before-metadata',
  title: 'An accreditation is published in two steps and counts after the second',
  algorithms: ['EdDSA'],
  description: `
\`setAttributeData\` must run after \`setAttributeMetadata\` for the same attribute. In the opposite order it
reverts and has no effect.

Between the two steps the TIR has a role without an accreditation. A credential that is presented then is
rejected. When the accreditation itself is published, the same credential logs in.`,
  references: cite(
    'Profile: 2.what-the-service-does',
    'Profile: 2.endpoints/tir',
    'Assumptions: A-18',
  ),
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const signer = signerOf(tao.privateKey)
    const registries = openRegistries(context, 'tao')
    const wallet = context.createWallet()
    const issuer = await step('An issuer registers a DID and signs a credential', async () => {
      const identity = await registerDid(context, 'issuer')
      const own = { ...identity, attributeId: attributeIdOf(identity) }
      await giveOwnCredential(context, own, wallet)
      return own
    })
    const { did, attributeId } = issuer
    const jwt = createAccreditationJwt(context, issuer, tao)
    await step('The accreditation comes first, and reverts', () =>
      expectRevert(
        'data before metadata',
        registries.writeData({ did, attributeId, jwt }, signer),
        'TrustedIssuersRegistryAttributeNotPublished',
      ),
    )
    await step('With only the role a login fails', async () => {
      const above = { taoDid: tao.did, attributeIdTao: tao.attributeId }
      const metadata = { did, attributeId, issuerType: 'TI', ...above } as const
      await registries.writeMetadata(metadata, signer)
      await expectLoginRefused(
        context,
        wallet,
        ...['accredited-for', 'attribute-id', 'period', 'signature', 'subject'].map(
          (rule) => `trust.${rule}`,
        ),
      )
    })
    await step('With the accreditation it succeeds', async () => {
      await registries.writeData({ did, attributeId, jwt }, signer)
      await logIn(context, wallet)
    })
  },
})

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

export const scenarios = [
  accreditationNarrowed,
  accreditationOfAnother,
  dataBeforeMetadata,
  ...cases.map(scenarioFor),
]
