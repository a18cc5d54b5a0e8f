import { broken, defineCheck, type Finding } from '../../../kit/check.ts'
import { findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, redeem } from '../redeeming.ts'
import { allHeld, requireControl } from '../refusals.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I46',
  title: 'Without a good access token there is no credential, and the answer asks for one',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '1.authentication.7',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.8',
  ],
  clauses: ['OpenID4VCI 1.0, 8.3.1.1', 'RFC 6750, 3'],
  description:
    'The access token says who redeemed the offer. By the challenge a client knows that its token is at fault, and not what it asked for.',
  sends:
    'The credential request without an access token, with one that nobody gave out, and, where the clock can be moved, with one past its expires_in.',
  decides:
    'Each is answered 4xx. Another status than 401, or none of WWW-Authenticate: Bearer beside it, is a WARN.',
  async run(context) {
    const session = await redeem(context)
    const headers = { authorization: 'Bearer no.access.token' }
    const findings = [
      await refused(context, session, { headers: {} }, 'no access token'),
      await refused(context, session, { headers }, 'an access token that nobody gave out'),
    ]
    const { expiresIn } = session.token
    if (context.can('clock') && expiresIn !== undefined) {
      await context.advanceClock(expiresIn + 1)
      findings.push(await refused(context, session, {}, 'an access token past its expires_in'))
    }
    const wrong = findings.find(({ kind }) => kind !== 'held')
    if (wrong) return wrong
    await requireControl(context)
    return allHeld(findings)
  },
})

async function refused(
  context: IssuerContext,
  session: Awaited<ReturnType<typeof redeem>>,
  request: { readonly headers?: Readonly<Record<string, string>> },
  what: string,
): Promise<Finding> {
  const answer = await askForCredential(context, session, request)
  const finding = findRefusal(answer, {
    what: `The credential request with ${what}`,
    statuses: [401],
    statusLevel: 'final',
  })
  const challenge = answer.headers.get('www-authenticate')
  if (finding.kind !== 'held' || /^bearer\b/i.test(challenge ?? '')) return finding
  return broken(`For ${what} there is no challenge.`, {
    expected: 'WWW-Authenticate: Bearer',
    actual: challenge,
    verdictSource: 'WWW-Authenticate of the credential endpoint',
    level: 'final',
  })
}
