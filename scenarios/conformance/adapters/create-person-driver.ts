import type { PersonDesk } from './person/person-desk.ts'
import type { WalletDriver } from './wallet-driver.ts'

/** Drives a wallet by asking the person who holds it. */
export function createPersonDriver(
  desk: PersonDesk,
  limits: { readonly signal: AbortSignal; readonly timeoutMilliseconds: number },
): WalletDriver {
  const unable = async (verb: string) => ({
    outcome: 'failed' as const,
    reason: `A person is not asked to ${verb} the wallet.`,
    text: '',
    json: undefined,
    source: 'a person',
  })
  return {
    by: 'a person',
    can: { list: false, reset: false },
    acceptOffer: ({ link, pin }) =>
      desk.ask(
        {
          verb: 'accept-offer',
          title: 'A credential is offered',
          about: 'Scan the code with the wallet and try to get the credential into it.',
          link,
          ...(pin === undefined ? {} : { pin }),
        },
        limits,
      ),
    present: ({ link }) =>
      desk.ask(
        {
          verb: 'present',
          title: 'A presentation is asked for',
          about: 'Scan the code with the wallet and try to present a credential.',
          link,
        },
        limits,
      ),
    list: async () => ({ ...(await unable('list')), credentials: [] }),
    reset: () => unable('reset'),
  }
}
