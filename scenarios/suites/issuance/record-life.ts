import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  awaitRecord,
  type IssuedRecord,
  listRecords,
  ownOfferLink,
} from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** Document 1, IssuedCredential. */
const documentedFields = [
  'id',
  'vc_type',
  'subject_id',
  'organization_identifier',
  'status',
  'credential_id',
  'creation_at',
  'update_at',
]

const timeOf = (record: IssuedRecord, member: string) => Date.parse(String(record[member]))

export const scenario = defineScenario({
  id: 'issuance/record-life',
  title: 'The life of a record: pending, issued, revoked',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
What a portal shows its users is the issuer's record of a credential, with the eight documented
fields.

- **pending** from the request on, before any wallet has come,
- **issued** once the Connector confirmed the issuance,
- **revoked** for good once the organization says so: a second revocation is a 400.

The identifiers never change on the way. \`credential_id\` is that of the credential, by which it is
revoked.`,
  references: [
    { document: 'Document 1', section: 'IssuedCredential, rows 1 to 8' },
    { document: 'Document 1', section: 'States and transitions, rows 3, 4' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 7 to 9' },
    { document: 'Assumptions', section: 'A-21, A-22' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const { organizationIdentifier, bearerToken } = organization

    const link = await step('The portal shows a QR', () => ownOfferLink(context, organization))
    const pending = await step('The record is pending, with the documented fields', async () => {
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, 1)
      const record = expectPresent('the record', records[0])
      expectEqual('its fields', Object.keys(record).sort(), [...documentedFields].sort())
      expectIncludes('the record', record, {
        vc_type: 'OrgPortalLearCredential',
        organization_identifier: organizationIdentifier,
        status: 'pending',
      })
      expectMatch('credential_id', record.credential_id, /^urn:uuid:[0-9a-f-]{36}$/)
      expectMatch('id', record.id, /./)
      expectMatch('subject_id', record.subject_id, /./)
      expectTrue('creation_at is a time', timeOf(record, 'creation_at') > 0, record.creation_at)
      return record
    })
    const credentialId = String(pending.credential_id)
    const awaitStatus = async (status: 'issued' | 'revoked', before: IssuedRecord) => {
      const record = await awaitRecord(context, { ...organization, credentialId, status })
      const { status: _, update_at: updatedAt, ...same } = before
      expectIncludes('what does not change', record, same)
      expectTrue('update_at goes on', timeOf(record, 'update_at') >= timeOf(before, 'update_at'), [
        updatedAt,
        record.update_at,
      ])
      return record
    }
    const issued = await step('The wallet collects the credential: issued', async () => {
      const credential = await acceptOfferLink(context, wallet, link)
      expectEqual('the id of the credential', credential.credentialId, credentialId)
      return awaitStatus('issued', pending)
    })
    const json = { credential_id: credentialId }
    const revoked = await step('The organization revokes it: revoked', async () => {
      const answer = await askIssuer(context, 'credential/revoke', bearerToken, json)
      const confirmation = { credential_id: credentialId, status: 'revoked' }
      expectIncludes('the confirmation', expectJson(answer, 200), confirmation)
      return awaitStatus('revoked', issued)
    })
    await step('A second time it is a 400, and nothing changes', async () => {
      expectJson(await askIssuer(context, 'credential/revoke', bearerToken, json), 400)
      expectEqual('the records', await listRecords(context, organization), [revoked])
    })
  },
})
