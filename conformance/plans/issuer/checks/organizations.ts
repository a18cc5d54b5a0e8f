import { parseJws } from '#core/crypto/jws.ts'
import { type Power, unauthorizedPowers } from '#core/power/power.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise, classifyStatus, findRefusal, outageOf } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import { convertibleTypes, similarTexts, valuesOf } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import {
  credentialIdOf,
  isSamePowers,
  mandateOf,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import type { Portal } from '../open-portal.ts'
import {
  listAsPremise,
  listRecords,
  obtainOwnCredential,
  requestOwnOffer,
  type SignedInPortal,
  signIn,
  smallPower,
} from '../portal-steps.ts'

const verdictSource = 'the response of /issuance/credential'

const rounds = 2

/** Claims of a Bearer token that are in the mandate. */
const claims = ['organization_identifier', 'organization', 'user_identifier', 'email']

export const checks = defineChecks<IssuerContext>({
  'I125-other-records': {
    title: 'The list shows only records of the organization in the token',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.endpoints/credential-issuer.7', '1.resources-and-their-fields/issuedcredential.4'],
    description:
      'The list contains who may act for an organization. A token of one organization must not reveal that of another.',
    sends:
      'POST /issuance/credential with identifiers that are wildcards, similar to that of the organization or of another type, also next to its own. If the target has a second organization, with its identifier, also next to the own one, and with a token that has no organization_identifier.',
    decides:
      'Each is rejected with a 4xx, or returns only records of the organization in the token, while its own identifier returns its records.',
    fix: 'Compare each of organization_identifiers with organization_identifier of the Bearer token. If one differs or the token has none, return 403, or leave out its records.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      await asPremise('requesting a credential', requestOwnOffer(signedIn))
      const { portal, headers } = signedIn
      const own = portal.organizationIdentifier
      if ((await asPremise('listing credentials', listRecords(signedIn))).length === 0) {
        return inconclusive('The list is empty: see I80.')
      }
      const other = portal.other && (await signIn(portal.other))
      if (other) await asPremise('requesting another credential', requestOwnOffer(other))
      const others = other ? [other.portal.organizationIdentifier] : []
      const lists = [
        ...others.flatMap((each) => [[each], [own, each], [each, own]]),
        ...valuesOf(similarTexts, own).flatMap(({ value }) => [[value], [own, value]]),
        ...valuesOf(convertibleTypes, own).map(({ value }) => [value]),
        [],
      ]
      const requests = [
        ...[...lists, own, null, '*', undefined, {}].map((list) => ({ list, headers, by: '' })),
        ...(await Promise.all(
          others.map(async (each) => ({
            list: [each],
            headers: await withoutOrganization(portal),
            by: ' with a token without organization_identifier',
          })),
        )),
      ]
      return findEach(requests, async ({ list, headers, by }) => {
        const answer = await portal.post('credential', { organization_identifiers: list }, headers)
        const kind = classifyStatus(answer.status)
        const what = `The list for ${JSON.stringify(list)}${by}`
        if (kind === 'refused') return held(`${what} was rejected.`, { verdictSource })
        if (kind !== 'accepted') {
          const details = { verdictSource, ...outageOf(answer.status) }
          return inconclusive(`${what} was answered with HTTP ${answer.status}.`, details)
        }
        const records = Array.isArray(answer.json) ? answer.json : []
        const foreign = records.find(
          (record) => (record as Record<string, unknown> | null)?.organization_identifier !== own,
        )
        return foreign === undefined
          ? held(`${what} has only its own records.`, { verdictSource })
          : broken(`${what} has a record of another organization.`, {
              expected: own,
              actual: (foreign as Record<string, unknown> | null)?.organization_identifier,
              verdictSource,
            })
      })
    },
  },
  'I126-other-credential': {
    title: 'A credential of another organization cannot be revoked',
    level: 'practice',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.endpoints/credential-issuer.8', '1.resources-and-their-fields/issuedcredential.4'],
    description:
      'A representative who knows or guesses an id must not be able to stop the people of another organization.',
    sends:
      'A representative of the second organization gets a credential, and requests another one. The first organization posts the ids of both to /issuance/credential/revoke, also with the identifier of the second one in the body, the address or a header, and with a token without organization_identifier. The second one reads its list.',
    decides:
      'Each response is a 4xx, and the record of the second organization has the same status as before. After that, the second organization itself can revoke it.',
    fix: 'Compare the organization of the record with organization_identifier of the Bearer token before you revoke. If they differ or the token has none, return 403 or 404, and change nothing.',
    needs: ['portal', 'other-organization'],
    async run(context) {
      const portal = context.portal()
      const owner = await signIn(portal.other ?? endCheck(inconclusive('There is no other one.')))
      const delivered = await obtainOwnCredential(context, owner)
      const known = new Set((await listAsPremise(owner)).map(({ id }) => id))
      await asPremise('requesting a credential', requestOwnOffer(owner))
      const pending = (await listAsPremise(owner)).find(({ id }) => !known.has(id))
      // The issuer may not know the id of a credential before its delivery.
      const ids = [delivered, pending?.credential_id].filter((id) => typeof id === 'string' && id)
      const { headers: foreign } = await signIn(portal)
      const strangers: readonly Stranger[] = [
        { by: 'another organization', headers: foreign },
        ...naming(owner.portal).map(({ how, ...named }) => ({
          by: `another organization that names the owner ${how}`,
          ...named,
          headers: { ...foreign, ...named.headers },
        })),
        {
          by: 'a token without organization_identifier',
          headers: await withoutOrganization(portal),
        },
      ]
      return findEach(ids, async (id) => {
        const json = { credential_id: id }
        const before = await statusOf(owner, id)
        const which = id === delivered ? 'delivered' : 'pending'
        const finding = await findEach(strangers, async ({ by, headers, json: named, query }) =>
          findRefusal(
            await portal.post('credential/revoke', { ...json, ...named }, headers, query),
            { what: `The revocation of a ${which} credential by ${by}` },
          ),
        )
        if (finding.kind !== 'held') return finding
        const after = await statusOf(owner, id)
        if (after === 'revoked' && before !== after) {
          const details = { expected: before, actual: after, verdictSource }
          return broken('The revocation was rejected, but the credential is revoked.', details)
        }
        const own = await owner.portal.post('credential/revoke', json, owner.headers)
        // An issuer may refuse to revoke a credential that no wallet has received.
        return classifyStatus(own.status) === 'accepted' || id !== delivered
          ? finding
          : inconclusive(`The owner's revocation was answered with HTTP ${own.status}: see I73.`)
      })
    },
  },
  'I171-organizations-at-once': {
    title: 'Organizations that use the issuer at the same time get their own responses',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/credential-issuer.7',
      '1.endpoints/credential-issuer.13',
      '1.resources-and-their-fields/issuedcredential.4',
    ],
    description:
      'An issuer that keeps the claims or the powers of a request in a variable of all requests issues the mandate of another organization.',
    sends: `${rounds} times: representatives of both organizations request a credential at the same time, each with another power if possible. Wallets accept the offers at the same time. Then both representatives read the list, also at the same time.`,
    decides: `Each mandate has the requested power, and no value of ${claims.join(', ')} of the other token. Each list has only records of its organization, and not the credential of the other one.`,
    fix: 'Keep the claims and powers of each request in the handling of this request, and store them with its record. Find them later only by code, access token or credential_id.',
    needs: ['portal', 'other-organization'],
    timeLimitMilliseconds: 300_000,
    async run(context) {
      const own = context.portal()
      const other = own.other ?? endCheck(inconclusive('There is no other one.'))
      const [one, two] = [await enter(own, other), await enter(other, own)]
      const both = <Result>(work: (party: Party) => Promise<Result>) =>
        Promise.all([work(one), work(two)])
      for (let round = 0; round < rounds; round++) {
        const [first, second] = await both(({ signedIn, power }) =>
          requestOwnOffer(signedIn, power),
        )
        if (first.link === second.link) {
          return broken('Both organizations got the same offer.', { verdictSource: 'QR codes' })
        }
        const [credential, another] = await Promise.all([
          obtainCredential(context, { made: first }),
          obtainCredential(context, { made: second }),
        ])
        const [list, anotherList] = await both(({ signedIn }) => listRecords(signedIn))
        const mixed =
          findMixed(one, two, { credential, list, foreign: credentialIdOf(another) }) ??
          findMixed(two, one, {
            credential: another,
            list: anotherList,
            foreign: credentialIdOf(credential),
          })
        if (mixed) return mixed
      }
      return held('Each got its own credentials and records.', { verdictSource })
    },
  },
})

