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
  { name: 'down', what: 'hangs up without an answer' },
  { name: 'error', what: 'answers 500' },
  { name: 'malformed', what: 'answers half a JSON text' },
  { name: 'wrong-shape', what: 'answers JSON that says nothing about powers' },
  { name: 'wrong-organization', what: 'tells of another organization, which may do everything' },
  { name: 'not-found', what: 'knows nobody, though it should', status: 400 },
] as const

const managementFailure = cases.map((each, index) => {
  const { name, what } = each
  const refusal = 'status' in each ? 'that the powers are not authorized' : "the server's fault"
  return defineScenario({
    id: `issuance/management-failure-${name}`,
    title: `Nothing is granted while the management API ${what}`,
    // There is one management API, and what it does wrong is set for all.
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
Who may grant what is known to the management API alone. It ${what}: the issuer must not take that for
a yes. It says that it is ${refusal}, keeps no record, shows nothing of the other's answer, and goes
on as before once the management API is well again.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/power-object.6',
      ...('status' in each ? ['Profile: 1.errors.3'] : []),
      'Assumptions: A-24',
    ),

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

const seconds = 0.3

const managementSlow = defineScenario({
  id: 'issuance/management-slow',
  title: 'A management API that answers late delays an issuance, and no more',
  // There is one management API, and what it does wrong is set for all.
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The management API answers after ${seconds} seconds. The issuer waits for the **answer**, and issues
by it; it neither gives up at once nor guesses.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/power-object.6',
    'Assumptions: A-24, A-29',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { organizationIdentifier } = organization

    const link = await step(`The portal gets its QR after ${seconds} seconds`, async () => {
      const failure = { failure: 'slow', seconds, organization_identifier: organizationIdentifier }
      await control.setManagementFailure(failure)
      const began = performance.now()
      try {
        return await ownOfferLink(context, organization)
      } finally {
        const took = performance.now() - began
        await control.setManagementFailure(null)
        expectTrue('the issuer waited for the answer', took >= seconds * 1000, took)
      }
    })
    await step('The wallet collects the credential', () => acceptOfferLink(context, wallet, link))
  },
})

const unknownOrganization = defineScenario({
  id: 'issuance/unknown-organization',
  title: 'An organization that the management API does not know grants nothing',
  algorithms: ['EdDSA'],
  description: `
The Bearer token is good, but its organization is **unknown** to the management API (404): it left the
ecosystem, or the token was minted with a typing error. What another organization may grant does not
help: the documented 400, and no record. An identifier that looks like a path changes nothing about
whom is asked about.`,
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
      // Both would be the known organization for whoever puts addresses together carelessly.
      `../organization/${known.organizationIdentifier}`,
      `${known.organizationIdentifier}?x=`,
      `${known.organizationIdentifier.toLowerCase()}`,
    ]

    for (const identifier of identifiers) {
      await step(`A token of ${identifier} asks for what others may grant`, async () => {
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
