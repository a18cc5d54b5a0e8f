import { signerOf } from '#core/ethereum/account.ts'
import { createAccreditationJwt, createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

export const scenario = defineScenario({
  id: 'trust-chain/accreditation-narrowed',
  title: 'The latest revision of an accreditation is the one that counts',
  category: 'Trust chain',
  algorithms: ['ES256K'],
  description: `
The TAO writes \`setAttributeData\` a second time for the same attribute: the issuer is now accredited
for another type only. Accreditations are judged as they are now, not as they were when a credential
was signed, so that yesterday's credential logs nobody in. A third revision puts it right.

A stranger can't write a revision at all.`,
  references: [
    { document: 'Document 2', section: 'Endpoints, TIR' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
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
    await step('A stranger cannot widen it', async () => {
      const stranger = await registerDid(context, 'stranger', { isForAssertions: false })
      const revised = revise(['OrgPortalLearCredential'], stranger)
      await expectRevert('a revision', revised, 'TrustedIssuersRegistryNotAuthorized')
    })
    await step('The TAO can, and the login succeeds again', async () => {
      await revise(['OtherCredential', 'OrgPortalLearCredential'])
      await logIn(context, wallet)
    })
  },
})
