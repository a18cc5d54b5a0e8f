import { didYouMean } from '#core/text/find-nearest.ts'
import { walletError } from '../wallet-error.ts'
import { accessTokenFaults } from './access-token-faults.ts'
import { credentialRequestFaults } from './credential-request-faults.ts'
import { deferredFaults } from './deferred-faults.ts'
import { pinFaults } from './pin-faults.ts'
import { presentationClaimsFaults } from './presentation-claims-faults.ts'
import { presentationResponseFaults } from './presentation-response-faults.ts'
import { presentationSignatureFaults } from './presentation-signature-faults.ts'
import { presentationSubmissionFaults } from './presentation-submission-faults.ts'
import { presentedCredentialsFaults } from './presented-credentials-faults.ts'
import { proofHeaderFaults } from './proof-header-faults.ts'
import { proofPayloadFaults } from './proof-payload-faults.ts'
import { proofSignatureFaults } from './proof-signature-faults.ts'
import { tokenRequestFaults } from './token-request-faults.ts'
import type { WalletFault } from './wallet-fault.ts'

/** The deviations at an issuer, in the order of the flow. */
export const issuanceFaults: readonly WalletFault[] = [
  ...tokenRequestFaults,
  ...pinFaults,
  ...accessTokenFaults,
  ...credentialRequestFaults,
  ...proofHeaderFaults,
  ...proofPayloadFaults,
  ...proofSignatureFaults,
  ...deferredFaults,
]

/** The deviations at a verifier, in the order of its rules. */
export const presentationFaults: readonly WalletFault[] = [
  ...presentationSignatureFaults,
  ...presentationClaimsFaults,
  ...presentedCredentialsFaults,
  ...presentationSubmissionFaults,
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
