import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { Power } from '#scenarios/harness/z-testbed-file.ts'

interface Case {
  readonly name: string
  readonly title: string
  /** Default: to read the catalogue. */
  readonly authorized?: readonly Power[] | null
  readonly requested: readonly Power[]
}

const catalogue: Power = { type: 'domain', domain: 'ORG', function: 'Catalogue', action: ['read'] }

const cases: readonly Case[] = [
  {
    name: 'other-action',
    title: 'an action that the organization lacks',
    requested: [{ ...catalogue, action: ['delete'] }],
  },
  {
    name: 'one-action-too-many',
    title: 'one action too many',
    requested: [{ ...catalogue, action: ['read', 'delete'] }],
  },
  {
    name: 'other-function',
    title: 'another function',
    requested: [{ ...catalogue, function: 'Onboarding' }],
  },
  {
    name: 'other-domain',
    title: 'another domain',
    requested: [{ ...catalogue, domain: 'OTHER' }],
  },
  {
    name: 'other-type',
    title: 'another type',
    requested: [{ ...catalogue, type: 'organization' }],
  },
  {
    name: 'one-of-two',
    title: 'a power that it has and one that it lacks',
    requested: [catalogue, { ...catalogue, function: 'Onboarding' }],
  },
  {
    name: 'wildcard',
    title: 'a wildcard, which would be everything',
    requested: [{ ...catalogue, function: '*', action: ['*'] }],
  },
  {
    name: 'other-case',
    title: 'the same words in another case',
    requested: [{ ...catalogue, action: ['READ'] }],
  },
  {
    name: 'split-between-powers',
    title: 'a combination that no single power of it has',
    authorized: [
      { ...catalogue, action: ['read'] },
      { ...catalogue, function: 'Onboarding', action: ['execute'] },
    ],
    requested: [{ ...catalogue, action: ['execute'] }],
  },
  {
    name: 'no-role',
    title: 'anything, for an organization without a role',
    authorized: null,
    requested: [catalogue],
  },
]

export const scenarios = cases.map(({ name, title, authorized, requested }, index) =>
  defineScenario({
    id: `issuance/powers-refused-${name}`,
    title: `Nobody is given ${title}`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
The requested set must be a subset of what the management API authorises for the organization. This
one is not (${title}), so that both endpoints answer **400** with the documented message. It is all or
nothing: the issuer neither cuts the request down, nor keeps a record of it, nor sends a mail.`,
    references: [
      { document: 'Document 1', section: 'Power object, row 6' },
      { document: 'Document 1', section: 'Errors, row 3' },
      { document: 'Assumptions', section: 'A-24, A-25' },
    ],

    async run(context) {
      const { step, uniqueName, mailbox } = context
      const email = `nobody.${uniqueName}@example.org`
      const authorizedPowers = authorized === undefined ? [catalogue] : authorized
      const organization = await step(
        'The management API knows what the organization may grant',
        () => foundOrganization(context, { authorizedPowers }),
      )
      const { bearerToken } = organization
      const message = documentedMessages.powersNotAuthorized

      await step('A representative asks for a credential of their own: 400', async () => {
        const power = requested
        const answer = await askIssuer(context, 'representative', bearerToken, { power })
        expectIssuerRefusal(answer, 400, message)
      })
      await step("They ask for an employee's: 400", async () => {
        const json = { power: requested, email }
        const answer = await askIssuer(context, 'employee', bearerToken, json)
        expectIssuerRefusal(answer, 400, message)
      })
      await step('The issuer has no record of either, and sent no mail', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
        expectEqual('the mails', await mailbox.list(email), [])
      })
    },
  }),
)
