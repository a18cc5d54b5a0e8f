import type { ConnectedWallet } from '#testbed/wallet-server/connect-wallet.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'
import type { PlayedWallet, WalletSession } from './create-wallet-session.ts'

/** What the verbs of the wallet server work with. */
export interface WalletServerDependencies {
  readonly session: WalletSession
  /** Gives the wallet its way out for a link: a clock, a policy for addresses, registries. */
  connect(wallet: PlayedWallet, link: string): Promise<ConnectedWallet>
  /** How it waits for a credential that is not ready; by default as the wallet does. */
  readonly deferral?: DeferralOptions
}