/** A place in a request that names an organization. */
interface Naming {
  /** To follow `names it`. */
  readonly how: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: object
  readonly query?: string
}

/** Someone of another organization. */
interface Stranger extends Omit<Naming, 'how'> {
  /** To follow `The revocation by`. */
  readonly by: string
  readonly headers: Readonly<Record<string, string>>
}

/** Where a request can name an organization; only its Bearer token may decide. */
function naming({ organizationIdentifier }: Portal): readonly Naming[] {
  const member = { organization_identifier: organizationIdentifier }
  return [
    { how: 'in its body', json: member },
    { how: 'in its address', query: `?${new URLSearchParams(member)}` },
    { how: 'in a header', headers: { 'x-organization-identifier': organizationIdentifier } },
  ]
}

/** The header with a token of the representative that does not name the organization. */
const withoutOrganization = async (portal: Portal) => ({
  authorization: `Bearer ${await portal.createBearerToken({ omit: 'organization_identifier' })}`,
})

async function statusOf(owner: SignedInPortal, credentialId: unknown): Promise<unknown> {
  return (await listAsPremise(owner)).find(({ credential_id: id }) => id === credentialId)?.status
}

/** An organization with a power that the other one does not have, if there is one. */
interface Party {
  readonly signedIn: SignedInPortal
  readonly power: readonly Power[]
  /** The values of its claims, as in JSON. */
  readonly values: readonly string[]
}

