import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/unknown-organization',
  title: 'An organization that the management API does not know grants nothing',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
The Bearer token is good, but its organization is **unknown** to the management API (404): it left the
ecosystem, or the token was minted with a typing error. What another organization may grant does not
help: the documented 400, and no record. An identifier that looks like a path changes nothing about
whom is asked about.`,
  references: [
    { document: 'Document 1', section: 'Power object, row 6' },
    { document: 'Document 1', section: 'Errors, row 3' },
    { document: 'Assumptions', section: 'A-24' },
  ],

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
