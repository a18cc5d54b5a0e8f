import { type Finding, held, inconclusive, wronglyAccepted } from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-behaviour.ts'
import type { IssuerSession } from '../counterparts/issuer-session.ts'
import { tellRequests } from './take-credential.ts'

/**
 * Has the wallet accept an offer whose credential it must not keep, and tells whether it did: by what
 * it says, and by its list where it has one. `wrong` says what is wrong, to follow `a credential`.
 */
export async function findCredentialNotKept(
  context: WalletContext,
  behaviour: IssuerBehaviour,
  wrong: string,
): Promise<Finding> {
  const session = context.openIssuer(behaviour)
  const answer = await context.wallet.acceptOffer({ link: session.offerByValue() })
  const finding = await judge(context, session, answer, wrong)
  if (finding.kind !== 'held') context.noteChanged()
  return finding
}

async function judge(
  { wallet }: WalletContext,
  session: IssuerSession,
  { outcome, reason, source: verdictSource }: VerbAnswer,
  wrong: string,
): Promise<Finding> {
  const [credential] = session.delivered
  if (credential === undefined) {
    const told = `The wallet never got the credential ${wrong}: ${tellRequests(session)}`
    return inconclusive(`${told} ${reason}`, { verdictSource })
  }
  if (outcome === 'done') {
    return wronglyAccepted(`The wallet accepted a credential ${wrong}.`, { verdictSource })
  }
  const listed = wallet.can.list ? await wallet.list() : undefined
  if (listed && listsCredential(listed.credentials, credential)) {
    const told = `The wallet said that it refused, but lists a credential ${wrong}`
    return wronglyAccepted(`${told}: ${reason}`, { verdictSource: listed.source })
  }
  if (outcome !== 'refused') return inconclusive(reason, { verdictSource })
  const checked = listed?.outcome === 'done' ? ', does not list it,' : ''
  return held(`The wallet did not keep it${checked} and said: ${reason}`, { verdictSource })
}

/** Whether a wallet's list holds a credential: the JWT itself, or its id. */
export function listsCredential(listed: readonly unknown[], credential: string): boolean {
  const [, payload = ''] = credential.split('.')
  const text = JSON.stringify(listed)
  if (text.includes(credential)) return true
  try {
    const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return typeof jti === 'string' && text.includes(jti)
  } catch {
    return false
  }
}
