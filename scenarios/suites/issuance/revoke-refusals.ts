import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  askIssuer,
  awaitRecord,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectStatus } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/revoke-refusals',
  title: 'Only the own organization revokes, only what is there, only once',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Revocation is **permanent**, so the issuer has to be sure whom it listens to:

- an unknown \`credential_id\` is a 404, as is one that is almost right,
- a credential of another organization is a 403, and it stays as it is,
- what is no request is a 400,
- a second revocation is a 400.`,
  references: [
    { document: 'Document 1', section: 'Errors, rows 5, 6' },
    { document: 'Document 1', section: 'States and transitions, rows 3, 4' },
    { document: 'Assumptions', section: 'A-21, A-22, A-40' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const [organization, stranger] = await step('Two organizations', () =>
      Promise.all([
        foundOrganization(context, { name: 'one' }),
        foundOrganization(context, { name: 'stranger' }),
      ]),
    )
    const { credentialId } = await step('The first one has an issued credential', async () => {
      const link = await ownOfferLink(context, organization)
      const credential = await acceptOfferLink(context, wallet, link)
      const { credentialId } = credential
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      return credential
    })
    const revoke = (bearerToken: string, json: unknown) =>
      askIssuer(context, 'credential/revoke', bearerToken, json)
    const { bearerToken } = organization

    await step('An unknown credential_id is a 404', async () => {
      const [record] = await listRecords(context, organization)
      const unknown = [
        createUuidUrn(context),
        credentialId.toUpperCase(),
        credentialId.replace('urn:uuid:', ''),
        String(expectPresent('the record', record).id),
        `${credentialId}%`,
      ]
      for (const id of unknown) {
        expectIssuerRefusal(await revoke(bearerToken, { credential_id: id }), 404)
      }
    })
    await step("Another organization's representative is refused: 403", async () => {
      const json = { credential_id: credentialId }
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
    await step('What is no request is a 400', async () => {
      for (const json of [{}, { credential_id: '' }, { credential_id: [credentialId] }, []]) {
        expectIssuerRefusal(await revoke(bearerToken, json), 400)
      }
    })
    await step('The record is still issued', async () => {
      const [record, ...others] = await listRecords(context, organization)
      expectEqual('its status', record?.status, 'issued')
      expectEqual('other records', others, [])
    })
    await step('The own organization revokes it, once', async () => {
      const json = { credential_id: credentialId }
      expectStatus(await revoke(bearerToken, json), 200)
      expectIssuerRefusal(await revoke(bearerToken, json), 400)
      expectIssuerRefusal(await revoke(stranger.bearerToken, json), 403)
    })
  },
})
