import { broken, endCheck, inconclusive } from '../../../kit/check.ts'
import type { VerbAnswer } from '../../../targets/adapters/call-verb.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-behaviour.ts'
import type { IssuerSession } from '../counterparts/issuer-session.ts'

export interface TakeCredentialOptions {
  /** By default the issuer is as good as can be. */
  readonly behaviour?: IssuerBehaviour
  /** By default by value. */
  readonly delivery?: 'value' | 'reference'
  /** By default that of the behaviour. */
  readonly pin?: string
}

export interface TakenCredential {
  readonly session: IssuerSession
  readonly answer: VerbAnswer
  readonly credential: string
}

/**
 * Has the wallet accept an offer that it has to accept, and goes on only where it says that it did
 * and the kit handed a credential out.
 */
export async function takeCredential(
  context: WalletContext,
  { behaviour = {}, delivery = 'value', pin = behaviour.pin }: TakeCredentialOptions = {},
): Promise<TakenCredential> {
  const session = context.openIssuer(behaviour)
  const link = delivery === 'value' ? session.offerByValue() : session.offerByReference()
  const answer = await context.wallet.acceptOffer({ link, ...(pin === undefined ? {} : { pin }) })
  const credential = session.delivered.at(-1)
  const { outcome, reason, source: verdictSource } = answer
  if (outcome === 'refused') {
    endCheck(broken(`The wallet refused an offer that is good: ${reason}`, { verdictSource }))
  }
  if (outcome !== 'done') {
    endCheck(inconclusive(`Whether the wallet takes the offer can't be told: ${reason}`))
  }
  if (credential === undefined) {
    const told = 'The wallet said that it had accepted the offer, but it got no credential'
    endCheck(inconclusive(`${told}; ${tellRequests(session)}`, { verdictSource }))
  }
  context.noteHeld(credential)
  context.proven.add('offers')
  return { session, answer, credential }
}

/** What a wallet asked an issuer for, in words. */
export function tellRequests({ requests }: IssuerSession): string {
  if (requests.length === 0) return 'it asked the issuer for nothing.'
  const names = requests.map(({ method, path }) => `${method} ${path}`)
  return `it sent ${names.join(', ')}.`
}
