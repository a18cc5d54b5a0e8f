import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import {
  askForCredential,
  askForDeferred,
  callWalletEndpoint,
  createRequestBody,
  deferCredential,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { eventually } from '#scenarios/harness/waiting.ts'

const repeatedRequest = defineScenario({
  id: 'deferred/asked-twice',
  title: 'While a credential is prepared, the credential endpoint does not issue another one',
  algorithms: ['ES256K'],
  description: `
An impatient wallet calls the **credential endpoint** again with its access token and a fresh proof
instead of polling. It receives neither a second acceptance token nor the credential itself: one access
token, one credential. Polling continues to work.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.11, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.2',
  ),

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
    await step('It calls the credential endpoint again: its nonce is used', async () => {
      const { error, c_nonce } = await ask()
      expectEqual('the error', error, 'invalid_nonce')
      const again = await ask(expectMatch('a fresh c_nonce', c_nonce, /\S/))
      expectEqual('the error with a fresh one', again.error, 'credential_request_denied')
      expectEqual('the credential', again.credential, undefined)
      expectEqual('a further acceptance token', again.acceptance_token, undefined)
    })
    await step('It continues to poll: 202, with its token', async () => {
      const { acceptance_token } = expectJson(await askForDeferred(context, acceptanceToken), 202)
      expectEqual('the token', acceptance_token, acceptanceToken)
    })
  },
})

const otherAccessToken = defineScenario({
  id: 'deferred/other-access-token',
  title: 'A poll with the access token of another wallet is rejected',
  algorithms: ['EdDSA'],
  description: `
The profile's poll has only the acceptance token in its body, so a Bearer token is **optional**. If a
wallet sends one, it must be the one of this issuance: another wallet's token or an invented one is a
401. The credential always belongs to the first wallet: it is about the DID of the proof, regardless of
the client that polls.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    'Assumptions: A-44',
  ),

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
    await step('The first one polls with its own token: 200', async () => {
      const answer = await askForDeferred(context, first.acceptanceToken, ownToken)
      const { payload } = readCredential(String(expectJson(answer, 200).credential))
      expectEqual('the holder', payload.sub, one.account.did)
    })
    await step('The second one polls without a token: 200', async () => {
      const answer = await askForDeferred(context, second.acceptanceToken)
      const { payload } = readCredential(String(expectJson(answer, 200).credential))
      expectEqual('the holder', payload.sub, other.account.did)
    })
  },
})

const tokenAfterDelivery = defineScenario({
  id: 'deferred/token-after-delivery',
  title: 'An acceptance token is invalid after the credential has been delivered',
  algorithms: ['ES256K'],
  description: `
The acceptance token was written to a log file. The wallet has its credential. A client that uses the
same token **later** gets a 400, with or without the right access token, and never a second copy.`,
  references: cite('Profile: 1.states-and-transitions.9', 'Assumptions: A-36'),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken, redeemed } = await step('A wallet asks for a credential', () =>
      deferCredential(context, wallet, { deferredSeconds: 0 }),
    )
    await step('It polls and receives the credential', async () => {
      expectJson(await askForDeferred(context, acceptanceToken), 200)
    })
    await step('The token is used: 400', async () => {
      // The token is marked as used when the response has been sent.
      const refusal = await eventually(
        'the token is used',
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

const unknownToken = defineScenario({
  id: 'deferred/unknown-token',
  title: 'An invented acceptance token does not yield a credential',
  algorithms: ['EdDSA'],
  description: `
An acceptance token is sufficient to fetch a credential, so it must not be possible to **guess** it.
Invented tokens, almost correct ones, ones of a different form, and the access token itself each result
in a 400 with a code and a description. A malformed request results in a 4xx. The correct token still
yields the credential.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12',
    'Assumptions: A-25, A-36',
  ),

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
    await step('It polls with invented tokens: 400', async () => {
      for (const token of wrong) {
        const body = expectJson(await askForDeferred(context, token), 400)
        expectEqual('the error', body.error, 'invalid_request')
        expectMatch('a description for the holder', body.error_description, /\w/)
        expectEqual('the credential', body.credential, undefined)
      }
    })
    await step('It polls with malformed requests: 4xx', async () => {
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
    await step('The correct token yields the credential', async () => {
      expectJson(await askForDeferred(context, acceptanceToken), 200)
    })
  },
})

export const scenarios = [repeatedRequest, otherAccessToken, tokenAfterDelivery, unknownToken]
