import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { plainText, say } from './terminal.ts'

/** Hints for errors of the wallet, which does not know this command line. */
const hintsByCode: Readonly<Record<string, string>> = {
  unknown_fault: `${programCommand} wallet faults lists them.`,
  pin_required: 'Specify the PIN with --pin, or run the command in a terminal.',
  address_refused: '--allow-private-addresses lets the wallet reach this machine and its network.',
  passphrase_required: 'Open it with the library (createPassphraseCodec). The command line cannot.',
  store_damaged: 'Restore the file, or remove the wallet with remove --all.',
  wallet_exists: 'Choose another --wallet, or remove this one with remove --all.',
}

/**
 * Runs the work. If it is rejected for broken rules, prints each of them, then rethrows the error
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

/**
 * Formats a broken rule for the terminal, with its location: a rule may be broken in several
 * places.
 */
export function describeFailure({ rule, path, reason }: VerificationFailure): string {
  return `${rule}${path === '' ? '' : ` (${plainText(path)})`}: ${plainText(reason)}`
}
