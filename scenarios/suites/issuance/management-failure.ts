import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

const cases = [
  { name: 'down', what: 'hangs up without an answer' },
  { name: 'error', what: 'answers 500' },
  { name: 'malformed', what: 'answers half a JSON text' },
  { name: 'wrong-shape', what: 'answers JSON that says nothing about powers' },
  { name: 'wrong-organization', what: 'tells of another organization, which may do everything' },
  { name: 'not-found', what: 'knows nobody, though it should', status: 400 },
] as const

export const scenarios = cases.map((each, index) => {
  const { name, what } = each
  const refusal = 'status' in each ? 'that the powers are not authorized' : "the server's fault"
  return defineScenario({
    id: `issuance/management-failure-${name}`,
    title: `Nothing is granted while the management API ${what}`,
    category: 'Issuance',
    // There is one management API, and what it does wrong is set for all.
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
Who may grant what is known to the management API alone. It ${what}: the issuer must not take that for
a yes. It says that it is ${refusal}, keeps no record, shows nothing of the other's answer, and goes
on as before once the management API is well again.`,
    references: [
      { document: 'Document 1', section: 'Power object, row 6' },
      ...('status' in each ? [{ document: 'Document 1', section: 'Errors, row 3' }] : []),
      { document: 'Assumptions', section: 'A-24' },
    ],

    async run(context) {
      const { step, control, uniqueName } = context
      const wallet = context.createWallet()
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { bearerToken, power, organizationIdentifier } = organization
      const failure = { failure: name, organization_identifier: organizationIdentifier }

      await step(`The management API ${what}`, () => control.setManagementFailure(failure))
      for (const [endpoint, json] of [
        ['representative', { power }],
        ['employee', { email: `nobody.${uniqueName}@example.org`, power }],
      ] as const) {
        await step(`POST /issuance/${endpoint} gives nothing`, async () => {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          if ('status' in each) {
            expectIssuerRefusal(answer, each.status, documentedMessages.powersNotAuthorized)
          } else {
            expectTrue('it is a 5xx', answer.status >= 500, answer.status)
            const body = expectIssuerRefusal(answer, answer.status)
            const told = JSON.stringify(body)
            expectTrue("the other's answer is not shown", !told.includes('VATES-'), told)
          }
        })
      }
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
      await step('Once it is well again the representative gets a credential', async () => {
        await control.setManagementFailure(null)
        await acceptOfferLink(context, wallet, await ownOfferLink(context, organization))
      })
    },
  })
})
