import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { Power } from '#scenarios/harness/z-testbed-file.ts'

interface GrantedCase {
  readonly name: string
  readonly title: string
  readonly authorized: readonly Power[]
  readonly requested: readonly Power[]
}

const onboarding = { type: 'domain', domain: 'ORG', function: 'Onboarding' }

const grantedCatalogue = { type: 'domain', domain: 'ORG', function: 'Catalogue' }

const grantedCases: readonly GrantedCase[] = [
  {
    name: 'all-of-them',
    title: 'all powers that the organization may grant',
    authorized: [
      { ...onboarding, action: ['execute'] },
      { ...grantedCatalogue, action: ['create', 'read'] },
    ],
    requested: [
      { ...onboarding, action: ['execute'] },
      { ...grantedCatalogue, action: ['create', 'read'] },
    ],
  },
  {
    name: 'fewer-actions',
    title: 'one of three actions',
    authorized: [{ ...grantedCatalogue, action: ['create', 'read', 'update'] }],
    requested: [{ ...grantedCatalogue, action: ['read'] }],
  },
  {
    name: 'one-of-two',
    title: 'one of two powers',
    authorized: [
      { ...onboarding, action: ['execute'] },
      { ...grantedCatalogue, action: ['read'] },
    ],
    requested: [{ ...grantedCatalogue, action: ['read'] }],
  },
  {
    name: 'same-function-twice',
    title: 'the same function in two powers',
    authorized: [{ ...grantedCatalogue, action: ['create', 'read'] }],
    requested: [
      { ...grantedCatalogue, action: ['read'] },
      { ...grantedCatalogue, action: ['create'] },
    ],
  },
  {
    name: 'under-a-wildcard',
    title: 'powers that a wildcard of the organization covers',
    authorized: [{ type: 'domain', domain: '*', function: '*', action: ['*'] }],
    requested: [
      { type: 'domain', domain: 'Puertos', function: 'Báscula', action: ['leer', 'pesar'] },
    ],
  },
]

const powersGranted = grantedCases.map(({ name, title, authorized, requested }, index) =>
  defineScenario({
    id: `issuance/powers-granted-${name}`,
    title: `A representative gets ${title}`,
    algorithms: oneAlgorithm(index),
    description: `
The management API says which powers the organization may grant, and the requested set is a **subset**
of them. The credential then contains *the requested powers*: no more, even if the organization may
grant more, and no less. Here: ${title}.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/power-object.1..6',
      'Profile: 1.limits.5',
      'Assumptions: A-24',
    ),

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const organization = await step(
        'The management API knows the powers that the organization may grant',
        () => foundOrganization(context, { authorizedPowers: authorized }),
      )
      const { bearerToken } = organization
      const link = await step(`The portal requests ${title} and gets a QR code`, () =>
        ownOfferLink(context, { bearerToken, power: requested }),
      )
      await step('The credential contains the requested powers', async () => {
        const { vc } = await fetchCredential(context, wallet, link)
        const { power, mandator } = vc.credentialSubject.mandate
        expectEqual('the power', power, requested)
        const { organizationIdentifier } = organization
        expectEqual(
          'the organization that grants it',
          mandator.organizationIdentifier,
          organizationIdentifier,
        )
      })
    },
  }),
)

interface RefusedCase {
  readonly name: string
  readonly title: string
  /** By default it may read the catalogue. */
  readonly authorized?: readonly Power[] | null
  readonly requested: readonly Power[]
}

const refusedCatalogue: Power = {
  type: 'domain',
  domain: 'ORG',
  function: 'Catalogue',
  action: ['read'],
}

const refusedCases: readonly RefusedCase[] = [
  {
    name: 'other-action',
    title: 'an action that the organization may not grant',
    requested: [{ ...refusedCatalogue, action: ['delete'] }],
  },
  {
    name: 'one-action-too-many',
    title: 'one action too many',
    requested: [{ ...refusedCatalogue, action: ['read', 'delete'] }],
  },
  {
    name: 'other-function',
    title: 'a different function',
    requested: [{ ...refusedCatalogue, function: 'Onboarding' }],
  },
  {
    name: 'other-domain',
    title: 'a different domain',
    requested: [{ ...refusedCatalogue, domain: 'OTHER' }],
  },
  {
    name: 'other-type',
    title: 'a different type',
    requested: [{ ...refusedCatalogue, type: 'organization' }],
  },
  {
    name: 'one-of-two',
    title: 'a permitted power together with a forbidden one',
    requested: [refusedCatalogue, { ...refusedCatalogue, function: 'Onboarding' }],
  },
  {
    name: 'wildcard',
    title: 'a wildcard that covers everything',
    requested: [{ ...refusedCatalogue, function: '*', action: ['*'] }],
  },
  {
    name: 'other-case',
    title: 'the same names in a different case',
    requested: [{ ...refusedCatalogue, action: ['READ'] }],
  },
  {
    name: 'split-between-powers',
    title: 'a combination that none of its powers has',
    authorized: [
      { ...refusedCatalogue, action: ['read'] },
      { ...refusedCatalogue, function: 'Onboarding', action: ['execute'] },
    ],
    requested: [{ ...refusedCatalogue, action: ['execute'] }],
  },
  {
    name: 'no-role',
    title: 'any power of an organization without a role',
    authorized: null,
    requested: [refusedCatalogue],
  },
]

const powersRefused = refusedCases.map(({ name, title, authorized, requested }, index) =>
  defineScenario({
    id: `issuance/powers-refused-${name}`,
    title: `A request for ${title} is rejected`,
    algorithms: oneAlgorithm(index),
    description: `
The requested set must be a subset of the powers that the management API authorizes for the organization.
Here it is not (${title}), so both endpoints return **400** with the documented message. The issuer
neither reduces the request, nor keeps a record of it, nor sends an email.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/power-object.6',
      'Profile: 1.errors.3',
      'Assumptions: A-24, A-25',
    ),

    async run(context) {
      const { step, uniqueName, mailbox } = context
      const email = `nobody.${uniqueName}@example.org`
      const authorizedPowers = authorized === undefined ? [refusedCatalogue] : authorized
      const organization = await step(
        'The management API knows the powers that the organization may grant',
        () => foundOrganization(context, { authorizedPowers }),
      )
      const { bearerToken } = organization
      const message = documentedMessages.powersNotAuthorized

      await step('A representative requests a personal credential: 400', async () => {
        const power = requested
        const answer = await askIssuer(context, 'representative', bearerToken, { power })
        expectIssuerRefusal(answer, 400, message)
      })
      await step('They request one for an employee: 400', async () => {
        const json = { power: requested, email }
        const answer = await askIssuer(context, 'employee', bearerToken, json)
        expectIssuerRefusal(answer, 400, message)
      })
      await step('The issuer has no record of either and sent no email', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
        expectEqual('the emails', await mailbox.list(email), [])
      })
    },
  }),
)

export const scenarios = [...powersGranted, ...powersRefused]
