import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectMatch } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/answer-lost',
  title: 'The answer with the credential got lost in a tunnel',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
The wallet asked for its credential, and the train went into a **tunnel**: the answer never arrived.
It asks again. Its nonce is used, so that the issuer brings a fresh one, and with that hands out the
*same* credential: there is one record, and one place in the status list. Somebody who stole the access
token but has another key gets nothing.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 7' },
    { document: 'Document 1', section: 'Proof of possession JWT, row 2' },
    { document: 'Assumptions', section: 'A-36' },
  ],

  async run(context) {
    const { step } = context
    const [wallet, thief] = [context.createWallet(), context.createWallet()]
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const redeemed = await step('The wallet scans the QR and gets its access token', async () =>
      redeemOffer(wallet, await ownOfferLink(context, organization)),
    )
    const { accessToken } = redeemed.token
    const ask = (by: typeof wallet, nonce?: string) =>
      askForCredential(context, accessToken, createRequestBody(by, redeemed, nonce))
    const freshNonce = async (nonce?: string) => {
      const { error, c_nonce } = expectJson(await ask(wallet, nonce), 400)
      expectEqual('the error', error, 'invalid_nonce')
      return expectMatch('a fresh c_nonce', c_nonce, /\S/)
    }

    const lost = await step('It asks for the credential; the answer gets lost', async () =>
      String(expectJson(await ask(wallet), 200).credential),
    )
    await step('It asks again, and gets the same one', async () => {
      const again = expectJson(await ask(wallet, await freshNonce()), 200)
      expectEqual('the credential', again.credential, lost)
    })
    await step('Another key gets nothing for the same access token', async () => {
      const answer = expectJson(await ask(thief, await freshNonce('used')), 400)
      expectEqual('the error', answer.error, 'credential_request_denied')
      expectEqual('the credential', answer.credential, undefined)
    })
    await step('There is one record, and it is issued', async () => {
      const { credentialId } = readCredential(lost)
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      expectEqual('the records', (await listRecords(context, organization)).length, 1)
    })
  },
})
