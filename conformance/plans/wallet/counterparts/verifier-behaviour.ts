import type { Party } from '../../../world/create-trust-world.ts'
import type { Members, MembersAt, ReplaceAnswer } from './issuer-behaviour.ts'

/** What a verifier is asked for. */
export type VerifierEndpoint = 'request' | 'response' | 'continue' | 'elsewhere'

/** Where a verifier deviates from a good one; members that become undefined are left out. */
export interface VerifierBehaviour {
  /** By default the plan's verifier. */
  readonly party?: Party
  /** Parameters of the request. */
  readonly parameters?: MembersAt
  /** Members of the one element of the query. */
  readonly query?: Members
  /** Claims of the signed request beside its parameters. */
  readonly claims?: Members
  readonly header?: Members
  /** What is done to the request once it is signed. */
  readonly afterwards?: (jwt: string) => string
  /** Whether its answer to a post says where the holder goes on, as by default, or is empty. */
  readonly redirects?: boolean
  readonly answers?: Partial<Readonly<Record<VerifierEndpoint, ReplaceAnswer>>>
}
