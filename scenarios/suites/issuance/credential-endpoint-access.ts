import {
  askForCredential,
  callWalletEndpoint,
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
  id: 'issuance/credential-endpoint-access',
  title: 'Access token and c_nonce open one issuance: their own',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
Two wallets hold an access token each. A request without a token, with a made-up one, or with the
token **in the address** (where it ends up in logs) is a 401 that says which scheme is wanted. With the
first wallet's token and the second one's nonce the proof is refused: a nonce belongs to the token that
it came with. None of that spoils either issuance.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 7' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 7, 8' },
    { document: 'Document 1', section: 'Proof of possession JWT, row 2' },
    { document: 'RFC 6750', section: '2.1, 3' },
  ],

  async run(context) {
    const { step, control, environment, httpAs } = context
    const [one, other] = [context.createWallet(), context.createWallet()]
    const [first, second] = await step('Two wallets redeem an offer each', async () => {
      const redeem = async (wallet: typeof one) => {
        const { offerUri } = await control.createOffer()
        return redeemOffer(wallet, offerUri)
      }
      return [await redeem(one), await redeem(other)] as const
    })
    const body = createRequestBody(one, first)

    await step('Without its token, or with none that there is: 401', async () => {
      const { accessToken } = first.token
      for (const token of [undefined, 'made-up', `${accessToken}x`, accessToken.slice(1)]) {
        const answer = await askForCredential(context, token, body)
        expectEqual('the credential', expectJson(answer, 401).credential, undefined)
        expectMatch('www-authenticate', answer.headers.get('www-authenticate'), /^Bearer\b/)
      }
    })
    await step('With another scheme, or with the token in the address: 401', async () => {
      const authorization = `Basic ${Buffer.from(`:${first.token.accessToken}`).toString('base64')}`
      const request = { json: body, headers: { authorization } }
      expectJson(await callWalletEndpoint(context, 'credential', request), 401)
      const query = new URLSearchParams({ access_token: first.token.accessToken })
      const address = `${environment.credentialIssuerUrl}/credential?${query}`
      expectJson(await httpAs('wallet').request(address, { json: body }), 401)
    })
    await step("With the other one's nonce the proof is refused", async () => {
      const mixed = createRequestBody(one, first, second.token.cNonce)
      const answer = await askForCredential(context, first.token.accessToken, mixed)
      const refusal = expectJson(answer, 400)
      expectEqual('the error', refusal.error, 'invalid_nonce')
      expectMatch('a fresh c_nonce', refusal.c_nonce, /^\S{22,}$/)
    })
    await step('The other one gets its credential all the same', async () => {
      const own = createRequestBody(other, second)
      const answer = await askForCredential(context, second.token.accessToken, own)
      const { format, credential } = expectJson(answer, 200)
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
      expectEqual('the format', format, 'jwt_vc_json')
      expectPresent('the credential', credential)
    })
  },
})
