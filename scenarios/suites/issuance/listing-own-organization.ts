import { type FoundedOrganization, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  expectIssuerRefusal,
  listRecords,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/listing-own-organization',
  title: "An organization sees its own records, newest first, and nobody else's",
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Two organizations have credentials at the same issuer. Each one's portal lists its own; asking for the
other's, alone or beside one's own, is a **403 that tells nothing**: no record, no identifier, not even
how many there are. Asking for no organization gives an empty list.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 7' },
    { document: 'Assumptions', section: 'A-22, A-40' },
  ],

  async run(context) {
    const { step } = context
    const [one, other] = await step('Two organizations', () =>
      Promise.all([
        foundOrganization(context, { name: 'one' }),
        foundOrganization(context, { name: 'other' }),
      ]),
    )
    const idsOf = async (organization: FoundedOrganization) =>
      (await listRecords(context, organization)).map(({ id }) => id)
    const first = await step('The first asks for two credentials, the second for one', async () => {
      await requestOwnOffer(context, one.bearerToken, one.power)
      const [id] = await idsOf(one)
      for (const { bearerToken, power } of [one, other]) {
        await requestOwnOffer(context, bearerToken, power)
      }
      return expectPresent('its first record', id)
    })
    const list = (bearerToken: string, ...whose: readonly FoundedOrganization[]) =>
      askIssuer(context, 'credential', bearerToken, {
        organization_identifiers: whose.map(({ organizationIdentifier }) => organizationIdentifier),
      })

    await step('Each sees its own, newest first', async () => {
      for (const [organization, count] of [
        [one, 2],
        [other, 1],
      ] as const) {
        const records = await listRecords(context, organization)
        expectEqual('the number of records', records.length, count)
        const { organizationIdentifier } = organization
        const strangers = records.filter(
          (record) => record.organization_identifier !== organizationIdentifier,
        )
        expectEqual('records of others', strangers, [])
      }
      expectEqual('the place of the older record', (await idsOf(one)).indexOf(first), 1)
    })
    await step("Another one's is a 403 that tells nothing", async () => {
      const [record] = await listRecords(context, other)
      for (const whose of [[other], [one, other], [other, one]]) {
        const answer = await list(one.bearerToken, ...whose)
        expectIssuerRefusal(answer, 403)
        for (const secret of [record?.id, record?.credential_id, record?.subject_id]) {
          expectTrue('it names no record', !answer.text.includes(String(secret)), answer.text)
        }
      }
    })
    await step('An organization that there is not is a 403 too', async () => {
      const json = { organization_identifiers: ['VATES-NOBODY'] }
      expectIssuerRefusal(await askIssuer(context, 'credential', one.bearerToken, json), 403)
    })
    await step('No organization is an empty list; no list is a 400', async () => {
      expectEqual('the list', expectStatus(await list(one.bearerToken), 200).json, [])
      for (const json of [{}, { organization_identifiers: one.organizationIdentifier }, []]) {
        expectIssuerRefusal(await askIssuer(context, 'credential', one.bearerToken, json), 400)
      }
    })
  },
})
