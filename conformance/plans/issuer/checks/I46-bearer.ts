import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, defineCheck, type Finding, findEach } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, type CredentialRequestOptions, redeem } from '../redeeming.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I46',
  title: 'Without a valid access token there is no credential, and the answer has a challenge',
  level: 'spec',
  expectation: 'refuse',
  control: 'offer',
  rows: [
    '1.authentication.7',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.8',
  ],
  clauses: ['OpenID4VCI 1.0, 8.3.1.1', 'RFC 6750, 3'],
  description:
    'The access token shows who redeemed the offer. The challenge shows a client that its token is the problem, and not its request.',
  sends:
    'The credential request without an access token, with a made-up token, and, if the clock can be moved, with an expired token.',
  decides:
    'Each returns 4xx. A status other than 401, a missing WWW-Authenticate: Bearer, and a challenge with an error although there was no access token, is a WARN.',
  fix: 'Verify the access token before the body. If it is missing, unknown or expired, answer 401 with the header WWW-Authenticate: Bearer.',
  async run(context) {
    const session = await redeem(context)
    const { expiresIn } = session.token
    const requests: readonly WrongToken[] = [
      { what: 'no access token', headers: {} },
      {
        what: 'a made-up access token',
        headers: { authorization: 'Bearer no.access.token' },
      },
      ...(context.can('clock') && expiresIn !== undefined
        ? [{ what: 'an access token past its expires_in', after: expiresIn + 1 }]
        : []),
    ]
    return findEach(requests, async ({ what, after, ...request }) => {
      if (after !== undefined) await context.advanceClock(after)
      const answer = await askForCredential(context, session, request)
      return findChallenge(
        answer,
        what,
        request.headers?.authorization === undefined && after === undefined,
      )
    })
  },
})

interface WrongToken extends Pick<CredentialRequestOptions, 'headers'> {
  readonly what: string
  /** Seconds to wait before the request. */
  readonly after?: number
}

/** @param isAnonymous without an access token a challenge has no error (RFC 6750, 3.1) */
function findChallenge(answer: HttpAnswer, what: string, isAnonymous: boolean): Finding {
  const finding = findRefusal(answer, {
    what: `The credential request with ${what}`,
    statuses: [401],
    statusLevel: 'final',
  })
  if (finding.kind !== 'held') return finding
  const challenge = answer.headers.get('www-authenticate')
  if (/^bearer\b/i.test(challenge ?? '')) {
    if (!isAnonymous || !/\berror=/i.test(challenge ?? '')) return finding
    return broken(`The challenge for ${what} names an error.`, {
      expected: 'WWW-Authenticate: Bearer without error',
      actual: challenge,
      verdictSource: 'WWW-Authenticate of the credential endpoint',
      level: 'practice',
    })
  }
  return broken(`The answer for ${what} has no challenge.`, {
    expected: 'WWW-Authenticate: Bearer',
    actual: challenge,
    verdictSource: 'WWW-Authenticate of the credential endpoint',
    level: 'final',
  })
}
