import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused } from '#scenarios/fixtures/log-in.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/issuer-not-accredited',
  title: 'An issuer that nobody accredited logs nobody in',
  category: 'Trust chain',
  algorithms: ['EdDSA'],
  description: `
An organization registers a DID with a key for assertions, and signs a credential that is correct in
every way. No TAO has accredited it, so that the TIR answers 404 where \`termsOfUse.id\` points to.

Being able to sign is not being trusted: the verifier reports the missing accreditation.`,
  references: [
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 8' },
    { document: 'Document 1', section: 'Errors, rows 10, 13' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const issuer = await step('An organization registers a DID, and no more', async () => {
      const identity = await registerDid(context)
      return { ...identity, attributeId: attributeIdOf(identity) }
    })
    await step('The TIR has no accreditation of it', async () => {
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      expectEqual('the accreditation', read, undefined)
    })
    await step('It signs a credential for a wallet', () =>
      giveOwnCredential(context, issuer, wallet),
    )
    await step('A login with it fails for want of the accreditation', () =>
      expectLoginRefused(context, wallet, 'trust.attribute'),
    )
  },
})
