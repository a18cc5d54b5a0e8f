import type { VerificationFailure } from '#core/verification/rules.ts'
import type { CredentialVerdict } from '#wallet-emulator/actions/received-credential-policy.ts'
import type { OnWalletEvent, WalletEvent } from '#wallet-emulator/events.ts'
import { describeFailure } from '../explain-refusal.ts'
import { plainText, say } from '../terminal.ts'

/** Prints each step for the person at the terminal, and with `--verbose` each exchange. */
export function sayEvent({ verbose = false }: { readonly verbose?: boolean }): OnWalletEvent {
  return (event) => {
    const text = event.type === 'http' && !verbose ? undefined : describe(event)
    if (text !== undefined) say(text)
  }
}

/** Undefined for steps that are printed elsewhere. */
function describe(event: WalletEvent): string | undefined {
  switch (event.type) {
    case 'http':
      return `  ${event.method} ${plainText(event.url)} → ${event.status} (${Math.round(event.milliseconds)} ms)`
    case 'pin-refused': {
      const { error = `status ${event.answer.status}`, errorDescription } = event.answer
      return `✗ The issuer rejected the PIN or the offer: ${plainText(errorDescription ?? error)}`
    }
    case 'token-received':
      return '✓ The issuer accepted the code.'
    case 'proof-created':
      return '✓ Signed a proof of possession of the key.'
    case 'nonce-renewed':
      return '  The issuer requests a proof with a fresh nonce.'
    case 'credential-deferred':
      return '  The credential is not ready yet. Retrying until it is.'
    case 'deferred-pending':
      return `  Not ready after ${event.attempt} ${event.attempt === 1 ? 'request' : 'requests'}.`
    case 'deferred-busy':
      return `  The issuer is busy (${event.status}). Retrying.`
    case 'credential-validated':
      return describeVerdict(event.verdict)
    case 'credential-stored':
      return `✓ Stored as ${event.credential.id}.`
    default:
      return undefined
  }
}

function describeVerdict({ verdict, failures, unchecked, checked }: CredentialVerdict): string {
  const toLine = (what: string) =>
    function tellRule(failure: VerificationFailure) {
      return `  ${what} ${describeFailure(failure)}`
    }
  const open = checked.filter(({ passed }) => !passed)
  // A rule that is evaluated on several inputs names its input; its failures are at or below it.
  const broken = open.filter(({ rule, path = '' }) =>
    failures.some((failure) => failure.rule === rule && failure.path.startsWith(path)),
  )
  const counts = [
    `${checked.length - open.length} of ${checked.length} rules passed`,
    ...(broken.length > 0 ? [`${broken.length} broken`] : []),
    ...(broken.length < open.length ? [`${open.length - broken.length} not checked`] : []),
  ].join(', ')
  const heading =
    verdict === 'refused' ? '✗ Rejected' : open.length > 0 ? '! Stored anyway' : '✓ Checked'
  return [
    `${heading}: ${counts}.`,
    // The error that ends a rejected flow lists its failures.
    ...(verdict === 'refused' ? [] : failures.map(toLine('✗'))),
    ...unchecked.map(toLine('? not checked,')),
  ].join('\n')
}
