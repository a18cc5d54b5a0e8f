import type { HolderSuite } from '#core/crypto/suites.ts'
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
  for (const fault of faults) {
    requireCurve(fault, algorithm)
    const members = membersOf(fault)
    for (const member of members) {
      const known = [...setBy.keys()].find((other) => overlap(other, member))
      if (known === undefined) continue
      const both = known.length < member.length ? known : member
      const names = `${setBy.get(known)} and ${fault.name}`
      throw unfit(`${names} contradict each other: both set ${both}.`)
    }
    for (const member of members) setBy.set(member, fault.name)
  }
}

function requireCurve({ name, algorithms }: WalletFault, algorithm: HolderSuite): void {
  if (!algorithms || algorithms.some((name) => name === algorithm)) return
  const only = algorithms.join(' and ')
  throw unfit(`${name} is for accounts with ${only}, this one has ${algorithm}.`)
}

const membersOf = ({ apply }: WalletFault): readonly string[] =>
  Object.entries(apply).flatMap(([stage, { members }]) => members.map((path) => `${stage}.${path}`))

/** One is the other, or stands within it. */
const overlap = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

const unfit = (message: string) => walletError('unfit_faults', message)
