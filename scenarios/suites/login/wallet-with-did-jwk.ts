import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/wallet-with-did-jwk',
  title: 'A wallet whose holder has a did:jwk logs in',
  category: 'Login',
  description: `
The holder's DID is a \`did:jwk\`, with a key on either curve. The credential is about it, the
presentation is signed by it, and the login gives the same claims as any.`,
  references: [
    { document: 'Document 1', section: 'Supported curves' },
    { document: 'Document 1', section: 'Presentation token (vp_token, a JWT)' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet({ didMethod: 'jwk' })
    const credential = await step('A wallet with a did:jwk holds a credential', async () => {
      expectMatch('the DID', wallet.account.did, /^did:jwk:/)
      return collectCredential(context, wallet)
    })
    const tokens = await step('It logs its holder in', () => logIn(context, wallet))
    await step('The id_token has the claims of the credential', () => {
      expectIncludes('the id_token', tokens.idTokenClaims, expectedClaims(credential))
    })
  },
})
