import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/nonce-renewed',
  title: 'Each c_nonce works once; a refusal brings a fresh one',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The wallet's first proof carries a nonce that is not the issuer's. The refusal says so and brings a
**fresh c_nonce**; the one from the token response is gone with it. With the fresh one the wallet gets
its credential, and a proof with the same nonce once more is refused: whoever recorded the request can
not repeat it.`,
  references: [
    { document: 'Document 1', section: 'Proof of possession JWT, row 2' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 6' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const redeemed = await step('A wallet redeems an offer', async () => {
      const { offerUri } = await control.createOffer()
      return redeemOffer(wallet, offerUri)
    })
    const { accessToken, cNonce } = redeemed.token
    const ask = (nonce: string | undefined) =>
      askForCredential(context, accessToken, createRequestBody(wallet, redeemed, nonce))
    const refuse = async (nonce: string | undefined) => {
      const { error, c_nonce, c_nonce_expires_in, credential } = expectJson(await ask(nonce), 400)
      expectEqual('the error', error, 'invalid_nonce')
      expectEqual('the credential', credential, undefined)
      expectTrue('c_nonce_expires_in is in seconds', Number.isInteger(c_nonce_expires_in))
      return expectMatch('a fresh c_nonce', c_nonce, /^\S{22,}$/)
    }

    const second = await step('It asks with a nonce of its own making', () =>
      refuse('my-own-nonce'),
    )
    const third = await step('The first c_nonce does not work any more', () => refuse(cNonce))
    await step('They are all different', () => {
      expectEqual('different nonces', new Set([cNonce, second, third]).size, 3)
    })
    await step('With the fresh one it gets its credential', async () => {
      expectMatch('the credential', expectJson(await ask(third), 200).credential, /^[\w-]+\./)
    })
    await step('The same request once more is refused', () => refuse(third))
  },
})
