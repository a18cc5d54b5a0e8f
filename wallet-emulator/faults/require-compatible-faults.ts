import type { HolderSuite } from '#core/crypto/suites.ts'
import type { Account } from '../keys/create-account.ts'
import { walletError } from '../wallet-error.ts'
import type { WalletFault } from './wallet-fault.ts'

/**
 * Faults can be combined if they set different members. Throws a TestbedError `unfit_faults` with
 * the two faults that set the same member, or the fault that does not apply to the account's curve.
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
      throw unfit(`${names} conflict with each other: both set ${both}.`)
    }
    for (const member of members) setBy.set(member, fault.name)
  }
}

function requireCurve({ name, algorithms }: WalletFault, algorithm: HolderSuite): void {
  if (!algorithms || algorithms.some((name) => name === algorithm)) return
  const only = algorithms.join(' and ')
  throw unfit(`${name} requires an account with ${only}, but this account has ${algorithm}.`)
}

const membersOf = ({ apply }: WalletFault): readonly string[] =>
  Object.entries(apply).flatMap(([stage, { members }]) => members.map((path) => `${stage}.${path}`))

/** True if one path equals or contains the other. */
const overlap = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

const unfit = (message: string) => walletError('unfit_faults', message)
