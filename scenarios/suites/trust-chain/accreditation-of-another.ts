import { attributeIdOf, createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

export const scenario = defineScenario({
  id: 'trust-chain/accreditation-of-another',
  title: "Nobody issues by somebody else's accreditation",
  category: 'Trust chain',
  algorithms: ['ES256K'],
  description: `
One issuer is accredited, another one has no accreditation but a DID and a key. The second signs a
credential and puts the address of the first one's accreditation into \`termsOfUse.id\`: an address
that exists, in the TIR of the environment, with a chain that is in order.

It says nothing about who signed. The login fails, while the first issuer's own credential logs in.`,
  references: [
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 8' },
    { document: 'Assumptions', section: 'A-18, A-29' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const good = context.createWallet()
    const accredited = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
    const impostor = await step('Somebody else registers a DID', async () => {
      const identity = await registerDid(context, 'impostor')
      return { ...identity, attributeId: attributeIdOf(identity) }
    })
    await step("It signs a credential by the issuer's accreditation", () =>
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
