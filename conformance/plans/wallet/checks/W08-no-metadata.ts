import type { Finding } from '../../../kit/check.ts'
import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findOfferRefused } from '../findings/find-offer-refused.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'

export const check = defineCheck<WalletContext>({
  id: 'W08',
  title: 'Without usable metadata nothing is asked for',
  level: 'final',
  expectation: 'refuse',
  control: 'offers',
  clauses: ['OpenID4VCI 1.0, 12.2.2'],
  description:
    'A page, an error or nothing where the metadata has to be: a wallet that guesses sends codes to addresses that nobody named.',
  sends: 'Three offers whose issuer answers 404, 500 and an HTML page for its metadata.',
  decides: 'No token request until the verb ends; 404 and HTML are refused, and 500 is told.',
  async run(context) {
    const findings: Finding[] = []
    for (const [name, answer] of Object.entries(answers)) {
      const session = context.openIssuer({ answers: { metadata: () => answer } })
      const told = await context.wallet.acceptOffer({ link: session.offerByValue() })
      // A wallet that says that the issuer failed has told what happened, though it refused nothing.
      const isToldOutage =
        answer.status === 500 && told.outcome === 'failed' && told.reason.includes('500')
      findings.push(
        findOfferRefused(session, isToldOutage ? { ...told, outcome: 'refused' } : told, {
          why: `the metadata is ${name}`,
          after: 'metadata',
        }),
      )
    }
    return firstNotHeld(findings)
  },
})

const answers = {
  'not there (404)': { status: 404, body: '{"error":"not_found"}' },
  'an error (500)': { status: 500, body: '{"error":"internal_error"}' },
  'an HTML page': { status: 200, contentType: 'text/html', body: '<h1>It works!</h1>' },
}
