import { defineCheck } from '../../../define-check.ts'
import type { Finding } from '../../../finding.ts'
import { broken, held } from '../../../finding.ts'
import type { WalletContext } from '../context.ts'
import { firstNotHeld } from '../findings/first-not-held.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W04',
  title: 'A PIN of four to eight digits is sent as it was typed',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.resources-and-their-fields/credential-offer-object.4',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
  ],
  description: 'A PIN is a text: a wallet that reads it as a number loses zeros in front.',
  sends:
    'Three offers with tx_code {length 4, 6, 8, input_mode numeric}, and PINs of which some begin with zero.',
  decides: 'tx_code of each token request is the PIN, and the credential is handed out.',
  async run(context) {
    const findings: Finding[] = []
    for (const pin of ['4935', '049352', '00718293']) {
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
