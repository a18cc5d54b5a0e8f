import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

const power = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }

const cases: readonly { name: string; title: string; power: unknown }[] = [
  { name: 'no-actions', title: 'a power without any action', power: [{ ...power, action: [] }] },
  { name: 'no-powers', title: 'an empty list of powers', power: [] },
  { name: 'power-missing', title: 'no power at all', power: undefined },
  { name: 'power-no-list', title: 'a power that is no list', power },
  {
    name: 'action-a-text',
    title: 'an action that is a text',
    power: [{ ...power, action: 'execute' }],
  },
  { name: 'type-missing', title: 'a power without type', power: [{ ...power, type: undefined }] },
  {
    name: 'domain-missing',
    title: 'a power without domain',
    power: [{ ...power, domain: undefined }],
  },
  {
    name: 'function-a-number',
    title: 'a power whose function is a number',
    power: [{ ...power, function: 7 }],
  },
  { name: 'one-of-two-broken', title: 'a good power and a broken one', power: [power, {}] },
]

export const scenarios = cases.map(({ name, title, power: requested }, index) =>
  defineScenario({
    id: `issuance/malformed-request-${name}`,
    title: `A request with ${title} is refused`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
A portal sends ${title}. The Power object asks for type, domain, function and **at least one action**,
a mandate for at least one power; whatever falls short is a 400 with the documented message at both
endpoints, before anybody asks what the organization may grant, and never a 500.`,
    references: [
      { document: 'Document 1', section: 'Power object, rows 1 to 4' },
      { document: 'Document 1', section: 'Errors, row 2' },
      { document: 'Document 1', section: 'Limits, rows 4, 5' },
    ],

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { bearerToken } = organization
      for (const [endpoint, json] of [
        ['representative', { power: requested }],
        ['employee', { email: `nobody.${uniqueName}@example.org`, power: requested }],
      ] as const) {
        await step(`POST /issuance/${endpoint} with ${title}: 400`, async () => {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          expectIssuerRefusal(answer, 400, documentedMessages.missingData)
        })
      }
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
      await step('Put right, the request gives a QR', () =>
        requestOwnOffer(context, bearerToken, organization.power),
      )
    },
  }),
)
