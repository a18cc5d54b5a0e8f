import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import {
  askForCredential,
  askForDeferred,
  createRequestBody,
  deferCredential,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** As long as the access token lives. */
const deferredSeconds = 86_400

export const scenario = defineScenario({
  id: 'time/deferred-over-a-day',
  title: 'A credential that takes a day is there in the end',
  category: 'Time',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The issuer needs a day for a credential, as long as the wallet's access token lives. The wallet is
given an \`acceptance_token\` and polls: 202 at once, 202 shortly before, 200 with the credential when
it is ready. The access token has **expired** by then and opens the credential endpoint no more; here
that does not matter, as a Bearer is optional.

The credential is as young as it can be: it was signed when it was ready.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 8, 9' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet' },
    { document: 'Assumptions', section: 'A-44' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step('A wallet is told to come back', () =>
      deferCredential(context, wallet, { deferredSeconds }),
    )
    try {
      await step('It comes back at once, and shortly before the time: 202', async () => {
        expectStatus(await askForDeferred(context, acceptanceToken), 202)
        await control.advanceClock(deferredSeconds - 60)
        expectStatus(await askForDeferred(context, acceptanceToken), 202)
      })
      await step('When it is ready the access token has expired', async () => {
        await control.advanceClock(61)
        const body = createRequestBody(wallet, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectEqual('the error', expectJson(answer, 401).error, 'invalid_token')
      })
      await step('Without it the wallet gets the credential', async () => {
        const now = context.now()
        const { format, credential } = expectJson(
          await askForDeferred(context, acceptanceToken),
          200,
        )
        expectEqual('the format', format, 'jwt_vc_json')
        const { payload, vc } = readCredential(String(credential))
        expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
        const age = now - Number(payload.iat)
        expectTrue('it was signed just now', Math.abs(age) <= 5, age)
      })
    } finally {
      await control.resetClock()
    }
  },
})
