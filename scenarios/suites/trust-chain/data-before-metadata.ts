import { signerOf } from '#core/ethereum/account.ts'
import { attributeIdOf, createAccreditationJwt } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

export const scenario = defineScenario({
  id: 'trust-chain/data-before-metadata',
  title: 'An accreditation is published in two steps, and counts after the second',
  category: 'Trust chain',
  algorithms: ['EdDSA'],
  description: `
\`setAttributeData\` must run after \`setAttributeMetadata\` for the same attribute: the other way
round it reverts and leaves nothing behind.

Between the two steps the TIR has a role without an accreditation. A credential that is presented
then is refused; as soon as the accreditation itself is there, the same credential logs in.`,
  references: [
    { document: 'Document 2', section: 'What the service does' },
    { document: 'Document 2', section: 'Endpoints, TIR' },
    { document: 'Assumptions', section: 'A-18' },
  ],
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
    await step('With the role alone a login fails', async () => {
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
