import {
  askForDeferred,
  callWalletEndpoint,
  deferCredential,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'deferred/unknown-token',
  title: 'A token that nobody was given brings nothing',
  category: 'Deferred issuance',
  algorithms: ['EdDSA'],
  description: `
An acceptance token is all that it takes to fetch a credential, so it cannot be **guessed**: made-up
ones, almost right ones, ones of another shape, and the access token itself are each a 400 with a code
and a sentence, and what is no request at all is a 4xx. The right one still brings the credential.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 12' },
    { document: 'Assumptions', section: 'A-25, A-36' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step('A wallet waits for its credential', () =>
      deferCredential(context, wallet, { deferredSeconds: 0 }),
    )
    const { accessToken } = redeemed.token
    const wrong = [
      'made-up',
      `${acceptanceToken}x`,
      acceptanceToken.slice(0, -1),
      acceptanceToken.toUpperCase(),
      accessToken,
      '',
      7,
      null,
      [acceptanceToken],
      { token: acceptanceToken },
    ]
    await step('It polls with tokens that nobody was given: 400', async () => {
      for (const token of wrong) {
        const body = expectJson(await askForDeferred(context, token), 400)
        expectEqual('the error', body.error, 'invalid_request')
        expectMatch('what a wallet can show', body.error_description, /\w/)
        expectEqual('the credential', body.credential, undefined)
      }
    })
    await step('It polls with what is no request: a 4xx', async () => {
      for (const [contentType, body] of [
        ['application/json', '{}'],
        ['application/json', '[]'],
        ['application/json', 'null'],
        ['application/json', '{"acceptance_token":'],
        ['application/x-www-form-urlencoded', `acceptance_token=${acceptanceToken}`],
        ['text/plain', acceptanceToken],
      ] as const) {
        const request = { body, headers: { 'content-type': contentType } }
        const { status, text } = await callWalletEndpoint(context, 'deferred_credential', request)
        expectTrue('it is a 4xx', status >= 400 && status < 500, `${status} ${text}`)
      }
    })
    await step('The right one brings the credential', async () => {
      expectJson(await askForDeferred(context, acceptanceToken), 200)
    })
  },
})
