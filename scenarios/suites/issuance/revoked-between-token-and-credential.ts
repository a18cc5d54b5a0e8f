import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
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
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/revoked-between-token-and-credential',
  title: 'A revocation reaches a wallet that already has its access token',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The wallet has redeemed the code; its holder still looks at the consent screen. **Now** the record is
revoked. The access token lives on for a day, but no credential is signed under it: not now, and not
with another proof.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, row 3' },
    { document: 'Document 1', section: 'Limits, row 3' },
    { document: 'Assumptions', section: 'A-22' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const redeemed = await step('The wallet scans the QR and gets its access token', async () =>
      redeemOffer(wallet, await ownOfferLink(context, organization)),
    )
    await step('The record is revoked', async () => {
      const [record] = await listRecords(context, organization)
      const { bearerToken } = organization
      const json = { credential_id: expectPresent('the record', record).credential_id }
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
    })
    await step('The wallet asks for the credential, twice: refused', async () => {
      const { accessToken } = redeemed.token
      for (let attempt = 1; attempt <= 2; attempt++) {
        const body = createRequestBody(wallet, redeemed)
        const answer = await askForCredential(context, accessToken, body)
        const { error, error_description: description, credential } = expectJson(answer, 400)
        expectEqual('the error', error, 'credential_request_denied')
        expectMatch('what the wallet can show', description, /\w/)
        expectEqual('the credential', credential, undefined)
      }
    })
    await step('The record stays revoked', async () => {
      const [record] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'revoked')
    })
  },
})