async function enter(portal: Portal, other: Portal): Promise<Party> {
  const signedIn = await signIn(portal)
  const [special] = unauthorizedPowers(portal.power, other.power)
  const power = special ? [special] : smallPower(portal)
  await asPremise('requesting a credential (see I145)', requestOwnOffer(signedIn, power))
  const token = parseJws(signedIn.headers.authorization.slice('Bearer '.length))
  const values = token.ok
    ? claims.map((name) => token.payload[name])
    : [portal.organizationIdentifier]
  const texts = values.filter((value) => typeof value === 'string' && value !== '')
  return { signedIn, power, values: texts.map((text) => JSON.stringify(text)) }
}

interface Obtained {
  readonly credential: ObtainedCredential
  readonly list: readonly Readonly<Record<string, unknown>>[]
  /** The id of the credential that the other organization got at the same time. */
  readonly foreign: unknown
}

/** What an organization got of the other one; undefined if nothing. */
function findMixed(
  { power, values, signedIn: { portal } }: Party,
  other: Party,
  { credential, list, foreign }: Obtained,
): Finding | undefined {
  const mandate = mandateOf(credential)
  const text = JSON.stringify(mandate) ?? ''
  const source = 'mandate of the credential'
  const mixed = other.values.filter((value) => !values.includes(value) && text.includes(value))
  if (mixed.length > 0) {
    const details = { actual: mixed, verdictSource: source }
    return broken('The mandate has values of the token of another organization.', details)
  }
  if (!isSamePowers(mandate?.power, power)) {
    const details = { expected: power, actual: mandate?.power, verdictSource: source }
    return broken('The powers are not the requested ones.', details)
  }
  const expected = portal.organizationIdentifier
  const record = list.find(
    ({ organization_identifier: identifier, credential_id: id }) =>
      identifier !== expected || id === foreign,
  )
  return (
    record &&
    broken('The list has a record of another organization.', {
      expected,
      actual: record.organization_identifier,
      verdictSource,
    })
  )
}
