import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { plainText, say } from './terminal.ts'

/** What the person can do about it, where the wallet itself can't know of this command line. */
const hintsByCode: Readonly<Record<string, string>> = {
  unknown_fault: `${programCommand} wallet faults lists them.`,
  pin_required: 'Give it with --pin, or run this at a terminal.',
  address_refused: '--allow-private-addresses lets the wallet reach this machine and its network.',
  passphrase_required: 'The library opens it (createPassphraseCodec), this command line does not.',
  store_damaged: 'Put the file back as it was, or begin again with remove --all.',
  wallet_exists: 'Choose another --wallet, or remove that one with remove --all.',
}

/**
 * Runs the work; where it is refused for broken rules, names each of them, then lets the error go on
 * with a hint about the options of the command line.
 */
export async function explainRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTestbedError(error)) throw error
    const { code, status, message, hints, cause, extra } = error
    const { failures } = extra
    if (Array.isArray(failures)) {
      for (const failure of failures as VerificationFailure[]) say(`✗ ${describeFailure(failure)}`)
    }
    const hint = hintsByCode[code]
    throw new TestbedError({
      code,
      status,
      message: plainText(message),
      hints: hint === undefined ? hints : [...hints, hint],
      cause,
      extra,
    })
  }
}

/** A broken rule for the terminal, with where: one rule may be broken in several places. */
export function describeFailure({ rule, path, reason }: VerificationFailure): string {
  return `${rule}${path === '' ? '' : ` (${plainText(path)})`}: ${plainText(reason)}`
}
