import { defineCheck } from '../../../define-check.ts'
import type { Finding } from '../../../finding.ts'
import { broken, held } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W05',
  title: 'A PIN of letters and signs is sent as it was typed',
  level: 'final',
  expectation: 'accept',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description:
    'input_mode may be text. Signs that mean something in a form, and capitals, have to arrive as they are.',
  sends:
    'An offer with tx_code {input_mode text}, and a PIN with capitals, an ampersand and a plus sign.',
  decides: 'tx_code of the token request is the PIN, and the credential is handed out.',
  async run(context) {
    const findings: Finding[] = []
    for (const pin of ['Kx7+p&Q=9z']) {
      const { session } = await takeCredential(context, { behaviour: { pin } })
      const [request] = session.requestsTo('token')
      const sent = new URLSearchParams(request?.body).get('tx_code')
      findings.push(
        sent === pin
          ? held(`The wallet sent the PIN ${pin}.`, { verdictSource: 'token request' })
          : broken(`The wallet sent another tx_code than the PIN ${pin}.`, {
              verdictSource: 'token request',
              expected: pin,
              actual: sent,
            }),
      )
    }
    return firstNotHeld(findings)
  },
})
