import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { documentedMessages } from '#scenarios/fixtures/portal.ts'
import { broken, defineChecks, type Finding, findEach } from '../../../kit/check.ts'
import { asPremise, findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { IssuanceEndpoint } from '../open-portal.ts'
import { listRecords, requestOwnOffer, signIn, smallPower } from '../portal-steps.ts'
import { findDocumentedRefusal } from '../refusals.ts'

const claims = ['organization_identifier', 'organization', 'user_identifier', 'email']

const never = 'never-granted-to-anybody'

const documented = { error: 'Unauthorized', detail: 'invalid token' }

export const checks = defineChecks<IssuerContext>({
  'I76-claims-missing': {
    title: 'A Bearer token without a required claim does not yield an offer',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.errors.2', '1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
    description:
      'A value that is missing in the token would be missing or invented in the mandate.',
    sends: `POST /issuance/representative with tokens without ${claims.join(', ')}, one at a time.`,
    decides: `Each returns 400, and the answer contains "${documentedMessages.missingData}". With all claims there is an offer.`,
    fix: `Require these claims in the Bearer token: ${claims.join(', ')}. If one is missing, answer 400 with the message "${documentedMessages.missingData}".`,
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
    rows: ['1.errors.3', '1.resources-and-their-fields/power-object.6'],
    description: 'Otherwise an organization could give itself any power.',
    sends: `POST /issuance/representative with a power of the target in which the domain, the function or an additional action is "${never}".`,
    decides: `Each returns 400, and the answer contains "${documentedMessages.powersNotAuthorized}". An allowed power yields an offer.`,
    fix: `Compare domain, function and each action with the powers that the organization may grant. If one is not among them, answer 400 with the message "${documentedMessages.powersNotAuthorized}".`,
    needs: ['portal'],
    run(context) {
      const { power } = context.portal()
      const [granted] = power
      const powers = granted && {
        'a different domain': [{ ...granted, domain: never }],
        'a different function': [{ ...granted, function: never }],
        'an additional action': [{ ...granted, action: [...granted.action, never] }],
      }
      return findPowersRefusal(context, powers ?? {}, documentedMessages.powersNotAuthorized)
    },
  },
  'I78-action-empty': {
    title: 'A power without an action is rejected, and so is a request without a power',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.resources-and-their-fields/power-object.4', '1.limits.4', '1.limits.5', '1.errors.2'],
    description: 'An empty list passes a check that only tests each action.',
    sends:
      'POST /issuance/representative with a power of the target without an action, and without a power.',
    decides: `Each returns 400, and the answer contains "${documentedMessages.missingData}". A power with an action yields an offer.`,
    fix: `Require at least one power, and at least one action in each. Otherwise answer 400 with the message "${documentedMessages.missingData}".`,
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
    rows: ['1.authentication.2', '1.endpoints/credential-issuer.9'],
    description: 'With a forged confirmation, records would show an issuance that never happened.',
    sends: 'POST /issuance/notifications without x-api-key, and with a wrong key.',
    decides:
      'Each returns 401 or 403. A different 4xx is a WARN: it does not show that the key was the reason.',
    fix: 'Compare x-api-key of POST /issuance/notifications with the configured key before you read the body. If it is missing or wrong, answer 401.',
    needs: ['portal'],
    run: (context) =>
      findKeysRefused(
        context,
        'notifications',
        { subject_id: randomUUID(), event: 'issued' },
        {
          'The notification without x-api-key': {},
          'The notification with a wrong x-api-key': { 'x-api-key': 'a-key-of-nobody' },
        },
      ),
  },
  'I81-expired-bearer': {
    title: 'An expired Bearer token returns 401 with the documented body',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.errors.1', '1.authentication.1'],
    description: 'This body shows a portal that its representative must sign in again.',
    sends: 'POST /issuance/representative with a token that expired an hour ago.',
    decides: `The answer is 401 with ${JSON.stringify(documented)}, while a valid token yields an offer.`,
    fix: `Compare exp of the Bearer token with the current time. If it has passed, answer 401 with the body ${JSON.stringify(documented)}.`,
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      await asPremise('the request with a valid token', requestOwnOffer(await signIn(portal)))
      const authorization = `Bearer ${await portal.createBearerToken({ expiresIn: -3600 })}`
      const json = { power: smallPower(portal) }
      const answer = await portal.post('representative', json, { authorization })
      const what = 'The request with an expired token'
      const finding = findRefusal(answer, { what, statuses: [401] })
      if (finding.kind !== 'held') return finding
      const { error, detail } = (answer.json ?? {}) as Record<string, unknown>
      if (isDeepStrictEqual({ error, detail }, documented)) return finding
      return broken(`${what} was rejected, but not with the documented body`, {
        expected: documented,
        actual: answer.json ?? answer.text.slice(0, 300),
        verdictSource: 'the answer of /issuance/representative',
      })
    },
  },
  'I86-claims-without-key': {
    title: 'Only the Connector can read the claims of a credential',
    level: 'spec',
    expectation: 'refuse',
    rows: ['1.authentication.2', '1.endpoints/credential-issuer.10'],
    description: 'The claims contain names, addresses and powers of people.',
    sends: 'POST /issuance/claims without x-api-key.',
    decides:
      'The answer is 401 or 403. A different 4xx is a WARN: it does not show that the key was the reason.',
    fix: 'Compare x-api-key of POST /issuance/claims with the configured key before you read the body. If it is missing, answer 401.',
    needs: ['portal'],
    run: (context) =>
      findKeysRefused(
        context,
        'claims',
        { subject_id: randomUUID() },
        { 'The request without x-api-key': {} },
      ),
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

/**
 * The Connector's endpoint must reject these headers, while a portal with its token is accepted: an
 * issuer that rejects everything proves nothing.
 */
async function findKeysRefused(
  context: IssuerContext,
  endpoint: IssuanceEndpoint,
  json: unknown,
  headers: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<Finding> {
  const portal = context.portal()
  await asPremise('listing credentials with a Bearer token', signIn(portal).then(listRecords))
  return findEach(Object.entries(headers), async ([what, sent]) => {
    const answer = await portal.post(endpoint, json, sent)
    return findRefusal(answer, { what, statuses: [401, 403], statusLevel: 'practice' })
  })
}
