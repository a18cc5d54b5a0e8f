import type { PersonDesk } from './person/person-desk.ts'
import type { VerbAnswer } from './verb-answer.ts'
import type { WalletDriver } from './wallet-driver.ts'

/** Drives a wallet by asking the person who holds it. */
export function createPersonDriver(
  desk: PersonDesk,
  limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
): WalletDriver {
  const notAsked = (verb: string): VerbAnswer => ({
    outcome: 'failed',
    reason: `A person is not asked to ${verb}.`,
    text: '',
    json: undefined,
    source: 'a person',
  })
  return {
    by: 'a person',
    can: { list: false, reset: false },
    acceptOffer: (offer) => desk.ask({ verb: 'accept-offer', ...offer }, limits),
    present: (request) => desk.ask({ verb: 'present', ...request }, limits),
    list: async () => ({ ...notAsked('list'), credentials: [] }),
    reset: async () => notAsked('reset'),
  }
}
