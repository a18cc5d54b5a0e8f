import type { Account } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'
import type { WalletFault } from './wallet-fault.ts'

/**
 * Faults add up as long as each sets members of its own. Throws a TestbedError `unfit_faults` that
 * names the two that set the same one, or the one that an account of this curve can't have.
 */
export function requireCompatibleFaults(
  faults: readonly WalletFault[],
  { algorithm }: Account,
): void {
  const setBy = new Map<string, string>()
  for (const { name, algorithms, apply } of faults) {
    if (algorithms && !algorithms.includes(algorithm)) {
      const only = algorithms.join(' and ')
      throw unfit(`${name} is for accounts with ${only}, this one has ${algorithm}.`)
    }
    for (const [stage, change] of Object.entries(apply)) {
      for (const member of change.members.map((path) => `${stage}.${path}`)) {
        const [found, other] = [...setBy].find(([known]) => overlap(known, member)) ?? []
        if (other !== undefined) {
          const shorter = found && found.length < member.length ? found : member
          throw unfit(`${other} and ${name} contradict each other: both set ${shorter}.`)
        }
      }
    }
    for (const [stage, change] of Object.entries(apply)) {
      for (const path of change.members) setBy.set(`${stage}.${path}`, name)
    }
  }
}

/** One is the other, or stands within it. */
const overlap = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

const unfit = (message: string) => walletError('unfit_faults', message)
