import { broken, type Finding, held, inconclusive } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'

/** What a wallet did that met a redirect at an endpoint of the issuer. */
export async function findRedirectNotFollowed(
  context: WalletContext,
  endpoint: 'token' | 'credential',
): Promise<Finding> {
  const session = context.openIssuer({
    answers: { [endpoint]: () => ({ status: 307, headers: { location: 'elsewhere' } }) },
  })
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const { outcome, reason, source: verdictSource } = answer
  if (session.requestsTo(endpoint).length === 0) {
    const told = `The wallet never asked the ${endpoint} endpoint`
    return inconclusive(`${told}: ${reason}`, { verdictSource })
  }
  const followed = session.requestsTo('elsewhere')
  if (followed.length > 0) {
    return broken('The wallet followed the redirect.', {
      verdictSource: 'requests to the other address',
      actual: followed.map(({ method, path }) => `${method} ${path}`),
    })
  }
  if (outcome === 'done') {
    return broken('The wallet said that it had the credential.', { verdictSource })
  }
  return outcome === 'refused'
    ? held(`The wallet stopped there and said: ${reason}`, { verdictSource })
    : inconclusive(`The wallet did not follow the redirect; ${reason}`, { verdictSource })
}
