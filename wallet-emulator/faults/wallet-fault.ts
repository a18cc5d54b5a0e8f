import type { DefaultHolderSuite } from '#core/crypto/suites.ts'
import type { CredentialSupported, IssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import type { WalletRequest, WalletResponse } from '../http/create-wallet-http.ts'
import type { Account } from '../keys/create-account.ts'

/** A JWT that is about to be signed, or a deviation of one. */
export interface JwsDraft {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly sign: (signingInput: string) => Uint8Array
}

export type Form = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>

/** A request as it goes over the wire. */
export interface Call extends WalletRequest {
  readonly url: string
}

/** Sends a request, or several of them, and gives the answer that the wallet goes on with. */
export type SendCall = (call: Call) => Promise<WalletResponse>

/** What each stage of the flow is about: the messages of the wallet, and how they are sent. */
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

/** What a credential is being asked for with. */
export interface IssuanceDetails {
  readonly metadata: IssuerMetadata
  /** The offered entry of the metadata. */
  readonly entry: CredentialSupported
  /** Seconds, as the token response had them. */
  readonly expiresIn?: number | undefined
  readonly cNonceExpiresIn?: number | undefined
}

export interface FaultContext {
  readonly account: Account
  /** Another holder, with a key of the same curve; the same one for all messages of a wallet. */
  readonly otherAccount: Account
  /** Unix seconds. */
  readonly now: number
  /** Lets time pass. */
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** Known from the proof of possession on. */
  readonly issuance?: IssuanceDetails | undefined
}

/** Changes the value of a stage, and says which of its members it sets: `header.typ`, `body`. */
export interface Change<Value> {
  readonly members: readonly string[]
  readonly apply: (value: Value, context: FaultContext) => Value
}

/** Changes the stages that it names, and no other. */
type FaultStages = { readonly [Name in Stage]?: Change<StageValues[Name]> }

/** What an offer or a testbed has to have, that a fault shows. */
export type FaultNeed =
  /** An offer that asks for a PIN of several digits. */
  | 'pin'
  /** A credential that is not ready at once. */
  | 'deferral'
  /** An issuer whose metadata has more than the offered credential. */
  | 'second-type'
  /** A clock that can be moved: the wallet comes late. */
  | 'clock'
  /** An issuer whose c_nonce ends before the access token does. */
  | 'short-nonce'

/** A request that is answered with an error. */
export interface RefusedRequest {
  readonly at: 'token' | 'credential' | 'deferred' | 'presentation'
  readonly status: number
  readonly error: string
  /** The one that the proof of possession breaks, where it is the proof. */
  readonly rule?: string
}

/** A session that ends as FAILED, by this rule of the verifier and no other. */
export interface FailedSession {
  readonly at: 'verdict'
  readonly rule: string
  /** Rules that can't hold then either. */
  readonly entails?: readonly string[]
}

/** The post that deviates changes nothing: the session is, or stays, in this state. */
export interface UnchangedSession {
  readonly at: 'session'
  readonly status: 'PENDING' | 'SUCCESS'
}

/** What becomes of a wallet that does otherwise. */
export type ExpectedOutcome =
  | RefusedRequest
  | FailedSession
  | UnchangedSession
  /** It is accepted here; others may refuse it. */
  | { readonly at: 'nowhere'; readonly because: string }

/** A named deviation of the wallet: everything stays as documented but for this. */
export interface WalletFault {
  /** In kebab-case. */
  readonly name: string
  /** One sentence: what the wallet does otherwise. */
  readonly description: string
  /** The algorithms of the accounts that can deviate like this; by default both. */
  readonly algorithms?: readonly DefaultHolderSuite[]
  readonly needs?: readonly FaultNeed[]
  readonly expected: ExpectedOutcome
  readonly apply: FaultStages
}
