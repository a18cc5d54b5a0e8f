import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import {
  credentialTypeOf,
  type FoundedOrganization,
  foundOrganization,
} from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  awaitRecord,
  expectIssuerRefusal,
  type IssuedRecord,
  listRecords,
  ownOfferLink,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** profile/issuer, Records. */
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

const recordLife = defineScenario({
  id: 'issuance/record-life',
  title: 'A record is pending, then issued, then revoked',
  algorithms: ['ES256K'],
  description: `
A portal shows its users the issuer's record of a credential, with the eight documented fields.

- **pending** from the request on, before a wallet has redeemed it,
- **issued** when the Connector has confirmed the issuance,
- **revoked** permanently when the organization revokes it: a second revocation is a 400.

The identifiers never change. \`credential_id\` is the id of the credential, which a revocation requires.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/issuedcredential.1..8',
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.4',
    'Profile: 1.endpoints/credential-issuer.7..9',
    'Assumptions: A-21, A-22',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const organization = await step('A representative of an organization', foundOrganization)
    const { organizationIdentifier, bearerToken } = organization

    const link = await step('The portal shows a QR code', () => ownOfferLink(context, organization))
    const pending = await step('The record is pending, with the documented fields', async () => {
      const records = await listRecords(context, organization)
      expectEqual('the number of records', records.length, 1)
      const record = expectPresent('the record', records[0])
      expectEqual('its fields', Object.keys(record).sort(), [...documentedFields].sort())
      expectIncludes('the record', record, {
        vc_type: credentialTypeOf(context.environment).vcType,
        organization_identifier: organizationIdentifier,
        status: 'pending',
      })
      expectMatch('credential_id', record.credential_id, /^urn:uuid:[0-9a-f-]{36}$/)
      expectMatch('id', record.id, /./)
      expectMatch('subject_id', record.subject_id, /./)
      expectTrue(
        'creation_at is a timestamp',
        timeOf(record, 'creation_at') > 0,
        record.creation_at,
      )
      return record
    })
    const credentialId = String(pending.credential_id)
    const awaitStatus = async (status: 'issued' | 'revoked', before: IssuedRecord) => {
      const record = await awaitRecord(context, { ...organization, credentialId, status })
      const { status: _, update_at: updatedAt, ...same } = before
      expectIncludes('the constant fields', record, same)
      expectTrue('update_at advances', timeOf(record, 'update_at') >= timeOf(before, 'update_at'), [
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
    await step('A second revocation is a 400, and the record does not change', async () => {
      expectJson(await askIssuer(context, 'credential/revoke', bearerToken, json), 400)
      expectEqual('the records', await listRecords(context, organization), [revoked])
    })
  },
})

const listingOwnOrganization = defineScenario({
  id: 'issuance/listing-own-organization',
  title: 'An organization sees only its own records, newest first',
  algorithms: ['EdDSA'],
  description: `
Two organizations have credentials at the same issuer. Each organization's portal lists its own records.
If it asks for those of the other, even together with its own, the response is a **403 that reveals
nothing**: no record, no identifier, not even the number of records. A request for no organization
yields an empty list.`,
  references: cite('Profile: 1.endpoints/credential-issuer.7', 'Assumptions: A-22, A-40'),

  async run(context) {
    const { step } = context
    const [one, other] = await step('Two organizations', () =>
      Promise.all([
        foundOrganization(context, { name: 'one' }),
        foundOrganization(context, { name: 'other' }),
      ]),
    )
    const idsOf = async (organization: FoundedOrganization) =>
      (await listRecords(context, organization)).map(({ id }) => id)
    const first = await step('The first asks for two credentials, the second for one', async () => {
      await requestOwnOffer(context, one.bearerToken, one.power)
      const [id] = await idsOf(one)
      for (const { bearerToken, power } of [one, other]) {
        await requestOwnOffer(context, bearerToken, power)
      }
      return expectPresent('its first record', id)
    })
    const list = (bearerToken: string, ...whose: readonly FoundedOrganization[]) =>
      askIssuer(context, 'credential', bearerToken, {
        organization_identifiers: whose.map(({ organizationIdentifier }) => organizationIdentifier),
      })

    await step('Each sees its own, newest first', async () => {
      for (const [organization, count] of [
        [one, 2],
        [other, 1],
      ] as const) {
        const records = await listRecords(context, organization)
        expectEqual('the number of records', records.length, count)
        const { organizationIdentifier } = organization
        const otherRecords = records.filter(
          (record) => record.organization_identifier !== organizationIdentifier,
        )
        expectEqual('records of the other organization', otherRecords, [])
      }
      expectEqual('the position of the older record', (await idsOf(one)).indexOf(first), 1)
    })
    await step('A request for the other organization is a 403 that reveals nothing', async () => {
      const [record] = await listRecords(context, other)
      for (const whose of [[other], [one, other], [other, one]]) {
        const answer = await list(one.bearerToken, ...whose)
        expectIssuerRefusal(answer, 403)
        for (const secret of [record?.id, record?.credential_id, record?.subject_id]) {
          expectTrue(
            'it does not contain an identifier of the record',
            !answer.text.includes(String(secret)),
            answer.text,
          )
        }
      }
    })
    await step('An unknown organization is a 403 too', async () => {
      const json = { organization_identifiers: ['VATES-NOBODY'] }
      expectIssuerRefusal(await askIssuer(context, 'credential', one.bearerToken, json), 403)
    })
    await step(
      'No organization yields an empty list; a value that is not a list is a 400',
      async () => {
        expectEqual('the list', expectStatus(await list(one.bearerToken), 200).json, [])
        for (const json of [{}, { organization_identifiers: one.organizationIdentifier }, []]) {
          expectIssuerRefusal(await askIssuer(context, 'credential', one.bearerToken, json), 400)
        }
      },
    )
  },
})

export const scenarios = [recordLife, listingOwnOrganization]
