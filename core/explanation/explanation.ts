import type { DialectKind, DialectReport } from '#core/dialect/lint-dialect.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { Lookup, RuleResults } from '#core/verification/rules.ts'
import type { ExplanationInput } from './read-input.ts'

/** What became of a rule. `not-checked` counts neither for nor against: there was nobody to ask. */
export type RuleVerdict = 'held' | 'broken' | 'not-checked'

/** A rule of the services, and what was found when it was evaluated. */
export interface ExplainedRule {
  /** Its stable name, for example `credential.power`. */
  readonly rule: string
  /** What has to hold, in a sentence. */
  readonly statement: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  readonly verdict: RuleVerdict
  /** Why it is broken or could not be checked; empty where it holds. */
  readonly findings: readonly RuleFinding[]
  /** What has to be known although the rule holds. */
  readonly notes: readonly string[]
  /** What to do about it; only where the rule does not hold. */
  readonly advice?: string
  /** Its paragraph in the profile: `docs/profile/PAGE.md#ANCHOR`. */
  readonly paragraph?: string
}

export interface RuleFinding {
  readonly reason: string
  /** Where in the message; empty for the whole. */
  readonly path: string
  /** What stood there, where showing it helps; secrets masked, shortened. */
  readonly got?: unknown
  /** Set where this keeps the rule from being checked, rather than breaks it. */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** Something that the message says, for people. */
export interface ExplainedFact {
  readonly label: string
  readonly value: string
}

/** A message, told: what it is, what it says, and every rule about it. */
export interface Explanation {
  /** Name of the kind, for example `credential`; `unknown` where the input is none of them. */
  readonly kind: string
  /** The kind in words. */
  readonly title: string
  /** How the kind was known. */
  readonly recognisedBy: string
  /** Of this message with its parts: `broken` by one rule, `not-checked` where one could not be. */
  readonly verdict: 'holds' | 'broken' | 'not-checked' | 'unrecognised'
  readonly facts: readonly ExplainedFact[]
  readonly rules: readonly ExplainedRule[]
  readonly notes: readonly string[]
  /** Which revisions it follows, and where it departs from the profile's dialect. */
  readonly dialect?: DialectReport
  /** The message decoded, secrets and signatures masked. */
  readonly content: unknown
  /** Messages inside this one, such as the credentials of a presentation. */
  readonly parts: readonly Explanation[]
  /** For an input that was not recognised: every form that was looked for, and why it is not that. */
  readonly lookedFor: readonly { readonly kind: string; readonly reason: string }[]
}

/** What a kind finds out about a message of its own. */
export interface ExplainedContent extends RuleResults {
  readonly facts: readonly ExplainedFact[]
  /** The message decoded; secrets are masked later. */
  readonly content: unknown
  readonly notes?: readonly string[]
  /** The message whose form tells the revision that it follows. */
  readonly dialect?: { readonly kind: DialectKind; readonly message: unknown }
  readonly parts?: readonly Explanation[]
}

/** Whether an input is of a kind, with how that was known or what is missing. */
export type Recognition =
  | {
      readonly ok: true
      readonly by: string
      readonly explain: (options: ExplainOptions) => ExplainedContent | Promise<ExplainedContent>
    }
  | { readonly ok: false; readonly reason: string }

/** A kind of message that can be explained. To add one, add it to a list of kinds. */
export interface ExplainableKind {
  /** Stable name, for example `credential-offer`. */
  readonly kind: string
  /** In words, for example `credential offer`. */
  readonly title: string
  /** Never throws for what the input holds. */
  readonly recognise: (input: ExplanationInput) => Recognition
}

/** The input is not of the kind, for the given reason. */
export function notRecognised(reason: string): Recognition {
  return { ok: false, reason }
}

/**
 * Whom to ask in an environment, and whom to trust there. Each part may be left out: the rules that
 * rest on it are then told as not checked.
 */
export interface ExplanationTrust {
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  readonly readAttribute?: ReadAttribute | undefined
  readonly fetchStatusList?: FetchStatusList | undefined
  /** The environment's TIR, without a trailing slash. */
  readonly tirBaseUrl?: string | undefined
  /** DIDs of the roots of trust. */
  readonly rootDids?: readonly string[] | undefined
  /** Base addresses of the credential issuers, below which status lists are. */
  readonly credentialIssuerUrls?: readonly string[] | undefined
}

/** What an explanation judges by. */
export interface ExplainOptions {
  /** Unix seconds: the time to judge at. */
  readonly now: number
  readonly trust?: Readonly<Partial<Record<DidEnvironment, ExplanationTrust>>>
  /** The environment to judge in; by default that of the DID that signed. */
  readonly environment?: DidEnvironment | undefined
  /** The credential type that is accepted. Default: OrgPortalLearCredential. */
  readonly acceptedType?: string | undefined
  /** The types above it, outermost first. Default: those of the LEAR credential. */
  readonly inheritedTypes?: readonly string[] | undefined
  /** For a credential by itself: who presents or received it. */
  readonly holderDid?: string | undefined
  /** For a presentation the verifier's client_id, for a proof of possession the credential issuer. */
  readonly audience?: string | undefined
  /** The nonce that a presentation answers, the c_nonce that a proof of possession answers. */
  readonly nonce?: string | undefined
  /** The id of the query that a presentation answers. */
  readonly queryId?: string | undefined
  /** The issuer that metadata was fetched for. */
  readonly credentialIssuer?: string | undefined
  /** Fetches what a link only refers to. Without it nothing is fetched by reference. */
  readonly fetchReference?: ((url: string) => Promise<Lookup<string>>) | undefined
  /** Kinds beside those of core; they are looked for first. */
  readonly furtherKinds?: readonly ExplainableKind[]
}

/** The facts whose value is a text that is not empty, a number, or a list of such. */
export function factsOf(
  entries: readonly (readonly [label: string, value: unknown])[],
): readonly ExplainedFact[] {
  return entries.flatMap(([label, value]) => {
    const texts = [value].flat().filter((item) => typeof item === 'string' || isNumber(item))
    const text = texts.map(String).join(', ')
    return text === '' ? [] : [{ label, value: text }]
  })
}

/** Unix seconds as people read them; undefined for anything else. */
export function timeOf(value: unknown): string | undefined {
  const date = new Date(isNumber(value) ? value * 1000 : Number.NaN)
  if (Number.isNaN(date.getTime())) return undefined
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** What was found around a message, and then in the message itself. */
export function joinContents(
  before: RuleResults & Partial<ExplainedContent>,
  after: ExplainedContent,
): ExplainedContent {
  return {
    ...after,
    facts: [...(before.facts ?? []), ...after.facts],
    failures: [...before.failures, ...after.failures],
    checked: [...before.checked, ...after.checked],
  }
}
