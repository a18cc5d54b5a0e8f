import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, listRecords } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectStatus } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const requests = 50

export const scenario = defineScenario({
  id: 'concurrency/offers-at-once',
  title: `${requests} requests at once give ${requests} different QR codes and as many records`,
  category: 'Concurrency',
  algorithms: ['ES256K'],
  description: `
${requests} people press the button of a portal in the same moment. Each gets a QR of their own: no two
images are the same, and the issuer keeps a record for each, every one \`pending\` and with an id of
its own. None gets lost, and none counts twice.`,
  references: [
    { document: 'Document 1', section: 'IssuedCredential (Issuer record)' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer' },
    { document: 'Assumptions', section: 'A-36, A-39' },
  ],

  async run(context) {
    const { step } = context
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { bearerToken, power } = organization
    const images = await step(`${requests} requests come at once`, () =>
      atOnce(requests, async () => {
        const answer = await askIssuer(context, 'representative', bearerToken, { power })
        return Buffer.from(expectStatus(answer, 200).bytes).toString('base64')
      }),
    )
    await step('No two get the same QR', () => {
      expectEqual('the number of different images', new Set(images).size, requests)
    })
    await step('There is a record for each', async () => {
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, requests)
      for (const member of ['id', 'subject_id', 'credential_id']) {
        const values = new Set(records.map((record) => record[member]))
        expectEqual(`the number of different values of ${member}`, values.size, requests)
      }
      const states = new Set(records.map(({ status }) => status))
      expectEqual('the states', [...states], ['pending'])
    })
  },
})
