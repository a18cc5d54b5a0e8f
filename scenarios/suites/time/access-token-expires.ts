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
  expectPresent,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'time/access-token-expires',
  title: "A wallet's access token and its nonce work for as long as they say, and no longer",
  category: 'Time',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
Two wallets redeem an offer each. The token answer says for how long its access token and its
\`c_nonce\` are good: the sample value of the document is a day.

A minute before the end the first wallet asks for its credential and gets it. A minute after it the
second one is told 401 \`invalid_token\`, however good its proof is.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet' },
    { document: 'Document 1', section: 'Limits, row 3' },
    { document: 'RFC 6750', section: '3.1' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const inTime = context.createWallet()
    const tooLate = context.createWallet()
    const [first, second] = await step('Two wallets redeem an offer each', async () => [
      await redeemOffer(inTime, (await control.createOffer()).offerUri),
      await redeemOffer(tooLate, (await control.createOffer()).offerUri),
    ])
    const lifetime = expectPresent('expires_in', first?.token.expiresIn)
    const nonceLifetime = expectPresent('c_nonce_expires_in', first?.token.cNonceExpiresIn)
    expectEqual('both lifetimes', [lifetime, nonceLifetime], [86_400, 86_400])
    try {
      await step('A minute before the end the first one gets its credential', async () => {
        await control.advanceClock(lifetime - 60)
        const redeemed = expectPresent('its token', first)
        const body = createRequestBody(inTime, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectMatch('the credential', expectJson(answer, 200).credential, /^ey/)
      })
      await step('A minute after it the second one does not', async () => {
        await control.advanceClock(120)
        const redeemed = expectPresent('its token', second)
        const body = createRequestBody(tooLate, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectEqual('the error', expectJson(answer, 401).error, 'invalid_token')
        expectMatch(
          'WWW-Authenticate',
          answer.headers.get('www-authenticate'),
          /^Bearer\b.*invalid_token/,
        )
      })
    } finally {
      await control.resetClock()
    }
  },
})
