import type { Defect } from '../../../world/defects/defect.ts'
import type { ServedAnswer, ServedRequest } from '../../../world/start-kit-server.ts'

/** What an issuer is asked for; `elsewhere` is any other address below it. */
export type IssuerEndpoint =
  | 'offer'
  | 'metadata'
  | 'token'
  | 'credential'
  | 'deferred'
  | 'status-list'
  | 'elsewhere'

export type Members = Readonly<Record<string, unknown>>

/** Members, or what makes them of the counterpart's address. */
export type MembersAt = Members | ((baseUrl: string) => Members)

export const membersAt = (members: MembersAt | undefined, baseUrl: string): Members =>
  typeof members === 'function' ? members(baseUrl) : (members ?? {})

/** Replaces an answer; `nth` is 1 for the first request to that endpoint. */
export type ReplaceAnswer = (
  usual: Exclude<ServedAnswer, string>,
  nth: number,
  request: ServedRequest,
) => ServedAnswer

/** Whom a credential is for. */
interface CredentialOrder {
  readonly holderDid: string
  /** Unix seconds. */
  readonly now: number
  readonly credentialIssuer: string
}

/** Where an issuer deviates from a good one; members that become undefined are left out. */
export interface IssuerBehaviour {
  /** The offer asks for this PIN. */
  readonly pin?: string
  /** By default `text` where the PIN holds anything but digits. */
  readonly inputMode?: string
  /** Members of the offer. */
  readonly offer?: Members
  /** Members of the object at the grant of the pre-authorized code. */
  readonly grant?: Members
  /** Grants beside that one. */
  readonly otherGrants?: Members
  readonly metadata?: MembersAt
  /** Members of the one entry of credentials_supported. */
  readonly entry?: Members
  readonly token?: Members
  /** How many proofs are refused with a fresh c_nonce, whatever is right about them. */
  readonly refusedNonces?: number
  /** How many polls are told to wait; without it the credential is there at once. */
  readonly deferredPolls?: number
  /** Members of the answer that defers. */
  readonly deferral?: Members
  /** Members of the answers to polls that are told to wait; `nth` is 1 for the first. */
  readonly pending?: (nth: number) => Members
  /** What is wrong with the credential. */
  readonly defect?: Defect
  /** What is issued instead of a credential of the trust world's issuer. */
  readonly credential?: (order: CredentialOrder) => string
  /** Members of the answer with the credential. */
  readonly issued?: Members
  readonly answers?: Partial<Readonly<Record<IssuerEndpoint, ReplaceAnswer>>>
}
