import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/other-access-token',
  title: "A poll with somebody else's access token is refused",
  category: 'Deferred issuance',
  algorithms: ['EdDSA'],
  description: `
The document's poll has only the acceptance token in its body, so that a Bearer is **optional**. One
that is sent has to be the one of this issuance: another wallet's, or something made up, is a 401. The
credential is the first wallet's in any case: it is about the DID of the proof, whoever polls.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 12' },
    { document: 'Assumptions', section: 'A-44' },
  ],

  async run(context) {
    const { step } = context
    const [one, other] = [context.createWallet(), context.createWallet()]
    const [first, second] = await step('Two wallets wait for a credential each', async () => [
      await deferCredential(context, one, { deferredSeconds: 0 }),
      await deferCredential(context, other, { deferredSeconds: 0 }),
    ])
    if (first === undefined || second === undefined) throw new TypeError('unreachable')
    const ownToken = first.redeemed.token.accessToken

    await step('The second one polls for the first, with its own access token: 401', async () => {
      for (const token of [second.redeemed.token.accessToken, 'made-up', `${ownToken}x`]) {
        const body = expectJson(await askForDeferred(context, first.acceptanceToken, token), 401)
        expectEqual('the credential', body.credential, undefined)
      }
    })
    await step('The first one polls with its own: 200', async () => {
      const answer = await askForDeferred(context, first.acceptanceToken, ownToken)
      const { payload } = readCredential(String(expectJson(answer, 200).credential))
      expectEqual('whose it is', payload.sub, one.account.did)
    })
    await step('The second one polls without any: 200', async () => {
      const answer = await askForDeferred(context, second.acceptanceToken)
      const { payload } = readCredential(String(expectJson(answer, 200).credential))
      expectEqual('whose it is', payload.sub, other.account.did)
    })
  },
})
