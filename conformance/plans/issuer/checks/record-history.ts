import { parseJws } from '#core/crypto/jws.ts'
import { broken, defineChecks, type Finding, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { convertibleTypes, similarTexts, swapCase, valuesOf } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { credentialIdOf, mandateOf, obtainCredential } from '../credentials.ts'
import {
  listRecords,
  obtainOwnCredential,
  requestOwnOffer,
  requireQrOffer,
  type SignedInPortal,
  signIn,
  smallPower,
} from '../portal-steps.ts'
import { askForCredential, askForToken, reachAnswer, readOffer } from '../redeeming.ts'

const recordRow = (number: number) => `1.resources-and-their-fields/issuedcredential.${number}`
const verdictSource = 'the list of /issuance/credential'

const mostReads = 20

/** Seconds that clocks may differ, and the request may take. */
const clockDifference = 120

/** What identifies a record: it never changes. */
const constant = [
  'id',
  'vc_type',
  'subject_id',
  'organization_identifier',
  'credential_id',
  'creation_at',
]

export const checks = defineChecks<IssuerContext>({
  'I132-record-of-credential': {
    title: 'The record describes the credential, and only its status and time change',
    level: 'spec',
    expectation: 'accept',
    rows: [recordRow(1), recordRow(2), recordRow(6), recordRow(7), recordRow(8)],
    description:
      'A portal finds the record of a credential by credential_id, and shows when it was created and changed.',
    sends:
      'A representative gets a credential. The kit reads the list several times, revokes the credential, and reads the list again.',
    decides:
      'Exactly one record has the credential_id of the credential, its id is unique, and vc_type is one of its types. A creation_at that is a time with its zone but not that of the request is a WARN, and so is an update_at that differs in each reading although nothing else changes. After the revocation the other members are the same, and update_at is not earlier, and later if it has fractions of a second.',
    fix: 'Create one record for each credential, with its id as credential_id and its type as vc_type. Set update_at at each change of status, and never change the other members.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const credential = await obtainCredential(context, { made })
      const id = credentialIdOf(credential)
      const find = async () =>
        (await listRecords(signedIn)).filter(({ credential_id }) => credential_id === id)
      let [before, another] = await find()
      // The Connector may confirm the id of the credential after it has answered the wallet.
      for (let again = 0; before === undefined && again < mostReads; again++) {
        ;[before, another] = await find()
      }
      if (before === undefined || another !== undefined) {
        const actual = before === undefined ? 0 : 'more than one'
        const details = { expected: 1, actual, verdictSource }
        return broken('Not exactly one record has the id of the credential.', details)
      }
      const all = await listRecords(signedIn)
      if (all.filter((record) => record.id === before.id).length > 1) {
        return broken('Two records have the same id.', { actual: before.id, verdictSource })
      }
      const created = Date.parse(String(before.creation_at)) / 1000
      // Without a zone it may be the local time of the issuer.
      const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(String(before.creation_at))
      if (isZoned && Math.abs(context.now() - created) > clockDifference) {
        return broken('creation_at is not the time of the request.', {
          expected: new Date(context.now() * 1000).toISOString(),
          actual: before.creation_at,
          verdictSource,
          level: 'practice',
        })
      }
      const types = [credential.vc.type].flat()
      if (!types.includes(before.vc_type)) {
        const details = { expected: types, actual: before.vc_type, verdictSource }
        return broken('vc_type is not a type of the credential.', details)
      }
      // A late confirmation of the Connector may change a record once.
      const [second] = await find()
      const [third] = await find()
      const times = new Set([before, second, third].map((record) => record?.update_at))
      if (times.size === 3 && third?.status === before.status) {
        return broken('update_at changes although the record does not.', {
          expected: before.update_at,
          actual: [...times],
          verdictSource,
          level: 'practice',
        })
      }
      const { portal, headers } = signedIn
      const json = { credential_id: id }
      await reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      const [after] = await find()
      if (after === undefined) return broken('The revoked record is gone.', { verdictSource })
      const changed = constant.filter((name) => after[name] !== before[name])
      if (changed.length > 0) {
        return broken(`The revocation changed ${changed.join(', ')}.`, { verdictSource })
      }
      const [earlier, later] = [String(before.update_at), String(after.update_at)]
      const isPrecise = /\.\d*[1-9]\d*/.test(earlier)
      if (Date.parse(later) < Date.parse(earlier) || (isPrecise && later === earlier)) {
        const details = { expected: `after ${earlier}`, actual: later, verdictSource }
        return broken('update_at is not the time of the revocation.', details)
      }
      return held('The record describes the credential.', { verdictSource })
    },
  },
  'I133-issued-to-sender': {
    title: 'The mandate names the organization and the person of the Bearer token',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.13'],
    description:
      'The token is the only proof of the person who asks. A mandate with other values is for another person.',
    sends:
      'A representative gets a credential through the portal, and others with requests that also name another person or another organization.',
    decides:
      'The mandate contains the values of organization_identifier, user_identifier and email of the token, in any members. If only one of the last two is missing, that is a WARN, and so is a missing organization or name that the token has. Each other request is rejected with a 4xx, or its mandate has none of the other values.',
    fix: 'Copy organization_identifier and organization of the Bearer token to mandate.mandator, and user_identifier, email and the names to mandate.mandatee. Read only power from the body.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const token = parseJws(signedIn.headers.authorization.slice('Bearer '.length))
      if (!token.ok) return inconclusive('create-bearer-token did not return a JWT.')
      const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
      const values = stringsIn(mandateOf(await obtainCredential(context, { made })))
      const claims = ['organization_identifier', 'user_identifier', 'email']
      const missing = claims.filter((name) => !values.has(String(token.payload[name])))
      const source = 'mandate of the credential'
      if (missing.length === 0) {
        const names = ['organization', 'given_name', 'family_name'].filter(
          (name) => typeof token.payload[name] === 'string',
        )
        const unnamed = names.filter((name) => !values.has(String(token.payload[name])))
        if (unnamed.length > 0) {
          return broken(`The mandate lacks the value of ${unnamed.join(', ')} of the token.`, {
            expected: unnamed.map((name) => token.payload[name]),
            verdictSource: source,
            level: 'practice',
          })
        }
        const finding = held(`It contains ${[...claims, ...names].join(', ')}.`, {
          verdictSource: source,
        })
        return (await findStrangerNamed(context, signedIn)) ?? finding
      }
      const isPersonNamed = missing.length === 1 && missing[0] !== 'organization_identifier'
      return broken(`The mandate lacks the value of ${missing.join(', ')} of the token.`, {
        expected: missing.map((name) => token.payload[name]),
        verdictSource: source,
        ...(isPersonNamed && { level: 'practice' }),
      })
    },
  },
  'I134-revoke-similar-id': {
    title: 'An id that only resembles that of a credential does not revoke it',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.5', '1.endpoints/credential-issuer.8'],
    description:
      'A pattern or a part of an id may revoke the credentials of many people at the same time.',
    sends:
      'POST /issuance/credential/revoke with values that are similar to the id of a credential, patterns, and values of another type. Then with the correct id.',
    decides:
      'Each returns 404 or 400, and the correct id 200: none of the others has revoked the credential. Ignoring a space around the id is a WARN. A 500 that is repeated, while the correct id works, is a WARN.',
    fix: 'Require credential_id to be a string, and look it up by an exact comparison, without patterns. Return 404 if there is no such credential, and 400 for another type.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const id = await obtainOwnCredential(context, signedIn)
      const { portal, headers } = signedIn
      const revoke = (credentialId: unknown) =>
        portal.post('credential/revoke', { credential_id: credentialId }, headers)
      const misses = [
        { what: 'is only its UUID', change: () => id.replace(/^urn:uuid:/, '') },
        { what: 'has U+0000 at its end', change: () => `${id}\u0000` },
        ...convertibleTypes,
        // UUIDs may be compared without regard to the letter case. Spaces are last: what is revoked
        // cannot show another mistake.
        ...similarTexts.filter(({ change }) => change !== swapCase),
      ]
      const finding = await findEach(valuesOf(misses, id), async ({ what, value, isLenient }) => {
        const found = findRefusal(await revoke(value), {
          what: `The revocation with a credential_id that ${what}`,
          statuses: [400, 404],
        })
        const isLess = found.kind === 'broken' && isLenient
        return isLess ? { ...found, level: 'practice' as const } : found
      })
      if (finding.kind !== 'held') return finding
      const { status } = await revoke(id)
      if (classifyStatus(status) === 'accepted') return finding
      const observed = `Then the revocation with the correct id was answered with HTTP ${status}`
      return status === 400
        ? broken(`${observed}: one of the rejected requests revoked the credential.`, {
            expected: 200,
            actual: status,
          })
        : inconclusive(`${observed}: see I73.`)
    },
  },
  'I135-revoked-before-delivery': {
    title: 'A credential that was revoked before its delivery is not issued',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.states-and-transitions.3'],
    description:
      'The representative notices a mistake and revokes immediately. A wallet that collects the offer later must not get a valid credential.',
    sends:
      'A representative requests two offers. The portal revokes the record of each, of one before and of the other after a wallet has redeemed its code.',
    clauses: ['RFC 6749, 5.2'],
    decides:
      'Neither wallet gets a credential: before the revocation was known the credential endpoint returns 4xx, and afterwards the token endpoint, since the grant is revoked.',
    fix: 'End the offer when its record is revoked: check the status of the record at the token endpoint and at the credential endpoint, and return 400.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      return findEach(['before', 'after'] as const, async (order) => {
        const known = new Set((await listRecords(signedIn)).map(({ id }) => id))
        const made = await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn))
        const record = (await listRecords(signedIn)).find(({ id }) => !known.has(id))
        if (typeof record?.credential_id !== 'string' || record.credential_id === '') {
          return inconclusive('The record of the offer has no credential_id yet.')
        }
        const json = { credential_id: record.credential_id }
        const revoke = () =>
          reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
        const what = `The wallet that redeemed its code ${order === 'before' ? 'after' : 'before'} the revocation`
        const offer = await readOffer(context, { made })
        if (order === 'before') await revoke()
        const token = await askForToken(context, offer.resolved)
        if (order === 'before' && classifyStatus(token.status) !== 'accepted') {
          return findRefusal(token, { what })
        }
        if (order === 'after') await revoke()
        const { access_token: accessToken, c_nonce: cNonce } = (token.json ?? {}) as {
          readonly access_token?: string
          readonly c_nonce?: string
        }
        if (accessToken === undefined) return inconclusive('There is no access token: see I10.')
        const session = { ...offer, token: { accessToken, ...(cNonce && { cNonce }) } }
        const finding = findRefusal(await askForCredential(context, session), { what })
        return order === 'before' && finding.kind === 'held'
          ? broken('The code of a revoked record still yields a token.', {
              expected: 'a 4xx of the token endpoint',
              actual: token.status,
              verdictSource: 'HTTP status of the token endpoint',
            })
          : finding
      })
    },
  },
})

