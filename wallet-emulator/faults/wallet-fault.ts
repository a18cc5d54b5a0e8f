import type { Account } from '../keys/create-account.ts'

/** A JWT that is about to be signed, or a deviation of one. */
export interface JwsDraft {
  readonly header: Readonly<Record<string, unknown>>
  readonly payload: Readonly<Record<string, unknown>>
  readonly sign: (signingInput: string) => Uint8Array
}

export interface FaultContext {
  readonly account: Account
  /** Another holder, with a key of the same curve; the same one for all messages of a wallet. */
  readonly otherAccount: Account
  /** Unix seconds. */
  readonly now: number
}

type Form = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>

/** Changes one message at each of the stages that it names, and no other. */
export interface FaultStages {
  readonly tokenRequest?: (form: Form, context: FaultContext) => Form
  readonly proof?: (draft: JwsDraft, context: FaultContext) => JwsDraft
  readonly credentialRequest?: (body: Body, context: FaultContext) => Body
  readonly presentation?: (draft: JwsDraft, context: FaultContext) => JwsDraft
  readonly presentationResponse?: (form: Form, context: FaultContext) => Form
}

/** A named deviation of the wallet: everything stays as documented but for this. */
export interface WalletFault {
  /** In kebab-case, the name of its file. */
  readonly name: string
  /** One sentence: what the wallet does otherwise. */
  readonly description: string
  /** Id of the conformance check that an issuer or verifier passes by refusing it. */
  readonly check: string
  /** The sentence of the documents, or the clause, that the wallet breaks. */
  readonly rule: string
  readonly apply: FaultStages
}
