import type { DialectKind, DialectReport } from '#core/dialect/lint-dialect.ts'
import type { DidEnvironment } from '#core/did/did-org.ts'
import { displayTime } from '#core/text/display-time.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { Lookup, RuleResults } from '#core/verification/rules.ts'
import type { ExplanationInput } from './read-input.ts'

/**
 * The verdict on a rule. `not-checked` is neutral: the source of the answer is missing or
 * unavailable.
 */
export type RuleVerdict = 'held' | 'broken' | 'not-checked'

/** A rule of the services, with its findings. */
export interface ExplainedRule {
  /** Its stable name, for example `credential.power`. */
  readonly rule: string
  /** The requirement, as one sentence. */
  readonly statement: string
  /** Which of several inputs it was evaluated on, for example `hops[1]`. */
  readonly path?: string
  readonly verdict: RuleVerdict
  /** Why it is broken or could not be checked; empty if it passes. */
  readonly findings: readonly RuleFinding[]
  /** Remarks, even if the rule passes. */
  readonly notes: readonly string[]
  /** How to fix the message if the rule is broken; what to provide if it could not be checked. */
  readonly advice?: string
  /** Its paragraph in the profile: `docs/profile/PAGE.md#ANCHOR`. */
  readonly paragraph?: string
}

export interface RuleFinding {
  readonly reason: string
  /** Where in the message; empty for the whole. */
  readonly path: string
  /** The value found, if it helps; shortened, with secrets masked. */
  readonly got?: unknown
  /** Set if the rule could not be checked, rather than broken. */
  readonly unchecked?: 'unavailable' | 'not-asked'
}

/** A fact from the message, for display. */
export interface ExplainedFact {
  readonly label: string
  readonly value: string
}

/** The explanation of a message: its kind, its facts, and every rule about it. */
export interface Explanation {
  /** Name of the kind, for example `credential`; `unknown` if the input was not recognized. */
  readonly kind: string
  /** The kind as readable text. */
  readonly title: string
  /** How the kind was recognized. */
  readonly recognisedBy: string
  /**
   * Of this message and its parts: `broken` if a rule is broken, else `not-checked` if a rule could
   * not be checked.
   */
  readonly verdict: 'holds' | 'broken' | 'not-checked' | 'unrecognised'
  readonly facts: readonly ExplainedFact[]
  readonly rules: readonly ExplainedRule[]
  readonly notes: readonly string[]
  /** Which revisions it follows, and where it differs from the profile's dialect. */
  readonly dialect?: DialectReport
  /** The message decoded, secrets and signatures masked. */
  readonly content: unknown
  /** Nested messages, such as the credentials of a presentation. */
  readonly parts: readonly Explanation[]
  /** For an input that was not recognized: each kind, and why the input does not match it. */
  readonly lookedFor: readonly { readonly kind: string; readonly reason: string }[]
}

/** What a kind reports about a message. */
export interface ExplainedContent extends RuleResults {
  readonly facts: readonly ExplainedFact[]
  /** The message decoded; secrets are masked later. */
  readonly content: unknown
  readonly notes?: readonly string[]
  /** The message whose form shows the revision that it follows. */
  readonly dialect?: { readonly kind: DialectKind; readonly message: unknown }
  readonly parts?: readonly Explanation[]
}

/** Whether an input matches a kind, with how it was recognized or what is missing. */
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
  /** Readable text, for example `credential offer`. */
  readonly title: string
  /** Never throws because of the input's content. */
  readonly recognise: (input: ExplanationInput) => Recognition
}

/** The input does not match the kind, for the given reason. */
export function notRecognised(reason: string): Recognition {
  return { ok: false, reason }
}

/**
 * The sources and roots of trust of an environment. All are optional; the rules that need a missing
 * source are reported as not checked.
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
  /** The accepted type. Default: OrgPortalLearCredential. */
  readonly credentialType?: AcceptedCredentialType | undefined
}

export interface AcceptedCredentialType {
  readonly vcType: string
  /** The types above it, outermost first. */
  readonly inheritedTypes: readonly string[]
}

/** The context of an explanation. */
export interface ExplainOptions {
  /** Unix seconds: the time of the verification. */
  readonly now: number
  readonly trust?: Readonly<Partial<Record<DidEnvironment, ExplanationTrust>>>
  /** The environment to verify in. Default: the environment of the signing DID. */
  readonly environment?: DidEnvironment | undefined
  /** The credential type that is accepted. Default: that of the environment. */
  readonly acceptedType?: string | undefined
  /** The types above it, outermost first. Default: those of the environment's or LEAR credential. */
  readonly inheritedTypes?: readonly string[] | undefined
  /** For a credential without a presentation: who presents or received it. */
  readonly holderDid?: string | undefined
  /**
   * For a presentation: the verifier's client_id. For a proof of possession: the credential issuer.
   */
  readonly audience?: string | undefined
  /**
   * For a presentation: the nonce of the request. For a proof of possession: the c_nonce of the
   * session.
   */
  readonly nonce?: string | undefined
  /** For a presentation: the id of the query. */
  readonly queryId?: string | undefined
  /** For metadata: the issuer that it was fetched for. */
  readonly credentialIssuer?: string | undefined
  /** Fetches the content that a link refers to. Without this function, nothing is fetched. */
  readonly fetchReference?: ((url: string) => Promise<Lookup<string>>) | undefined
  /** Kinds in addition to those of core; they are tried first. */
  readonly furtherKinds?: readonly ExplainableKind[]
}

/** The facts whose value is a non-empty string, a number, or a list of these. */
export function factsOf(
  entries: readonly (readonly [label: string, value: unknown])[],
): readonly ExplainedFact[] {
  return entries.flatMap(([label, value]) => {
    const texts = [value].flat().filter((item) => typeof item === 'string' || isNumber(item))
    const text = texts.map(String).join(', ')
    return text === '' ? [] : [{ label, value: text }]
  })
}

/** Formats Unix seconds for display; undefined for anything else. */
export function timeOf(value: unknown): string | undefined {
  const date = new Date(isNumber(value) ? value * 1000 : Number.NaN)
  if (Number.isNaN(date.getTime())) return undefined
  return displayTime(date.toISOString())
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Combines the results for the envelope of a message with those for the message itself. */
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
