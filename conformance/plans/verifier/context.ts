import type { AuthorizationRequestParameters } from '#core/oid4vp/authorization-request.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { OpenPlanOptions } from '../../kit/plan.ts'
import type { Observation } from '../../targets/verdict-sources.ts'
import type { Trap } from '../../world/create-traps.ts'
import type { Party } from '../../world/create-trust-world.ts'
import type { Defect } from '../../world/defects/defect.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'

/** A presentation request as the verifier sent it, parsed leniently: V01 checks its format. */
export interface OpenedRequest {
  readonly link: string
  /** Identifies the session to the source of the verdict. */
  readonly session: string | undefined
  /** The response at request_uri, if the link has one. */
  readonly fetched?: HttpAnswer
  /** The JWT, if the request is signed. */
  readonly jwt?: string
  /** Empty if no request could be read. */
  readonly parameters: AuthorizationRequestParameters
}

/** What the kit's wallet presents: valid except for these options. */
export interface PresentationOptions {
  /** By default a new one with ES256K and did:key. */
  readonly account?: Account
  /** Deviations of the wallet: named faults, or faults made for one check. */
  readonly faults?: readonly WalletFault[]
  /** The defect of the credential. */
  readonly defect?: Defect
  /** The issuer; by default the one that the defect requires, or that of the trust world. */
  readonly issuer?: Party
  /** When the credential was issued, in Unix seconds. By default now. */
  readonly issuedAt?: number
  /** Creates the credential for the holder with this DID in another way. */
  readonly createCredential?: (holderDid: string) => string
}

/** The answer of the response endpoint. */
export interface PostAnswer {
  /** 0 if there was no answer. */
  readonly status: number
  readonly reason: string
  readonly redirectUri?: string
  /** What it consists of; absent if there was no answer. */
  readonly content?: PostContent
}

interface PostContent {
  readonly body: string
  /** The value of a header, or null. */
  readonly header: (name: string) => string | null
}

/** The context of the checks of a verifier: the kit plays the wallet and the registries. */
export interface VerifierContext extends CheckBase {
  readonly trust: OpenTrustWorld
  /** Leaves out services that never answer, which cost seconds, if another plan sends them. */
  readonly skipsSilence?: boolean
  /** Several verdicts can be observed at the same time: no person has to watch each. */
  readonly observesSeveral?: boolean
  /** Starts a session and fetches its request. */
  openRequest(): Promise<OpenedRequest>
  /** Posts a presentation. Ends the check as inconclusive if the request cannot be answered. */
  present(opened: OpenedRequest, options?: PresentationOptions): Promise<PostAnswer>
  /**
   * Observes the verdict about a presentation. It is `refused` only if a source says so, or after
   * a 4xx without a later acceptance. No answer, an overload and an outage leave it undecided.
   */
  observe(opened: OpenedRequest, answer: PostAnswer): Promise<Observation>
  /** Returns what the sources of the verdict report now. */
  look(opened: OpenedRequest): Promise<Observation>
  startTrap(): Promise<Trap>
}

/** The context of calls to the target's verbs. */
export interface AdapterBase extends CheckBase {
  /** Added to the environment of the target's commands: the addresses of the kit. */
  readonly environment: Readonly<Record<string, string>>
  /** Asks a person who watches the verifier; undefined if there is no answer. */
  readonly askPerson?: OpenPlanOptions['askPerson']
}
