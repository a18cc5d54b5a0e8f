import { randomUUID } from 'node:crypto'
import { parseJws } from '#core/crypto/jws.ts'
import { unauthorizedPowers } from '#core/power/power.ts'
import { documentedMessages } from '#scenarios/fixtures/portal.ts'
import { type CheckLevel, defineChecks, endedWith, type Finding, held } from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import type { IssuanceEndpoint, Portal } from '../open-portal.ts'
import {
  listRecords,
  portalEndpoints,
  requestOwnOffer,
  signIn,
  smallPower,
  validBody,
} from '../portal-steps.ts'
import { documentedUnauthorized, findDocumentedRefusal, findUnauthorized } from '../refusals.ts'

const claims = ['organization_identifier', 'organization', 'user_identifier', 'email']

const never = 'never-granted-to-anybody'

/**
 * Seconds after the end at which a token may no longer be valid, and must not be: RFC 7519 tolerates
 * a few minutes, and some libraries five.
 */
const [late, tooLate] = [90, 360] as const

/** Seconds for which a token is valid that then expires. */
const lifetime = 600

export const checks = defineChecks<IssuerContext>({
  'I76-claims-missing': {
    title: 'A Bearer token without a required claim does not yield an offer',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.2', '1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
    description:
      'A value that is missing in the token would be missing or invented in the mandate.',
    sends: `POST /issuance/representative with tokens without ${claims.join(', ')}, one at a time.`,
    decides: `Each returns 400, and the response contains "${documentedMessages.missingData}". With all claims there is an offer.`,
    fix: `Require these claims in the Bearer token: ${claims.join(', ')}. If one is missing, return 400 with the message "${documentedMessages.missingData}".`,
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      await asPremise('the request with all claims', requestOwnOffer(await signIn(portal)))
      return findEach(claims, async (omit) => {
        const authorization = `Bearer ${await portal.createBearerToken({ omit })}`
        const json = { power: smallPower(portal) }
        const answer = await portal.post('representative', json, { authorization })
        const what = `The request with a token without ${omit}`
        return findDocumentedRefusal(answer, what, documentedMessages.missingData)
      })
    },
  },
  'I77-powers-not-authorized': {
    title: 'Powers that the organization may not grant are rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.3', '1.resources-and-their-fields/power-object.6'],
    description: 'Otherwise an organization could give itself any power.',
    sends: `POST /issuance/representative with a power of the target in which the domain, the function or an additional action is "${never}". If the target has a second organization, each requests a power that only the other one has, before and after the other one has requested it.`,
    decides: `Each returns 400, and the response contains "${documentedMessages.powersNotAuthorized}". An allowed power yields an offer. A power of the other organization that is accepted even before is a WARN: the target file may not list all powers.`,
    fix: `Compare domain, function and each action with the powers that the organization may grant. If one is not among them, return 400 with the message "${documentedMessages.powersNotAuthorized}". Do not keep powers without their organization.`,
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const [granted] = portal.power
      const powers = granted && {
        'a different domain': [{ ...granted, domain: never }],
        'a different function': [{ ...granted, function: never }],
        'an additional action': [{ ...granted, action: [...granted.action, never] }],
      }
      const message = documentedMessages.powersNotAuthorized
      const finding = await findPowersRefusal(context, powers ?? {}, message)
      return finding.kind === 'held' && portal.other
        ? findForeignPowersRefused(portal, portal.other)
        : finding
    },
  },
  'I78-action-empty': {
    title: 'A power without an action is rejected, and so is a request without a power',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.resources-and-their-fields/power-object.4', '1.limits.4', '1.limits.5', '1.errors.2'],
    description: 'An empty list passes a check that only tests each action.',
    sends:
      'POST /issuance/representative with a power of the target without an action, and without a power.',
    decides: `Each returns 400, and the response contains "${documentedMessages.missingData}". A power with an action yields an offer.`,
    fix: `Require at least one power, and at least one action in each. Otherwise return 400 with the message "${documentedMessages.missingData}".`,
    needs: ['portal'],
    run(context) {
      const [granted] = context.portal().power
      return findPowersRefusal(
        context,
        { 'a power without an action': [{ ...granted, action: [] }], 'no power': [] },
        documentedMessages.missingData,
      )
    },
  },
  'I79-notification-without-key': {
    title: 'Only the Connector can confirm an issuance',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.2', '1.endpoints/credential-issuer.9'],
    description: 'With a forged confirmation, records would show an issuance that never happened.',
    sends:
      'POST /issuance/notifications without x-api-key, with wrong keys, and with the Bearer token of a representative instead.',
    decides:
      'Each returns 401 or 403. A different 4xx is a WARN: it does not show that the key was the reason.',
    fix: 'Compare x-api-key of POST /issuance/notifications with the configured key before you read the body. If it is missing or wrong, return 401.',
    needs: ['portal'],
    run: (context) =>
      findKeysRefused(context, 'notifications', { subject_id: randomUUID(), event: 'issued' }),
  },
  'I81-expired-bearer': {
    title: 'An expired Bearer token returns 401 with the documented body',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.1', '1.authentication.1'],
    description: 'This body shows a portal that its representative must log in again.',
    sends: `POST to ${portalEndpoints.map((name) => `/issuance/${name}`).join(', ')} with a token that expired an hour ago. The list also gets tokens that expired ${tooLate} and ${late} seconds ago, one without exp if create-bearer-token can omit it, and, if the clock can be moved, a token that it accepted before it expired.`,
    decides: `Each response is 401 with ${JSON.stringify(documentedUnauthorized)}, while a valid token yields an offer. Accepting a token that expired ${late} seconds ago, or one without exp, is a WARN.`,
    fix: `Compare exp of the Bearer token with the current time at every endpoint, with a tolerance of at most a minute. If it has passed, return 401 with the body ${JSON.stringify(documentedUnauthorized)}.`,
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      await asPremise('the request with a valid token', requestOwnOffer(await signIn(portal)))
      const expired = `Bearer ${await portal.createBearerToken({ expiresIn: -3600 })}`
      const finding = await findEach(portalEndpoints, async (endpoint) => {
        const body = validBody(endpoint, portal)
        const answer = await portal.post(endpoint, body, { authorization: expired })
        return findUnauthorized(
          answer,
          `The request to /issuance/${endpoint} with an expired token`,
        )
      })
      if (finding.kind !== 'held') return finding
      const expire = (seconds: number) => portal.createBearerToken({ expiresIn: -seconds })
      const outlive = async () => {
        const token = await portal.createBearerToken({ expiresIn: lifetime })
        const headers = { authorization: `Bearer ${token}` }
        await asPremise('listing credentials with it', listRecords({ portal, headers }))
        await context.advanceClock(lifetime + tooLate)
        return token
      }
      const endless = await createEndlessToken(portal)
      const expiredFor = (seconds: number) => `A token that expired ${seconds} seconds ago`
      const tokens: readonly EndedToken[] = [
        { what: expiredFor(tooLate), create: () => expire(tooLate) },
        ...(context.can('clock') ? [{ what: expiredFor(tooLate), create: outlive }] : []),
        { what: expiredFor(late), create: () => expire(late), level: 'practice' },
        ...(endless === undefined
          ? []
          : [
              {
                what: 'A token without exp',
                create: async () => endless,
                level: 'practice',
              } as const,
            ]),
      ]
      return findEach(tokens, async ({ what, create, level }) => {
        const headers = { authorization: `Bearer ${await create()}` }
        const answer = await portal.post('credential', validBody('credential', portal), headers)
        const found = findUnauthorized(answer, what)
        return found.kind === 'broken' && level ? { level, ...found } : found
      })
    },
  },
  'I86-claims-without-key': {
    title: 'Only the Connector can read the claims of a credential',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.authentication.2', '1.endpoints/credential-issuer.10'],
    description: 'The claims contain names, addresses and powers of people.',
    sends:
      'POST /issuance/claims without x-api-key, with wrong keys, and with the Bearer token of a representative instead.',
    decides:
      'Each returns 401 or 403. A different 4xx is a WARN: it does not show that the key was the reason.',
    fix: 'Compare x-api-key of POST /issuance/claims with the configured key before you read the body. If it is missing or wrong, return 401.',
    needs: ['portal'],
    run: (context) => findKeysRefused(context, 'claims', { subject_id: randomUUID() }),
  },
})

