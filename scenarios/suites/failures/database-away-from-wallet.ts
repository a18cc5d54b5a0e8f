import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
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
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

export const scenario = defineScenario({
  id: 'failures/database-away-from-wallet',
  title: 'A wallet that meets a database outage loses neither its code nor its token',
  category: 'Failures',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The database is away twice while a wallet collects a credential: when it redeems the code, and when it
asks for the credential. Both times the answer is a fault of the server's own in the shape of
OpenID4VCI, and nothing is used up by it.

Sent again afterwards, the same code gives a token, and the same token and proof the credential: a
single use that was never answered is none.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet' },
    { document: 'Assumptions', section: 'A-25, A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { offerUri, preAuthorizedCode } = await step('A wallet reads an offer', async () => {
      const offer = await control.createOffer()
      return { ...offer, ...(await resolveCredentialOffer(wallet, offer.offerUri)) }
    })
    const expectFault = (answer: Awaited<ReturnType<typeof askForCredential>>) => {
      expectTrue("it is the server's fault", answer.status >= 500, answer.status)
      const { error, error_description } = answer.json as Record<string, unknown>
      expectMatch('error', error, /^[a-z_]+$/)
      expectMatch('error_description', error_description, /\w/)
      expectTrue('nothing of the inside is told', !/sqlite|select /i.test(answer.text), answer.text)
    }

    await step('The wallet redeems its code while the database is away', () =>
      whileBroken(context, 'database-down', async () => {
        const form = {
          grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
          'pre-authorized_code': preAuthorizedCode,
        }
        expectFault(await callWalletEndpoint(context, 'token', { form }))
      }),
    )
    const redeemed = await step('Afterwards the same code gives a token', () =>
      redeemOffer(wallet, offerUri),
    )
    const { accessToken } = redeemed.token
    const body = createRequestBody(wallet, redeemed)
    await step('It asks for the credential while the database is away', () =>
      whileBroken(context, 'database-down', async () => {
        expectFault(await askForCredential(context, accessToken, body))
      }),
    )
    await step('Afterwards the same request gives the credential', async () => {
      const { credential } = expectJson(await askForCredential(context, accessToken, body), 200)
      const { vc } = readCredential(String(credential))
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
    })
  },
})
