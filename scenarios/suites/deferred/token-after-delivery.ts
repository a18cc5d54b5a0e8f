import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson } from '#scenarios/harness/expectations.ts'
import { eventually } from '#scenarios/harness/waiting.ts'

export const scenario = defineScenario({
  id: 'deferred/token-after-delivery',
  title: 'Once the credential was handed over its acceptance token is worth nothing',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
The acceptance token lies in a log file somewhere. The wallet has its credential; whoever comes **later**
with the same token gets a 400, with or without the right access token, and never a second copy.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 9' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step('A wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds: 0 }),
    )
    await step('It polls, and has it', async () => {
      expectJson(await askForDeferred(context, acceptanceToken), 200)
    })
    await step('The token is used: 400', async () => {
      // Handed over is what has gone out: that is noted when the answer is sent.
      const refusal = await eventually(
        'the end of the token',
        async () => {
          const answer = await askForDeferred(context, acceptanceToken)
          return answer.status === 200 ? undefined : answer
        },
        context,
      )
      const body = expectJson(refusal, 400)
      expectEqual('the error', body.error, 'invalid_request')
      expectEqual('the credential', body.credential, undefined)
    })
    await step('The right access token does not help', async () => {
      const { accessToken } = redeemed.token
      expectJson(await askForDeferred(context, acceptanceToken, accessToken), 400)
    })
  },
})
