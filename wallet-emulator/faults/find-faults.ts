import { didYouMean } from '#core/text/find-nearest.ts'
import { walletError } from '../wallet-error.ts'
import { allFaults, findFault } from './all-faults.ts'
import type { WalletFault } from './wallet-fault.ts'

/**
 * The deviations of these names, in their order. Throws a TestbedError `unknown_fault` for a name
 * that there is not, with the nearest ones as hints.
 */
export function findFaults(names: readonly string[]): readonly WalletFault[] {
  return names.map((name) => findFault(name) ?? unknown(name))
}

function unknown(wanted: string): never {
  throw walletError('unknown_fault', `There is no wallet fault "${wanted}".`, {
    hints: didYouMean(
      wanted,
      allFaults.map(({ name }) => name),
    ),
  })
}
