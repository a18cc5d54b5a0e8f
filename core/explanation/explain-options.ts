import type { DidEnvironment } from '#core/did/did-org.ts'
import type {
  FetchStatusList,
  Lookup,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'
import type { ExplainableKind } from './explainable-kind.ts'

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
