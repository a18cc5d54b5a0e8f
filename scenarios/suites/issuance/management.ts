import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import {
  firstOrganization,
  foundOrganization,
  powersToRequest,
} from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

const cases = [
  { name: 'down', what: 'closes the connection without a response' },
  { name: 'error', what: 'returns 500' },
  { name: 'malformed', what: 'answers incomplete JSON' },
  { name: 'wrong-shape', what: 'answers JSON without powers' },
  {
    name: 'wrong-organization',
    what: 'answers with another organization, which may do everything',
  },
  { name: 'not-found', what: 'does not know the organization', status: 400 },
] as const

const managementFailure = cases.map((each, index) => {
  const { name, what } = each
  const refusal = 'status' in each ? 'that the powers are not authorized' : 'a server error'
  return defineScenario({
    id: `issuance/management-failure-${name}`,
    title: `Nothing is granted while the management API ${what}`,
    // There is one management API, and its failure affects all scenarios.
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
Only the management API knows the powers that an organization may grant. It ${what}: the issuer must not
interpret that as a permission. It reports ${refusal}, does not keep a record, and does not show the
response of the management API. It works as before when the management API is healthy again.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/power-object.6',
      ...('status' in each ? ['Profile: 1.errors.3'] : []),
      'Assumptions: A-24',
    ),

    async run(context) {
      const { step, control, uniqueName } = context
      const wallet = context.createWallet()
      const organization = await step('A representative of an organization', foundOrganization)
      const { bearerToken, power, organizationIdentifier } = organization
      const failure = { failure: name, organization_identifier: organizationIdentifier }

      await step(`The management API ${what}`, () => control.setManagementFailure(failure))
      for (const [endpoint, json] of [
        ['representative', { power }],
        ['employee', { email: `nobody.${uniqueName}@example.org`, power }],
      ] as const) {
        await step(`POST /issuance/${endpoint} fails`, async () => {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          if ('status' in each) {
            expectIssuerRefusal(answer, each.status, documentedMessages.powersNotAuthorized)
          } else {
            expectTrue('it is a 5xx', answer.status >= 500, answer.status)
            const body = expectIssuerRefusal(answer, answer.status)
            const text = JSON.stringify(body)
            expectTrue(
              'the response of the management API is not shown',
              !text.includes('VATES-'),
              text,
            )
          }
        })
      }
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
      await step(
        'When the management API is healthy again, the representative gets a credential',
        async () => {
          await control.setManagementFailure(null)
          await acceptOfferLink(context, wallet, await ownOfferLink(context, organization))
        },
      )
    },
  })
})

const seconds = 0.3

const managementSlow = defineScenario({
  id: 'issuance/management-slow',
  title: 'A slow management API only delays an issuance',
  // There is one management API, and its failure affects all scenarios.
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The management API answers after ${seconds} seconds. The issuer waits for the **response** and follows it;
it neither gives up immediately nor guesses.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/power-object.6',
    'Assumptions: A-24, A-29',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const { organizationIdentifier } = organization

    const link = await step(`The portal gets its QR code after ${seconds} seconds`, async () => {
      const failure = { failure: 'slow', seconds, organization_identifier: organizationIdentifier }
      await control.setManagementFailure(failure)
      const began = performance.now()
      try {
        return await ownOfferLink(context, organization)
      } finally {
        const took = performance.now() - began
        await control.setManagementFailure(null)
        expectTrue('the issuer waited for the response', took >= seconds * 1000, took)
      }
    })
    await step('The wallet collects the credential', () => acceptOfferLink(context, wallet, link))
  },
})

const unknownOrganization = defineScenario({
  id: 'issuance/unknown-organization',
  title: 'An organization that the management API does not know cannot grant powers',
  algorithms: ['EdDSA'],
  description: `
The Bearer token is valid, but its organization is **unknown** to the management API (404): it left the
ecosystem, or the token was minted with a typo. The powers of another organization do not help:
the documented 400, and no record. An identifier that looks like a path must not make the issuer ask
about another organization.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/power-object.6',
    'Profile: 1.errors.3',
    'Assumptions: A-24',
  ),

  async run(context) {
    const { step, control, uniqueName } = context
    const known = firstOrganization(context)
    const power = powersToRequest(known)
    const identifiers = [
      `VATES-${uniqueName}-unknown`,
      // A client that concatenates addresses carelessly would read both as the known organization.
      `../organization/${known.organizationIdentifier}`,
      `${known.organizationIdentifier}?x=`,
      `${known.organizationIdentifier.toLowerCase()}`,
    ]

    for (const identifier of identifiers) {
      await step(`A token of ${identifier} requests a power of another organization`, async () => {
        const bearerToken = await control.createBearerToken({
          organizationIdentifier: known.organizationIdentifier,
          claims: { organization_identifier: identifier },
        })
        const answer = await askIssuer(context, 'representative', bearerToken, { power })
        expectIssuerRefusal(answer, 400, documentedMessages.powersNotAuthorized)
        const records = await listRecords(context, {
          bearerToken,
          organizationIdentifier: identifier,
        })
        expectEqual('the records', records, [])
      })
    }
  },
})

export const scenarios = [...managementFailure, managementSlow, unknownOrganization]