/**
 * Requests powers as a representative, which must be rejected with 400 and this message; a small
 * allowed power yields an offer.
 *
 * @param powers by what is wrong with them
 */
async function findPowersRefusal(
  context: IssuerContext,
  powers: Readonly<Record<string, unknown>>,
  message: string,
): Promise<Finding> {
  const signedIn = await signIn(context.portal())
  const { portal, headers } = signedIn
  await asPremise('the request of an allowed power', requestOwnOffer(signedIn))
  return findEach(Object.entries(powers), async ([wrong, power]) => {
    const answer = await portal.post('representative', { power }, headers)
    return findDocumentedRefusal(answer, `The request of ${wrong}`, message)
  })
}

/** A Bearer token that never expires; undefined if the target cannot create one. */
async function createEndlessToken({ createBearerToken }: Portal): Promise<string | undefined> {
  const token = await createBearerToken({ omit: 'exp' }).catch((error) => {
    if (endedWith(error)) return ''
    throw error
  })
  const parsed = parseJws(token)
  return parsed.ok && parsed.payload.exp === undefined ? token : undefined
}

interface EndedToken {
  readonly what: string
  readonly create: () => Promise<string>
  /** The level of its acceptance, if lower than that of the check. */
  readonly level?: CheckLevel
}

/** Lets each of two organizations request a power that only the other one may grant. */
async function findForeignPowersRefused(one: Portal, other: Portal): Promise<Finding> {
  const [first, second] = [await signIn(one), await signIn(other)]
  const pairs = [
    { owner: first, stranger: second },
    { owner: second, stranger: first },
  ]
  return findEach(pairs, async ({ owner, stranger }) => {
    const power = unauthorizedPowers(owner.portal.power, stranger.portal.power).slice(0, 1)
    if (power.length === 0) return held('Neither has other powers.')
    const ask = (requested: unknown) =>
      stranger.portal.post('representative', { power: requested }, stranger.headers)
    // The latest powers are now its own; whether they are granted is tested by I145.
    await ask(smallPower(stranger.portal))
    const message = documentedMessages.powersNotAuthorized
    const what = 'The request of a power of another organization'
    const before = findDocumentedRefusal(await ask(power), what, message)
    if (before.kind === 'broken') return { ...before, level: 'practice' }
    if (before.kind !== 'held') return before
    await asPremise('the request of that organization', requestOwnOffer(owner, power))
    return findDocumentedRefusal(await ask(power), `${what} that has just requested it`, message)
  })
}

/**
 * The Connector's endpoint must reject these headers, while a portal with its token is accepted: an
 * issuer that rejects everything proves nothing.
 */
async function findKeysRefused(
  context: IssuerContext,
  endpoint: IssuanceEndpoint,
  json: unknown,
): Promise<Finding> {
  const signedIn = await signIn(context.portal())
  const { portal, headers } = signedIn
  await asPremise('listing credentials with a Bearer token', listRecords(signedIn))
  const requests: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'no x-api-key': {},
    'an empty x-api-key': { 'x-api-key': '' },
    'the Bearer token of a representative': headers,
    'that Bearer token as x-api-key': {
      'x-api-key': headers.authorization.slice('Bearer '.length),
    },
    ...Object.fromEntries(
      ['a-key-of-nobody', '*', 'null', 'undefined', 'true', '0'].map((key) => [
        `the x-api-key ${key}`,
        { 'x-api-key': key },
      ]),
    ),
  }
  return findEach(Object.entries(requests), async ([key, sent]) => {
    const answer = await portal.post(endpoint, json, sent)
    const what = `The request to /issuance/${endpoint} with ${key}`
    return findRefusal(answer, { what, statuses: [401, 403], statusLevel: 'practice' })
  })
}
