import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { Power } from '#scenarios/harness/z-testbed-file.ts'

interface Case {
  readonly name: string
  readonly title: string
  readonly authorized: readonly Power[]
  readonly requested: readonly Power[]
}

const onboarding = { type: 'domain', domain: 'ORG', function: 'Onboarding' }
const catalogue = { type: 'domain', domain: 'ORG', function: 'Catalogue' }

const cases: readonly Case[] = [
  {
    name: 'all-of-them',
    title: 'all that the organization may grant',
    authorized: [
      { ...onboarding, action: ['execute'] },
      { ...catalogue, action: ['create', 'read'] },
    ],
    requested: [
      { ...onboarding, action: ['execute'] },
      { ...catalogue, action: ['create', 'read'] },
    ],
  },
  {
    name: 'fewer-actions',
    title: 'one action out of three',
    authorized: [{ ...catalogue, action: ['create', 'read', 'update'] }],
    requested: [{ ...catalogue, action: ['read'] }],
  },
  {
    name: 'one-of-two',
    title: 'one power out of two',
    authorized: [
      { ...onboarding, action: ['execute'] },
      { ...catalogue, action: ['read'] },
    ],
    requested: [{ ...catalogue, action: ['read'] }],
  },
  {
    name: 'same-function-twice',
    title: 'the same function in two powers',
    authorized: [{ ...catalogue, action: ['create', 'read'] }],
    requested: [
      { ...catalogue, action: ['read'] },
      { ...catalogue, action: ['create'] },
    ],
  },
  {
    name: 'under-a-wildcard',
    title: 'what a wildcard of the organization covers',
    authorized: [{ type: 'domain', domain: '*', function: '*', action: ['*'] }],
    requested: [
      { type: 'domain', domain: 'Puertos', function: 'Báscula', action: ['leer', 'pesar'] },
    ],
  },
]

export const scenarios = cases.map(({ name, title, authorized, requested }, index) =>
  defineScenario({
    id: `issuance/powers-granted-${name}`,
    title: `A representative is given ${title}`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
The management API says what the organization may grant; the requested set is a **subset** of that.
The credential then carries *what was requested*: not more, because the organization may grant more,
and not less. Here: ${title}.`,
    references: [
      { document: 'Document 1', section: 'Power object, rows 1 to 6' },
      { document: 'Document 1', section: 'Limits, row 5' },
      { document: 'Assumptions', section: 'A-24' },
    ],

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const organization = await step(
        'The management API knows what the organization may grant',
        () => foundOrganization(context, { authorizedPowers: authorized }),
      )
      const { bearerToken } = organization
      const link = await step(`The portal asks for ${title}, and gets a QR`, () =>
        ownOfferLink(context, { bearerToken, power: requested }),
      )
      await step('The credential carries what was requested', async () => {
        const { vc } = await fetchCredential(context, wallet, link)
        const { power, mandator } = vc.credentialSubject.mandate
        expectEqual('the power', power, requested)
        const { organizationIdentifier } = organization
        expectEqual('who gives it', mandator.organizationIdentifier, organizationIdentifier)
      })
    },
  }),
)
