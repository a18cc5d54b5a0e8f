import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import {
  broken,
  type CheckLevel,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { classifyStatus, findRefusal } from '../../../kit/classify-answer.ts'
import { allHeld, findEach } from '../../../kit/find-each.ts'
import { similarTexts, valuesOf } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { listRecords, signIn } from '../portal-steps.ts'
import type { Session } from '../proofs.ts'
import { askForCredential, type CredentialRequestOptions, redeem } from '../redeeming.ts'

interface WrongHeaders {
  /** To follow `The credential request with`. */
  readonly what: string
  readonly headers: Readonly<Record<string, string>>
  /** The level of its acceptance, if lower than that of the check. */
  readonly level?: CheckLevel
}

/** What the token response and the offer contain. */
interface Secrets {
  readonly accessToken: string
  readonly code: string
  readonly cNonce: string | undefined
}

export const checks = defineChecks<IssuerContext>({
  'I46-bearer': {
    title: 'A request without a valid access token gets a challenge, not a credential',
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
    fix: 'Verify the access token before the body. If it is missing, unknown or expired, return 401 with the header WWW-Authenticate: Bearer.',
    async run(context) {
      let session: Session | undefined = await redeem(context)
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
        session ??= await redeem(context)
        if (after !== undefined) await context.advanceClock(after)
        const answer = await askForCredential(context, session, request)
        const isAnonymous = request.headers?.authorization === undefined && after === undefined
        const found = findChallenge(answer, what, isAnonymous)
        // The credential of an accepted request has used the proof.
        if (found.kind !== 'held') session = undefined
        return found
      })
    },
  },
  'I117-similar-access-token': {
    title: 'A value that only resembles the access token does not yield a credential',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.authentication.7', '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7'],
    clauses: ['OpenID4VCI 1.0, 8.3.1.1'],
    description:
      'A look-up that ignores case or compares a part makes tokens easier to guess. A code is in a QR code that other people see.',
    sends:
      'Credential requests with a correct proof, and as access token a changed, shortened or extended one, the code of the offer, or the c_nonce. Then the correct one.',
    decides:
      'The credential endpoint responds to each with a 4xx, and the correct request with a credential. A status other than 401 is a WARN.',
    fix: 'Look up the access token by an exact, case-sensitive comparison of the whole string; if it is a JWT, verify all of its parts. Otherwise return 401.',
    run: (context) =>
      findHeadersRefused(context, ({ accessToken, code, cNonce }) => [
        ...valuesOf(similarTexts, accessToken)
          // Spaces around the value of a header do not belong to it.
          .filter(({ value }) => value.trim() !== accessToken)
          .map(({ what, value }) => ({
            what: `an access token that ${what}`,
            ...bearer(value),
          })),
        { what: 'the code as access token', ...bearer(code) },
        ...(cNonce === undefined
          ? []
          : [{ what: 'the c_nonce as access token', ...bearer(cNonce) }]),
      ]),
  },
  'I118-other-scheme': {
    title: 'An access token outside of a Bearer header does not yield a credential',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.8',
    ],
    clauses: ['OpenID4VCI 1.0, 8.3.1.1'],
    description:
      'A token of a scheme with a proof of possession must not become a Bearer token, and a cookie is sent by browsers on behalf of any page.',
    sends:
      'Credential requests with the correct access token, but in a different scheme, without a scheme, twice, in a cookie and in other headers. Then the correct request.',
    decides:
      'The credential endpoint responds to each with a 4xx, and the correct request with a credential. A status other than 401 is a WARN, and so is accepting the token twice or in another header.',
    fix: 'Require the header Authorization with the scheme Bearer and one token. Reject anything else with 401 and WWW-Authenticate: Bearer.',
    run: (context) =>
      findHeadersRefused(context, ({ accessToken }) => [
        ...['Basic', 'DPoP', 'Token', 'BearerX', 'X-Bearer', 'Bearer:'].map((scheme) => ({
          what: `the scheme ${scheme}`,
          headers: { authorization: `${scheme} ${accessToken}` },
        })),
        { what: 'no scheme', headers: { authorization: accessToken } },
        { what: 'no space after Bearer', headers: { authorization: `Bearer${accessToken}` } },
        { what: 'the token twice', ...bearer(`${accessToken} ${accessToken}`), ...less },
        {
          what: 'the token in a cookie',
          headers: { cookie: `access_token=${accessToken}` },
          ...less,
        },
        {
          what: 'the token in X-Access-Token',
          headers: { 'x-access-token': accessToken },
          ...less,
        },
        {
          what: 'the token in Proxy-Authorization',
          headers: { 'proxy-authorization': `Bearer ${accessToken}` },
          ...less,
        },
      ]),
  },
  'I119-scheme-in-other-case': {
    title: 'The scheme Bearer is case-insensitive',
    level: 'final',
    expectation: 'accept',
    clauses: ['RFC 9110, 11.1'],
    description: 'The name of a scheme is case-insensitive, and some HTTP libraries write bearer.',
    sends:
      'A credential request with the scheme bearer. If the target has a portal, also a request for the list with BEARER.',
    decides: 'Both succeed, as with Bearer.',
    fix: 'Compare the scheme of Authorization with bearer regardless of case, for the access tokens of wallets and the Bearer tokens of portals.',
    async run(context) {
      const session = await redeem(context)
      const json = createRequestBody(session.wallet, session)
      const headers = { authorization: `bearer ${session.token.accessToken}` }
      const { status } = await askForCredential(context, session, { json, headers })
      const finding = await findServed('bearer', status, async () => {
        const again = await askForCredential(context, await redeem(context))
        return again.status
      })
      if (finding.kind !== 'held' || !context.can('portal')) return finding
      const signedIn = await signIn(context.portal())
      const { portal } = signedIn
      const body = { organization_identifiers: [portal.organizationIdentifier] }
      const authorization = signedIn.headers.authorization.replace('Bearer', 'BEARER')
      const list = await portal.post('credential', body, { authorization })
      return allHeldOrWorse(
        finding,
        await findServed('BEARER', list.status, async () => {
          await listRecords(signedIn)
          return 200
        }),
      )
    },
  },
})

