import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import {
  askIssuer,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

const outages = [
  { fault: 'connector-down', what: 'the Connector cannot be contacted', status: 500 },
  { fault: 'management-down', what: 'the management API is away' },
  { fault: 'database-down', what: 'the database cannot be reached' },
] as const

function scenarioFor(outage: (typeof outages)[number], index: number): Scenario {
  const { fault, what } = outage
  const documented = 'status' in outage ? outage.status : undefined
  return defineScenario({
    id: `failures/issuance-during-${fault}`,
    title: `Nothing is issued while ${what}, and everything afterwards`,
    category: 'Failures',
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A representative asks for a credential of their own, and for an employee's, while **${what}**. The
answer is a fault of the server's own
${documented === undefined ? '' : `(${documented}, as the document has it)`}, never an image of a QR that leads nowhere; it lets nothing of the inside out, and no credential
counts as issued.

Afterwards the same request with the same token gives a QR, and the wallet collects the credential.`,
    references: [
      ...(documented === undefined ? [] : [{ document: 'Document 1', section: 'Errors, row 4' }]),
      { document: 'Assumptions', section: 'A-24, A-25' },
    ],

    async run(context) {
      const { step, uniqueName } = context
      const wallet = context.createWallet()
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { bearerToken, power } = organization
      await step(`The portal asks while ${what}`, () =>
        whileBroken(context, fault, async () => {
          for (const [endpoint, json] of [
            ['representative', { power }],
            ['employee', { power, email: `nobody.${uniqueName}@example.org` }],
          ] as const) {
            const answer = await askIssuer(context, endpoint, bearerToken, json)
            expectTrue("it is the server's fault", answer.status >= 500, answer.status)
            const told = JSON.stringify(expectIssuerRefusal(answer, documented ?? answer.status))
            expectEqual('addresses in it', told.match(/https?:|127\.0\.0\.1|:\d{4,5}/g), null)
          }
        }),
      )
      await step('No credential counts as issued', async () => {
        const records = await listRecords(context, organization)
        const issued = records.filter(({ status }) => status !== 'pending')
        expectEqual('the records', issued, [])
      })
      await step('Afterwards the portal gets a QR, and the wallet its credential', async () => {
        const link = await ownOfferLink(context, organization)
        const { credentialId } = await acceptOfferLink(context, wallet, link)
        const records = await listRecords(context, organization)
        const isListed = records.some(({ credential_id }) => credential_id === credentialId)
        expectTrue('the issuer lists it', isListed, records)
      })
    },
  })
}

export const scenarios = outages.map(scenarioFor)
