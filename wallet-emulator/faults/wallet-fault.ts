import type { DefaultHolderSuite } from '#core/crypto/suites.ts'
import type { CredentialSupported, IssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import type { WalletRequest, WalletResponse } from '../http/create-wallet-http.ts'
import type { Account } from '../keys/create-account.ts'

/** A JWT before it is signed, possibly with deviations. */
export interface JwsDraft {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly sign: (signingInput: string) => Uint8Array
}

export type Form = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>

/** A request on the wire. */
export interface Call extends WalletRequest {
  readonly url: string
}

/** Sends one or more requests and returns the response that the wallet continues with. */
export type SendCall = (call: Call) => Promise<WalletResponse>

/**
 * The values of each stage of the flow: the messages of the wallet, and the functions that send
 * them.
 */
export interface StageValues {
  readonly tokenRequest: Form
  readonly tokenCall: SendCall
  readonly proof: JwsDraft
  readonly credentialRequest: Body
  readonly credentialCall: SendCall
  readonly deferredRequest: Body
  readonly deferredCall: SendCall
  /** Milliseconds between two polls. */
  readonly pollInterval: number
  readonly presentation: JwsDraft
  readonly presentationResponse: Form
  readonly presentationCall: SendCall
}

export type Stage = keyof StageValues

/** The values of a credential request. */
export interface IssuanceDetails {
  readonly metadata: IssuerMetadata
  /** The offered entry of the metadata. */
  readonly entry: CredentialSupported
  /** Seconds, from the token response. */
  readonly expiresIn?: number | undefined
  readonly cNonceExpiresIn?: number | undefined
}

export interface FaultContext {
  readonly account: Account
  /** Another holder with a key of the same curve, constant for all messages of a wallet. */
  readonly otherAccount: Account
  /** Unix seconds. */
  readonly now: number
  /** Waits. */
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** Set from the proof of possession on. */
  readonly issuance?: IssuanceDetails | undefined
}

/** A change of a stage's value, with the members that it sets, such as `header.typ` or `body`. */
export interface Change<Value> {
  readonly members: readonly string[]
  readonly apply: (value: Value, context: FaultContext) => Value
}

/** The changes of a fault, by stage. */
type FaultStages = { readonly [Name in Stage]?: Change<StageValues[Name]> }

/** What a fault requires of an offer or a testbed. */
export type FaultNeed =
  /** An offer that requires a PIN of several digits. */
  | 'pin'
  /** A credential that is not ready immediately. */
  | 'deferral'
  /** An issuer whose metadata has more than the offered credential. */
  | 'second-type'
  /** A clock that can be moved, so that the wallet is late. */
  | 'clock'
  /** An issuer whose c_nonce expires before the access token. */
  | 'short-nonce'

/** A request that gets an error response. */
export interface RefusedRequest {
  readonly at: 'token' | 'credential' | 'deferred' | 'presentation'
  readonly status: number
  readonly error: string
  /** The rule that the proof of possession breaks, if the fault is in the proof. */
  readonly rule?: string
}

/** A session that ends as FAILED because of this verifier rule only. */
export interface FailedSession {
  readonly at: 'verdict'
  readonly rule: string
  /** Rules that necessarily fail too. */
  readonly entails?: readonly string[]
}

/** The deviating post changes nothing: the session is, or stays, in this state. */
export interface UnchangedSession {
  readonly at: 'session'
  readonly status: 'PENDING' | 'SUCCESS'
}

/** The expected result of a deviation. */
export type ExpectedOutcome =
  | RefusedRequest
  | FailedSession
  | UnchangedSession
  /** The testbed accepts it; other systems may reject it. */
  | { readonly at: 'nowhere'; readonly because: string }

/** A named deviation of the wallet. Everything else stays as documented. */
export interface WalletFault {
  /** In kebab-case. */
  readonly name: string
  /** One sentence: what the wallet does differently. */
  readonly description: string
  /** The algorithms of the accounts that support this fault. Default: both. */
  readonly algorithms?: readonly DefaultHolderSuite[]
  readonly needs?: readonly FaultNeed[]
  readonly expected: ExpectedOutcome
  readonly apply: FaultStages
}
