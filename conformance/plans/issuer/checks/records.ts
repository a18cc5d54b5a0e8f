import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  requireFinding,
  requireJson,
} from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../context.ts'
import {
  listAsPremise,
  listRecords,
  requestOwnOffer,
  requirePortalAnswer,
  signIn,
  signInLater,
  smallPower,
} from '../portal-steps.ts'
import { readOffer } from '../redeeming.ts'

const zTypes = z.looseObject({ vc_types: z.array(z.string().min(1)) })

/** More than a usual page of a list. */
const orders = 25

const monthSeconds = 30 * 86_400

/** The profile does not specify the types of the members. */
const zRecord = z.looseObject({
  id: z.unknown().refine((value) => value !== undefined),
  vc_type: z.string(),
  subject_id: z.string(),
  organization_identifier: z.string(),
  status: z.string(),
  credential_id: z.unknown().refine((value) => value !== undefined),
  creation_at: z.unknown().refine((value) => value !== undefined),
  update_at: z.unknown().refine((value) => value !== undefined),
})

export const checks = defineChecks<IssuerContext>({
  'I80-record-stays-pending': {
    title: 'Without a confirmation the record stays pending',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.states-and-transitions.1',
      '1.resources-and-their-fields/issuedcredential.5',
      '1.endpoints/credential-issuer.7',
    ],
    description:
      'If a record has the status issued too early, a portal shows a credential that its holder never collected.',
    sends:
      'A representative requests an offer that no wallet accepts; a notification for it is sent with a wrong x-api-key; the list is read before and after. If the clock can be moved, it is read again a month later.',
    decides: 'The new record of the list is pending each time.',
    fix: 'Create a record with status pending for each offer, and change it only after a notification with the correct x-api-key. Do not change or delete it when the code expires.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const before = new Set((await listRecords(signedIn)).map(({ id }) => id))
      await requestOwnOffer(signedIn)
      const record = (await listRecords(signedIn)).find(({ id }) => !before.has(id))
      if (record === undefined) {
        return broken('The list has no record of the offer.', {
          verdictSource: '/issuance/credential',
        })
      }
      const { subject_id, credential_id } = record
      const notification = { subject_id, credential_id, event: 'issued' }
      const headers = { 'x-api-key': 'a-key-of-nobody' }
      const answer = await signedIn.portal.post('notifications', notification, headers)
      if (!['accepted', 'refused'].includes(classifyStatus(answer.status))) {
        const observed = 'The notification with a wrong x-api-key was answered with HTTP'
        return inconclusive(`${observed} ${answer.status}, which is not a verdict.`)
      }
      const after = (await listRecords(signedIn)).find(({ id }) => id === record.id)
      if (after === undefined) return inconclusive('The record is no longer in the list.')
      const verdictSource = 'status in the list of /issuance/credential'
      for (const { status } of [record, after]) {
        if (status === 'pending') continue
        const details = { expected: 'pending', actual: status, verdictSource }
        return broken('The record of an offer that was not accepted is not pending.', details)
      }
      const finding = held('It is pending each time.', { verdictSource })
      const later = context.can('clock') ? await signInLater(context, monthSeconds) : undefined
      if (later === undefined) return finding
      const actual = later.records.find(({ id }) => id === record.id)?.status ?? 'no record'
      return actual === 'pending'
        ? finding
        : broken('A month later the record is not pending.', {
            expected: 'pending',
            actual,
            verdictSource,
          })
    },
  },
  'I83-identifiers': {
    title: 'The issuer lists the types that a subject may get',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.6'],
    description: 'A portal shows its users this list of available types.',
    sends:
      'A representative requests a credential. POST /issuance/identifiers with the subject_id of its record.',
    decides:
      'The response is 200 with vc_types, an array of strings. If it does not contain the vc_type of the record, that is a WARN.',
    fix: 'Return 200 from POST /issuance/identifiers, with vc_types: an array of the types that the issuer issues to the subject, as strings.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const records = await listAsPremise(signedIn)
      const record = records.find(({ subject_id: id }) => typeof id === 'string' && id !== '')
      const { subject_id = 'anybody', vc_type: type } = record ?? {}
      const answer = await portal.post('identifiers', { subject_id }, headers)
      if (answer.status === 404) {
        return inconclusive('The issuer does not know the subject, which the profile allows.')
      }
      const json = requireJson(
        requirePortalAnswer(answer, 'The request for the types'),
        'The request for the types',
      )
      const result = zTypes.safeParse(json)
      const verdictSource = 'the response of /issuance/identifiers'
      if (!result.success) {
        return broken('vc_types is not an array of strings.', { actual: json, verdictSource })
      }
      const { vc_types: types } = result.data
      return typeof type !== 'string' || types.includes(type)
        ? held(`It lists ${types.join(', ')}.`, { verdictSource })
        : broken('vc_types lacks a type that was issued to the subject.', {
            expected: type,
            actual: types,
            verdictSource,
            level: 'practice',
          })
    },
  },
  'I84-record-fields': {
    title: 'Each record of the list is complete and belongs to the requested organization',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/credential-issuer.7',
      '1.resources-and-their-fields/issuedcredential.1',
      '1.resources-and-their-fields/issuedcredential.4',
      '1.resources-and-their-fields/issuedcredential.8',
    ],
    description: 'A portal has only this list to display and revoke credentials.',
    sends: 'A representative requests an offer. POST /issuance/credential for the organization.',
    decides:
      'Each record has id, vc_type, subject_id, organization_identifier, status, credential_id, creation_at and update_at. A record with the code of the offer is a WARN.',
    fix: 'Return every documented member in each record of POST /issuance/credential, and only records whose organization_identifier is in organization_identifiers of the request. Never use pre-authorized_code as id or subject_id.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const made = await requestOwnOffer(signedIn)
      const records = await listRecords(signedIn)
      if (records.length === 0) return inconclusive('The list is empty: see I80.')
      const verdictSource = 'the response of /issuance/credential'
      const { organizationIdentifier: expected } = signedIn.portal
      for (const record of records) {
        const result = zRecord.safeParse(record)
        if (!result.success) {
          const members = result.error.issues.map(({ path }) => path.join('.'))
          const actual = Object.keys(record)
          return broken(`A record lacks ${members.join(', ')}.`, { actual, verdictSource })
        }
        const actual = result.data.organization_identifier
        if (actual === expected) continue
        return broken('A record belongs to a different organization.', {
          expected,
          actual,
          verdictSource,
        })
      }
      const finding = held(`${records.length} records are complete.`, { verdictSource })
      const read = await readOffer(context, { made }).catch(
        (error: unknown) => void requireFinding(error),
      )
      const code = read?.resolved.preAuthorizedCode
      // Everyone who may read the list could redeem the code.
      return code && records.some((record) => Object.values(record).includes(code))
        ? broken('A record contains the code of its offer.', {
            verdictSource,
            actual: code,
            level: 'practice',
          })
        : finding
    },
  },
  'I172-long-list': {
    title: 'The list has every record once',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.7'],
    description:
      'The list has no pages. A portal cannot show or revoke a credential that is not in it.',
    sends: `A representative requests ${orders} offers. The list is read before that, twice after that, and once with the identifier of the organization twice in organization_identifiers.`,
    decides:
      'After that the list has all records from before and at least one more for each offer, and no id twice. Another order in the second response is a WARN, and so is a record listed twice for an identifier given twice.',
    fix: 'Return all records of the organization in one response, without a limit or pages, sorted by a column that is unique. Return each record once, however often its organization is named.',
    needs: ['portal'],
    timeLimitMilliseconds: 300_000,
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      const readIds = async () => (await listAsPremise(signedIn)).map(({ id }) => id)
      const before = new Set(await readIds())
      const power = smallPower(portal)
      for (let order = 0; order < orders; order++) {
        const ordering = portal.post('representative', { power }, headers)
        const answered = ordering.then((answer) => requirePortalAnswer(answer, 'The request'))
        await asPremise('requesting a credential (see I62)', answered)
      }
      const after = await readIds()
      const different = new Set(after)
      // Others may use the organization as well.
      const again = (await readIds()).filter((id) => different.has(id))
      const verdictSource = 'the response of /issuance/credential'
      const isKept = [...before].every((id) => different.has(id))
      if (!isKept || different.size < before.size + orders) {
        const details = { expected: before.size + orders, actual: different.size, verdictSource }
        return broken('The list lacks records.', details)
      }
      if (different.size < after.length) {
        const details = { expected: different.size, actual: after.length, verdictSource }
        return broken('The list has a record twice.', details)
      }
      if (!isDeepStrictEqual(again, after)) {
        const details = { verdictSource, level: 'practice' } as const
        return broken('The second response does not have the same order.', details)
      }
      const { organizationIdentifier: own } = portal
      const twice = await portal.post(
        'credential',
        { organization_identifiers: [own, own] },
        headers,
      )
      const records: readonly { readonly id?: unknown }[] = Array.isArray(twice.json)
        ? twice.json
        : []
      const ids = new Set(records.map(({ id }) => id))
      return ids.size < records.length
        ? broken('For an identifier given twice the list has a record twice.', {
            expected: ids.size,
            actual: records.length,
            verdictSource,
            level: 'practice',
          })
        : held(`It has ${after.length} records.`, { verdictSource })
    },
  },
})
