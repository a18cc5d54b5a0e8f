import { isTestbedError } from '#core/errors/testbed-error.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { VerificationFailure } from '#core/verification/rules.ts'
import type { Hop } from '#kit/traces.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import { asSentence } from '../frame/as-sentence.ts'

/** One step of a wallet, as people see it. */
export interface WalletStep {
  readonly type: WalletEvent['type']
  /** Unix time in milliseconds. */
  readonly at: number
  /** What happened in this step, in English; from the counterpart or the wallet. */
  readonly detail?: string
}

/** A rule that the wallet or its counterpart found broken. */
export interface BrokenRule {
  /** The part of the testbed that evaluated the rule, or `wallet`. */
  readonly part: string
  readonly rule: string
  /** The requirement, as one sentence. */
  readonly statement?: string
  readonly reasons: readonly string[]
  /** How to fix a message that breaks it. */
  readonly fix?: string
  /** `docs/profile/PAGE.md#ANCHOR` */
  readonly paragraph?: string
}

/** One offer or request that a wallet answered. */
export interface WalletActivity {
  readonly id: string
  readonly action: 'accept-offer' | 'present'
  /** Unix time in milliseconds. */
  readonly startedAt: number
  readonly state: 'running' | 'done' | 'stopped'
  readonly steps: readonly WalletStep[]
  /** Why the wallet stopped. */
  readonly problem?: { readonly code: string; readonly message: string }
  readonly brokenRules: readonly BrokenRule[]
  /** The stored credentials, or the presented one. */
  readonly credentialIds: readonly string[]
  /** The verifier of a presentation. */
  readonly clientId?: string
  /** Where the holder's browser continues after a presentation. */
  readonly redirectUri?: string
}

const longestDetail = 500

/** Describes a wallet's event. Tokens are left out: the exchanges show them. */
export function describeStep(event: WalletEvent, at: number): WalletStep {
  const detail = detailOf(event)
  const shown =
    detail !== undefined && detail.length > longestDetail
      ? `${detail.slice(0, longestDetail)}…`
      : detail
  return { type: event.type, at, ...(shown !== undefined && { detail: shown }) }
}

function detailOf(event: WalletEvent): string | undefined {
  switch (event.type) {
    case 'http':
      return `${event.method} ${shortAddress(event.url)} → ${event.status}`
    case 'offer-resolved':
      return event.offer.credentials.join(', ')
    case 'metadata-fetched':
      return event.metadata.credentialIssuer
    case 'offer-consent-asked':
      return event.credentialIssuer
    case 'pin-refused':
      return event.answer.errorDescription ?? event.answer.error
    case 'deferred-pending':
    case 'deferred-busy':
      return `${event.attempt}`
    case 'credential-validated':
      return `${event.verdict.checked.length}`
    case 'request-resolved':
    case 'consent-asked':
      return event.clientId
    case 'stopped':
      return event.message
    default:
      return undefined
  }
}

/** The path of an address, its long segments shortened, without host and query. */
function shortAddress(url: string): string {
  const { pathname } = new URL(url, 'http://host')
  const path = /%(?![0-9a-f]{2})/i.test(pathname) ? pathname : decodeURIComponent(pathname)
  return path.replace(/[^/]{25,}/g, (segment) => `${segment.slice(0, 14)}…${segment.slice(-6)}`)
}

/** The rules that made the wallet stop. Empty for errors of other kinds. */
export async function rulesOfError(error: unknown): Promise<readonly BrokenRule[]> {
  const failures = isTestbedError(error) ? error.extra.failures : undefined
  if (!Array.isArray(failures)) return []
  const { findRuleText } = await import('#core/explanation/rule-texts.ts')
  return failures.map((failure: VerificationFailure) => {
    const { rule, reason, got } = failure
    const { statement, fix } = findRuleText(rule) ?? {}
    const found = got === undefined ? [] : [showValue(got)]
    return withParagraph({
      part: 'wallet',
      rule,
      ...(statement !== undefined && { statement }),
      ...(fix !== undefined && { fix }),
      reasons: [asSentence(reason), ...found],
    })
  })
}

function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text
}

/** The rules that the other parts found broken in these exchanges; once if a wallet tried again. */
export function rulesOfHops(hops: readonly Hop[]): readonly BrokenRule[] {
  const found = hops.flatMap((hop): BrokenRule[] => {
    const { from, to: part, rules = [] } = hop
    const broken = rules.filter(({ passed }) => !passed)
    if (broken.length === 0) {
      // Requests of other parts on behalf of the wallet have rules there.
      const unmet = from === 'wallet' ? explainRefusedRequest(hop) : undefined
      return unmet === undefined ? [] : [{ part, ...unmet, reasons: unmet.reasons.map(asSentence) }]
    }
    return broken.map(({ rule, statement, fix, reasons = [] }) =>
      withParagraph({
        part,
        rule,
        ...(statement !== undefined && { statement }),
        ...(fix !== undefined && { fix }),
        reasons: reasons.map(asSentence),
      }),
    )
  })
  const seen = new Map(found.map((broken) => [JSON.stringify(broken), broken]))
  return [...seen.values()]
}

function withParagraph(broken: BrokenRule): BrokenRule {
  const paragraph = paragraphOfRule(broken.rule)
  return paragraph === undefined ? broken : { ...broken, paragraph }
}