/** The finding if a request selects the organization or person of its mandate; undefined if not. */
async function findStrangerNamed(
  context: IssuerContext,
  { portal, headers }: SignedInPortal,
): Promise<Finding | undefined> {
  const organization = portal.other?.organizationIdentifier ?? 'VATES-K1T00000X'
  const ofPerson = { user_identifier: 'KIT-STRANGER-1', email: 'kit-stranger@example.org' }
  const ofOrganization = {
    organization_identifier: organization,
    mandator: { organizationIdentifier: organization },
  }
  const requests = [
    { members: ofPerson, power: smallPower(portal) },
    { members: ofOrganization, power: smallPower(portal) },
    // The issuer may compare the powers with those of the organization in the request.
    ...(portal.other ? [{ members: ofOrganization, power: smallPower(portal.other) }] : []),
  ]
  for (const { members, power } of requests) {
    const answer = await portal.post('representative', { ...members, power }, headers)
    // An issuer may reject members that it does not know.
    if (classifyStatus(answer.status) !== 'accepted') continue
    const mandate = mandateOf(await obtainCredential(context, { made: requireQrOffer(answer) }))
    const values = stringsIn(mandate)
    const named = [...stringsIn(members)].filter((value) => values.has(value))
    if (named.length === 0) continue
    const details = { actual: named, verdictSource: 'mandate of the credential' }
    return broken(
      'The organization or person of the mandate comes from the request, not from the token.',
      details,
    )
  }
  return undefined
}

function stringsIn(value: unknown): ReadonlySet<string> {
  if (typeof value === 'string') return new Set([value])
  if (typeof value !== 'object' || value === null) return new Set()
  return new Set(Object.values(value).flatMap((each) => [...stringsIn(each)]))
}
