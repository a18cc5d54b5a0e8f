import type { AuthorizationRequestParameters } from '#core/oid4vp/authorization-request.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { OpenPlanOptions } from '../../kit/plan.ts'
import type { Observation } from '../../targets/verdict-sources.ts'
import type { Party } from '../../world/create-trust-world.ts'
import type { Defect } from '../../world/defects/defect.ts'
import type { OpenTrustWorld } from '../../world/open-trust-world.ts'

/** A presentation request as the verifier sent it, read leniently: what is wrong with it is V01's. */
export interface OpenedRequest {
  readonly link: string
  /** What names the session to whoever tells the verdict. */
  readonly session: string | undefined
  /** What came from request_uri, where the link has one. */
  readonly fetched?: HttpAnswer
  /** The signed request, where it is one. */
  readonly jwt?: string
  /** Empty where no request is to be had. */
  readonly parameters: AuthorizationRequestParameters
}

/** What the kit's wallet presents; good but for what is named here. */
export interface PresentationOptions {
  /** By default a new one with ES256K and did:key. */
  readonly account?: Account
  /** Deviations of the wallet, named ones or made for the occasion. */
  readonly faults?: readonly WalletFault[]
  /** What is wrong with the credential. */
  readonly defect?: Defect
  /** Who issues it; by default the issuer that the defect needs, or the trust world's own. */
  readonly issuer?: Party
  /** Unix seconds: when the credential was issued. By default now. */
  readonly issuedAt?: number
  /** A credential that was made otherwise, for the holder of this DID. */
  readonly createCredential?: (holderDid: string) => string
}

/** What the response endpoint answered. */
export interface PostAnswer {
  /** 0 where there was no answer. */
  readonly status: number
  readonly reason: string
  readonly redirectUri?: string
}

/** An address that nobody has a reason to visit. */
export interface Trap {
  readonly origin: string
  /** What was asked for there, as `GET /path`. */
  readonly visits: readonly string[]
}

/** What the checks of a verifier get: the kit plays the wallet and the registries. */
export interface VerifierContext extends CheckBase {
  readonly trust: OpenTrustWorld
  /** Begins a session and fetches its request. */
  openRequest(): Promise<OpenedRequest>
  /** Posts a presentation; ends the check as inconclusive where the request can't be answered. */
  present(opened: OpenedRequest, options?: PresentationOptions): Promise<PostAnswer>
  /**
   * What became of a presentation. Refused is only what its source says, or a 4xx without an
   * acceptance afterwards; no answer, overload and outage decide nothing.
   */
  observe(opened: OpenedRequest, answer: PostAnswer): Promise<Observation>
  /** What the sources of the verdict say at this moment. */
  look(opened: OpenedRequest): Promise<Observation>
  startTrap(): Promise<Trap>
}

/** What calls of the target's own verbs need. */
export interface AdapterBase extends CheckBase {
  /** Added to the environment of its commands: the addresses of the kit. */
  readonly environment: Readonly<Record<string, string>>
  /** Asks somebody who sees the verifier; undefined where nobody says. */
  readonly askPerson?: OpenPlanOptions['askPerson']
}