/** The profile does not forbid a second place for the token. */
const less = { level: 'practice' } as const

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

const allHeldOrWorse = (one: Finding, other: Finding) =>
  other.kind === 'held' ? allHeld([one, other]) : other

/** A rejection counts if the same request with `Bearer` succeeds. */
async function findServed(
  scheme: string,
  status: number,
  askNormally: () => Promise<number>,
): Promise<Finding> {
  const verdictSource = 'HTTP status of the request'
  const kind = classifyStatus(status)
  if (kind === 'accepted') return held(`${scheme} is accepted.`, { verdictSource })
  const observed = `The request with the scheme ${scheme} was answered with HTTP ${status}`
  if (kind !== 'refused' || classifyStatus(await askNormally()) !== 'accepted') {
    return inconclusive(`${observed}, which is not a verdict on the scheme.`, { verdictSource })
  }
  const details = { expected: 'as for Bearer', actual: status, verdictSource }
  return broken(`${observed}, while Bearer is accepted.`, details)
}

/**
 * Sends the correct credential request of one session with wrong headers, then with the right one,
 * which must succeed: otherwise the rejections may have another reason.
 */
async function findHeadersRefused(
  context: IssuerContext,
  headersOf: (secrets: Secrets) => readonly WrongHeaders[],
): Promise<Finding> {
  const open = async () => {
    const session = await redeem(context)
    const { accessToken, cNonce } = session.token
    const wrong = headersOf({ accessToken, cNonce, code: session.resolved.preAuthorizedCode })
    return { session, wrong, json: createRequestBody(session.wallet, session) }
  }
  const first = await open()
  let current: typeof first | undefined = first
  const finding = await findEach(first.wrong, async (each) => {
    current ??= await open()
    const { session, json, wrong } = current
    const { what, headers, level } = wrong.find(({ what }) => what === each.what) ?? each
    const found = findRefusal(await askForCredential(context, session, { json, headers }), {
      what: `The credential request with ${what}`,
      statuses: [401],
      statusLevel: 'final',
    })
    // The credential of an accepted request has used the proof.
    if (found.kind !== 'held') current = undefined
    return found.kind === 'broken' && level ? { level, ...found } : found
  })
  if (finding.kind !== 'held') return finding
  const { session, json } = first
  const { status } = await askForCredential(context, session, { json })
  if (classifyStatus(status) !== 'accepted') {
    return inconclusive(`The correct credential request was answered with HTTP ${status}.`)
  }
  context.proven.add('offer')
  return finding
}

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
  return broken(`The response for ${what} has no challenge.`, {
    expected: 'WWW-Authenticate: Bearer',
    actual: challenge,
    verdictSource: 'WWW-Authenticate of the credential endpoint',
    level: 'final',
  })
}
