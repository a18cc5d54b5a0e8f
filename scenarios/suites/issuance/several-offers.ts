import type { HeldCredential } from '#scenarios/fixtures/held-credentials.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus, expectTrue } from '#scenarios/harness/expectations.ts'

const count = 3

export const scenario = defineScenario({
  id: 'issuance/several-offers',
  title: 'One person gets several credentials, which share nothing',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
A representative asks for a credential, and for another one before collecting the first: for a second
phone, or because the window was closed. **Every offer stands for itself**: all can be collected, in
any order, each has a record, an identifier and a place in the status list of its own, and revoking
one leaves the others as they are.`,
  references: [
    { document: 'Document 1', section: 'IssuedCredential, rows 1, 3, 6' },
    { document: 'Assumptions', section: 'A-19, A-22, A-39' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )

    const links = await step(`The portal shows ${count} QRs, one after the other`, async () => {
      const found: string[] = []
      for (let number = 1; number <= count; number++) {
        found.push(await ownOfferLink(context, organization, `QR ${number}`))
      }
      return found
    })
    const collected = await step('The wallet collects the last one first', async () => {
      const found: HeldCredential[] = []
      for (const link of links.toReversed()) {
        found.push(await fetchCredential(context, wallet, link))
      }
      return found
    })
    await step('They share no identifier', () => {
      const different = (what: string, values: readonly unknown[]) =>
        expectEqual(`${what}, how many there are`, new Set(values).size, count)
      different('links', links)
      different(
        'credential_id',
        collected.map(({ credentialId }) => credentialId),
      )
      different(
        'jti',
        collected.map(({ payload }) => payload.jti),
      )
      different(
        'places in the status list',
        collected.map(({ vc }) => (vc.credentialStatus as { id: unknown }).id),
      )
      for (const { credentialId, payload } of collected) {
        expectTrue('jti is the credential_id', payload.jti === credentialId, payload.jti)
      }
    })
    await step('The issuer has a record of each', async () => {
      for (const { credentialId } of collected) {
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      }
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, count)
      for (const member of ['id', 'subject_id', 'credential_id']) {
        const values = new Set(records.map((record) => record[member]))
        expectEqual(`different values of ${member}`, values.size, count)
      }
    })
    await step('Revoking one leaves the others', async () => {
      const [first] = collected
      const json = { credential_id: first?.credentialId }
      const { bearerToken } = organization
      expectStatus(await askIssuer(context, 'credential/revoke', bearerToken, json), 200)
      const records = await listRecords(context, organization)
      for (const { credential_id: id, status } of records) {
        const expected = id === first?.credentialId ? 'revoked' : 'issued'
        expectEqual(`the status of ${id}`, status, expected)
      }
    })
  },
})
