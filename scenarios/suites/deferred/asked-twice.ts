import {
  askForCredential,
  askForDeferred,
  createRequestBody,
  deferCredential,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/asked-twice',
  title: 'While a credential is prepared the credential endpoint hands out no other',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
An impatient wallet goes back to the **credential endpoint** with its access token and a fresh proof,
rather than polling. That gives neither a second acceptance token nor a shortcut past the waiting: one
access token, one credential. Polling goes on as if nothing had been.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 11, 12' },
    { document: 'Document 1', section: 'Proof of possession JWT, row 2' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step('A wallet waits for its credential', () =>
      deferCredential(context, wallet, { deferredSeconds: 3600 }),
    )
    const { accessToken } = redeemed.token
    const ask = async (nonce?: string) => {
      const body = createRequestBody(wallet, redeemed, nonce)
      return expectJson(await askForCredential(context, accessToken, body), 400)
    }
    await step('It asks the credential endpoint again: its nonce is used', async () => {
      const { error, c_nonce } = await ask()
      expectEqual('the error', error, 'invalid_nonce')
      const again = await ask(expectMatch('a fresh c_nonce', c_nonce, /\S/))
      expectEqual('the error with a fresh one', again.error, 'credential_request_denied')
      expectEqual('the credential', again.credential, undefined)
      expectEqual('a further acceptance token', again.acceptance_token, undefined)
    })
    await step('It polls on: 202, with its token', async () => {
      const { acceptance_token } = expectJson(await askForDeferred(context, acceptanceToken), 202)
      expectEqual('the token', acceptance_token, acceptanceToken)
    })
  },
})
