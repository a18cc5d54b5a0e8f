import type { WalletEvent } from '#wallet-emulator/events.ts'
import { plainText } from './print.ts'

/** What the person at the terminal is told of a step; undefined for steps that are told elsewhere. */
export function describeEvent(event: WalletEvent): string | undefined {
  switch (event.type) {
    case 'http':
      return `  ${event.method} ${plainText(event.url)} → ${event.status} (${Math.round(event.milliseconds)} ms)`
    case 'token-received':
      return '✓ The issuer accepted the code.'
    case 'proof-created':
      return '✓ Proved possession of the key.'
    case 'nonce-renewed':
      return '  The issuer asks for a proof with a fresh nonce.'
    case 'credential-deferred':
      return '  The credential is not ready yet; asking again until it is.'
    case 'deferred-pending':
      return `  Not ready after ${event.attempt} ${event.attempt === 1 ? 'request' : 'requests'}.`
    case 'credential-validated':
      return [
        event.verdict.verdict === 'refused' ? '✗ Refused:' : '✓ Checked what came.',
        ...event.verdict.failures.map(({ rule, reason }) => `  ${rule}: ${plainText(reason)}`),
      ].join('\n')
    case 'credential-stored':
      return `✓ Kept as ${event.credential.id}.`
    case 'presentation-accepted':
      return '✓ The verifier took the presentation.'
    default:
      return undefined
  }
}
