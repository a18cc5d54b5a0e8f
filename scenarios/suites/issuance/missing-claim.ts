import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

/** Document 1, Token claims required by the Issuer. */
const requiredClaims = ['organization_identifier', 'organization', 'user_identifier', 'email']

export const scenarios = requiredClaims.map((claim, index) =>
  defineScenario({
    id: `issuance/missing-claim-${claim.replaceAll('_', '-')}`,
    title: `A Bearer token without ${claim} issues nothing`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
The token issuer has no mapper for \`${claim}\` (or a mapper with a typing error), the commonest
mistake of a deployment. The token is good, so that this is no 401; a claim that goes into the
credential is missing, so that both issuance endpoints answer **400** with the documented message. An
empty text, or something that is no text, is as good as none.`,
    references: [
      { document: 'Document 1', section: 'Token claims required by the Issuer, row 1' },
      { document: 'Document 1', section: 'Errors, row 2' },
      { document: 'Assumptions', section: 'A-25' },
    ],

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const { power } = organization
      const refuse = async (bearerToken: string) => {
        for (const [endpoint, json] of [
          ['representative', { power }],
          ['employee', { email: `nobody.${uniqueName}@example.org`, power }],
        ] as const) {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          expectIssuerRefusal(answer, 400, documentedMessages.missingData)
        }
      }

      await step(`Their token lacks ${claim}: 400 at both endpoints`, async () => {
        await refuse(await organization.createBearerToken({ omit: [claim] }))
      })
      await step('It is there, but empty or no text: 400 as well', async () => {
        for (const value of ['', '   ', 7, null]) {
          await refuse(await organization.createBearerToken({ claims: { [claim]: value } }))
        }
      })
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
    },
  }),
)
