import { didYouMean } from '#core/text/find-nearest.ts'
import { walletError } from '../wallet-error.ts'
import { credentialRequestFaults, deferredFaults } from './credential-request-faults.ts'
import { presentationClaimsFaults, presentationSignatureFaults } from './presentation-faults.ts'
import { presentationResponseFaults } from './presentation-response-faults.ts'
import { proofClaimsFaults, proofSignatureFaults } from './proof-faults.ts'
import { tokenRequestFaults } from './token-request-faults.ts'
import type { WalletFault } from './wallet-fault.ts'

/** The deviations at an issuer, in the order of the flow. */
export const issuanceFaults: readonly WalletFault[] = [
  ...tokenRequestFaults,
  ...credentialRequestFaults,
  ...proofClaimsFaults,
  ...proofSignatureFaults,
  ...deferredFaults,
]

/** The deviations at a verifier, in the order of its rules. */
export const presentationFaults: readonly WalletFault[] = [
  ...presentationSignatureFaults,
  ...presentationClaimsFaults,
  ...presentationResponseFaults,
]

/** Every named deviation. */
export const allFaults: readonly WalletFault[] = [...issuanceFaults, ...presentationFaults]

/** Returns the deviation with that name, or undefined. */
export function findFault(name: string): WalletFault | undefined {
  return allFaults.find((fault) => fault.name === name)
}

/**
 * Returns the deviations with these names, in their order. Throws a TestbedError `unknown_fault`
 * for an unknown name, with the nearest names as hints.
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
