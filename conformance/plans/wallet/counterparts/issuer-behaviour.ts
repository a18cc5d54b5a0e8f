import type { Defect } from '../../../world/defects/defect.ts'
import type { ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'

/** An endpoint of an issuer; `elsewhere` is any other path below its URL. */
export type IssuerEndpoint =
  | 'offer'
  | 'metadata'
  | 'token'
  | 'credential'
  | 'deferred'
  | 'status-list'
  | 'elsewhere'

export type Members = Readonly<Record<string, unknown>>

/** Members, or a function that creates them from the URL of the counterpart. */
export type MembersAt = Members | ((baseUrl: string) => Members)

export const membersAt = (members: MembersAt | undefined, baseUrl: string): Members =>
  typeof members === 'function' ? members(baseUrl) : (members ?? {})

/** Replaces an answer; `nth` is 1 for the first request to that endpoint. */
export type ReplaceAnswer = (
  usual: Exclude<ServedAnswer, string>,
  nth: number,
  request: ServedRequest,
) => ServedAnswer

/** The holder, issuer and time of a credential. */
interface CredentialOrder {
  readonly holderDid: string
  /** Unix seconds. */
  readonly now: number
  readonly credentialIssuer: string
}

/** The deviations of an issuer. A member set to undefined is omitted. */
export interface IssuerBehaviour {
  /** The PIN that the offer requires. */
  readonly pin?: string
  /** By default `text` if the PIN contains other characters than digits. */
  readonly inputMode?: string
  /** Members of the offer. */
  readonly offer?: MembersAt
  /** Members of the pre-authorized code grant. */
  readonly grant?: Members
  /** Other grants. */
  readonly otherGrants?: Members
  readonly metadata?: MembersAt
  /** Members of the only entry of credentials_supported. */
  readonly entry?: Members
  readonly token?: Members
  /** What every other path returns: by default nothing. */
  readonly everywhere?: 'metadata'
  /** How many proofs are rejected with a new c_nonce, even if they are valid. */
  readonly refusedNonces?: number
  /** How many polls are answered with 202. If undefined, the issuance is not deferred. */
  readonly deferredPolls?: number
  /** Members of the answer that defers. */
  readonly deferral?: Members
  /** Members of the 202 answers to polls; `nth` is 1 for the first poll. */
  readonly pending?: (nth: number) => Members
  /** The defect of the credential. */
  readonly defect?: Defect
  /** Creates the credential, instead of the issuer of the trust world. */
  readonly credential?: (order: CredentialOrder) => string
  /** Members of the answer with the credential. */
  readonly issued?: Members
  readonly answers?: Partial<Readonly<Record<IssuerEndpoint, ReplaceAnswer>>>
}
