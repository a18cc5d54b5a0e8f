import { isTestbedError } from '#core/errors/testbed-error.ts'
import type { Wallet } from '../create-wallet.ts'
import type { WalletErrorCode } from '../wallet-error.ts'

/** Does the work and, where it stops at an error of the wallet, tells that as its last step. */
export async function tellFailure<T>(
  wallet: Wallet,
  action: 'accept-offer' | 'present',
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isTestbedError(error)) {
      const { code, message } = error
      wallet.emit({ type: 'stopped', action, code: code as WalletErrorCode, message })
    }
    throw error
  }
}
