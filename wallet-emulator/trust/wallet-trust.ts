import type { DidEnvironment } from '#core/did/did-org.ts'
import type {
  FetchStatusList,
  ReadAttribute,
  ResolveDidDocument,
} from '#core/verification/lookup.ts'

/** What a holder knows of the environment that credentials are judged in. */
export interface TrustEnvironment {
  readonly environment: DidEnvironment
  /** The environment's TIR, `…/trusted-issuers-registry`. */
  readonly tirBaseUrl: string
  /** DIDs of the roots of trust. */
  readonly rootDids: readonly string[]
  /** Bases below which status lists are fetched, beside that of the issuer that made the offer. */
  readonly credentialIssuerUrls?: readonly string[]
  /** The types above the offered one, outermost first. By default as documented and offered. */
  readonly inheritedTypes?: readonly string[]
}

/**
 * Whom a wallet asks about issuers and verifiers. Each part may be left out: the rules that rest on
 * it are then told as not checked, and the policy decides what that is worth.
 */
export interface WalletTrust {
  /** The DID registry: signatures of credentials, of signed requests and of status lists. */
  readonly resolveDidDocument?: ResolveDidDocument | undefined
  /** The TIR: accreditations from the issuer up to the root. Needs `environment` as well. */
  readonly readAttribute?: ReadAttribute | undefined
  /** By default the wallet fetches the lists itself, once it can verify them. */
  readonly fetchStatusList?: FetchStatusList | undefined
  readonly environment?: TrustEnvironment | undefined
}
