import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  awaitRecord,
  listRecords,
  receiveOfferMail,
  requestEmployeeOffer,
} from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

const count = 4

export const scenario = defineScenario({
  id: 'employee/several-employees',
  title: 'Everybody gets their own mail, and their own credential',
  category: 'Employees',
  algorithms: ['EdDSA'],
  description: `
On a Monday the portal asks for the credentials of ${count} new employees **at the same time**. Each gets
one mail with a code of their own; nobody's mail has another's. They collect in their own time, and each
credential is about the one whose mail it came by.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 5, 7' },
    { document: 'Assumptions', section: 'A-39, A-41' },
  ],

  async run(context) {
    const { step, uniqueName, mailbox } = context
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    const addresses = Array.from(
      { length: count },
      (_, index) => `no${index}.${uniqueName}@a.example`,
    )

    await step(`The portal asks for ${count} credentials at once`, () =>
      Promise.all(
        addresses.map((email) => requestEmployeeOffer(context, bearerToken, { email, power })),
      ),
    )
    const links = await step('Everybody has one mail', async () => {
      const found: string[] = []
      for (const email of addresses) {
        const { link } = await receiveOfferMail(context, email)
        expectEqual(`mails to ${email}`, (await mailbox.list(email)).length, 1)
        found.push(link)
      }
      expectEqual('different links', new Set(found).size, count)
      return found
    })
    const ids = await step('Everybody collects their own credential', async () => {
      const collected: string[] = []
      for (const [index, link] of links.entries()) {
        const { vc, credentialId } = await fetchCredential(context, context.createWallet(), link)
        const { mandatee } = vc.credentialSubject.mandate
        expectEqual('whose it is', mandatee.email, addresses[index])
        collected.push(credentialId)
      }
      return collected
    })
    await step('The organization has that many issued records', async () => {
      for (const credentialId of ids) {
        await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      }
      const records = await listRecords(context, organization)
      const found = records.map(({ credential_id: id }) => String(id))
      expectEqual('the credentials', found.toSorted(), ids.toSorted())
    })
  },
})
