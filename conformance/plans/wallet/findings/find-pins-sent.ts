import { broken, type Finding, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { firstNotHeld } from './first-not-held.ts'
import { takeCredential } from './take-credential.ts'

/** Has the wallet accept an offer for each PIN, and tells whether it sent them as they are. */
export async function findPinsSent(
  context: WalletContext,
  pins: readonly string[],
): Promise<Finding> {
  const findings: Finding[] = []
  const verdictSource = 'token request'
  for (const pin of pins) {
    const { session } = await takeCredential(context, { behaviour: { pin } })
    const [request] = session.requestsTo('token')
    const sent = new URLSearchParams(request?.body).get('tx_code')
    findings.push(
      sent === pin
        ? held(`The wallet sent the PIN of ${pin.length} signs.`, { verdictSource })
        : broken(tellDifference(sent, pin), {
            verdictSource,
            expected: pin,
            actual: sent,
          }),
    )
  }
  return firstNotHeld(findings)
}

/** What is wrong with a PIN, without the PIN: no report shows one. */
function tellDifference(sent: string | null, pin: string): string {
  if (sent === null) return 'The token request has no tx_code, although there is a PIN.'
  const zeros = pin.length - pin.replace(/^0+/, '').length
  if (zeros > 0 && sent === pin.slice(zeros)) {
    return `The wallet sent a PIN of ${pin.length} digits without the zeros in front: ${sent.length} digits arrived.`
  }
  return `The wallet sent another tx_code (${sent.length} signs) than the PIN (${pin.length} signs).`
}
