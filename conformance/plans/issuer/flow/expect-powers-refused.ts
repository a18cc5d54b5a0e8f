import type { Finding } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { allHeld } from './all-held.ts'
import { findDocumentedRefusal } from './find-documented-refusal.ts'
import { requestOwnOffer } from './request-own-offer.ts'
import { signIn } from './sign-in.ts'

/**
 * A representative asks for powers that have to be refused with 400 and this message; a small power
 * that may be granted brings an offer.
 *
 * @param powers by what is wrong with them
 */
export async function expectPowersRefused(
  context: IssuerContext,
  powers: Readonly<Record<string, unknown>>,
  message: string,
): Promise<Finding> {
  const signedIn = await signIn(context.portal())
  const { portal, headers } = signedIn
  await asPremise('the request of a power that may be granted', requestOwnOffer(signedIn))
  const findings: Finding[] = []
  for (const [wrong, power] of Object.entries(powers)) {
    const what = `The request of ${wrong}`
    const answer = await portal.post('representative', { power }, headers)
    const finding = findDocumentedRefusal(answer, { what, status: 400, message })
    if (finding.kind !== 'held') return finding
    findings.push(finding)
  }
  return allHeld(findings)
}
