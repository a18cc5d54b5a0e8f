import { z } from 'zod'
import { controlRefused } from '#scenarios/errors.ts'
import { createHttpClient, type HttpRequest } from './http-client.ts'
import {
  type Hop,
  zBearerToken,
  zBlock,
  zClock,
  zDefect,
  zDefectiveCredential,
  zFault,
  zFaults,
  zOffer,
  zSnapshot,
  zTraces,
  zTransaction,
} from './z-control-answers.ts'

export interface BearerTokenRequest {
  readonly organizationIdentifier: string
  /** Default: the organization's representative. */
  readonly email?: string
  /** Claims to omit, for negative tests. */
  readonly omit?: readonly string[]
  /** Claims to add or change: a scenario's own organization, a wrong `aud`. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Lifetime in seconds. */
  readonly expiresIn?: number
}

/** Options of an offer; all are optional. */
interface OfferProperties {
  /** Requires a PIN from the wallet; default: 4 digits. */
  readonly txCode?: {
    readonly length?: number
    readonly inputMode?: 'numeric' | 'text'
    readonly description?: string
  }
  /** The issuer has it ready after this many seconds. */
  readonly deferredSeconds?: number
  /** Default: `value`. */
  readonly by?: 'value' | 'reference'
  /** Default: the first known organization. */
  readonly organizationIdentifier?: string
}

export interface OfferRequest extends OfferProperties {
  /** One credential of each; default: the type of representatives. */
  readonly vcTypes?: readonly string[]
}

interface DefectiveCredentialRequest extends OfferProperties {
  /** A name from {@link ControlClient.listDefects}. */
  readonly defect: string
  /** The holder. Default: the holder who collects the offer. */
  readonly holderDid?: string
}

/** What scenarios use of the control interface (docs/reference/control-interface.md). */
export interface ControlClient {
  /** An access token that the token issuer minted for a representative. */
  createBearerToken(request: BearerTokenRequest): Promise<string>
  /** An offer with exactly these properties, created through the connector like any other. */
  createOffer(request?: OfferRequest): Promise<{
    readonly offerUri: string
    readonly pin?: string | undefined
    readonly subjectId: string
  }>
  /** A credential with one named defect, and an offer from which a wallet collects it. */
  createDefectiveCredential(request: DefectiveCredentialRequest): Promise<{
    readonly offerUri: string
    readonly pin?: string | undefined
    /** If the holder was given. */
    readonly credential?: string | undefined
  }>
  /** The defects, and the verification rule that each one breaks; null for a valid credential. */
  listDefects(): Promise<readonly z.infer<typeof zDefect>[]>
  /** `manual` keeps transactions pending until {@link mineBlock}. */
  setMining(mode: 'auto' | 'manual'): Promise<void>
  /** Mines a block with the pending transactions. Returns their hashes. */
  mineBlock(): Promise<readonly string[]>
  /**
   * The effects of a transaction: the receipt is null while it is pending; a revert has its named
   * error.
   */
  readTransaction(hash: string): Promise<z.infer<typeof zTransaction>>
  /** Adds an organization at the management API, or changes what it may grant. */
  putOrganization(
    organizationIdentifier: string,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<void>
  /** Simulates a failure of the management API; null ends it. */
  setManagementFailure(failure: Readonly<Record<string, unknown>> | null): Promise<void>
  /** The testbed's time in Unix seconds, as of the last call that returned it. */
  now(): number
  /** Requests the testbed's time, in Unix seconds. */
  readClock(): Promise<number>
  /** Moves the clock of all services and the chain; returns the new time in Unix seconds. */
  advanceClock(seconds: number): Promise<number>
  /** Returns to real time. */
  resetClock(): Promise<number>
  /** Switches a fault on or off: `tir-down`, `chain-down`, … */
  setFault(name: string, isActive: boolean): Promise<void>
  /** Names of the faults that are on. */
  listFaults(): Promise<readonly string[]>
  /** Saves the state of chain and databases; returns the snapshot's id. */
  createSnapshot(): Promise<string>
  /** Restores a snapshot, which can be repeated. */
  restoreSnapshot(id: string): Promise<void>
  /** Drops a snapshot and frees its memory. */
  forgetSnapshot(id: string): Promise<void>
  /** The recorded hops with an id above `since`, in the order of their ids. */
  readTraces(since: number): Promise<Hop[]>
}

export interface ControlClientOptions {
  readonly url: string
  readonly token: string
  /** Name in `environments` of `testbed.json`. */
  readonly environment: string
  /** The current value of `x-scenario-id`. */
  readonly scenarioId: () => string
  readonly signal: AbortSignal
}

/** Unix seconds with a fraction, independent of a testbed in this process that has moved `Date`. */
export const realSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000

export function createControlClient(options: ControlClientOptions): ControlClient {
  const { url, token, environment, scenarioId, signal } = options
  const http = createHttpClient({ caller: 'control', scenarioId, signal })
  let offsetSeconds = 0

  async function call<T>(path: string, answer: z.ZodType<T>, request: HttpRequest = {}) {
    const headers = { authorization: `Bearer ${token}` }
    const { status, text, json } = await http.request(`${url}${path}`, { ...request, headers })
    const parsed = answer.safeParse(json)
    if (status === 200 && parsed.success) return parsed.data
    const problem = parsed.success || status !== 200 ? text : z.prettifyError(parsed.error)
    throw controlRefused(status, path, problem)
  }

  async function callClock(request?: HttpRequest): Promise<number> {
    const asked = realSeconds()
    const { now } = await call('/clock', zClock, request)
    offsetSeconds = clockOffset({ asked, answered: realSeconds(), now, known: offsetSeconds })
    return now
  }

  return {
    async createBearerToken({ organizationIdentifier, email, omit, claims, expiresIn }) {
      const json = {
        organization_identifier: organizationIdentifier,
        email,
        omit,
        claims,
        expires_in: expiresIn,
      }
      return (await call(`/${environment}/bearer-tokens`, zBearerToken, { json })).access_token
    },
    async createOffer({ vcTypes, ...properties } = {}) {
      const json = { vc_types: vcTypes, ...wireOf(properties) }
      const offer = await call(`/${environment}/offers`, zOffer, { json })
      return { offerUri: offer.offer_uri, pin: offer.pin, subjectId: offer.subject_id }
    },
    async createDefectiveCredential({ defect, holderDid, ...properties }) {
      const json = { defect, holder_did: holderDid, ...wireOf(properties) }
      const path = `/${environment}/defective-credentials`
      const { offer_uri: offerUri, ...made } = await call(path, zDefectiveCredential, { json })
      return { offerUri, ...made }
    },
    async listDefects() {
      const answer = z.object({ defects: z.array(zDefect) })
      return (await call(`/${environment}/defective-credentials`, answer)).defects
    },
    async setMining(mode) {
      await call(`/${environment}/mining`, z.unknown(), { method: 'PUT', json: { mode } })
    },
    mineBlock: async () =>
      (await call(`/${environment}/mining`, zBlock, { method: 'POST' })).transactions,
    readTransaction: (hash) => call(`/${environment}/transactions/${hash}`, zTransaction),
    async putOrganization(organizationIdentifier, settings) {
      const path = `/${environment}/organizations/${encodeURIComponent(organizationIdentifier)}`
      await call(path, z.unknown(), { method: 'PUT', json: settings })
    },
    async setManagementFailure(failure) {
      const request = failure ? { method: 'PUT', json: failure } : { method: 'DELETE' }
      await call(`/${environment}/management-failure`, z.unknown(), request)
    },
    now: () => Math.floor(realSeconds()) + offsetSeconds,
    readClock: () => callClock(),
    advanceClock: (seconds) => callClock({ json: { advance_seconds: seconds } }),
    resetClock: () => callClock({ method: 'DELETE' }),
    async setFault(name, isActive) {
      const method = isActive ? 'PUT' : 'DELETE'
      await call(`/${environment}/faults/${encodeURIComponent(name)}`, zFault, { method })
    },
    async listFaults() {
      const { faults } = await call(`/${environment}/faults`, zFaults)
      return faults.filter(({ active }) => active).map(({ name }) => name)
    },
    createSnapshot: async () => (await call('/snapshots', zSnapshot, { method: 'POST' })).id,
    async restoreSnapshot(id) {
      const path = `/snapshots/${encodeURIComponent(id)}/restore`
      await call(path, z.unknown(), { method: 'POST' })
    },
    async forgetSnapshot(id) {
      await call(`/snapshots/${encodeURIComponent(id)}`, z.unknown(), { method: 'DELETE' })
    },
    readTraces: async (since) => (await call(`/traces?since=${since}`, zTraces)).hops,
  }
}

function wireOf(properties: OfferProperties) {
  const { txCode, deferredSeconds, by, organizationIdentifier } = properties
  const { length, inputMode, description } = txCode ?? {}
  return {
    tx_code: txCode && { length, input_mode: inputMode, description },
    deferred_seconds: deferredSeconds,
    by,
    organization_identifier: organizationIdentifier,
  }
}

/** Switches off all faults that a scenario may have switched on. */
export async function clearFaults(
  control: Pick<ControlClient, 'listFaults' | 'setFault' | 'setManagementFailure' | 'setMining'>,
): Promise<void> {
  for (const name of await control.listFaults()) await control.setFault(name, false)
  await control.setManagementFailure(null)
  await control.setMining('auto')
}

export interface ClockReading {
  /** The local time in seconds, with a fraction, immediately before the request. */
  readonly asked: number
  /** The same, immediately after the answer. */
  readonly answered: number
  /** The answer: whole seconds. */
  readonly now: number
  /** The offset that was known before. */
  readonly known: number
}

/**
 * The lead of another clock over the local one, in seconds. It returns only whole seconds, and a
 * second may end between request and answer. The known offset stays while it is consistent, so that
 * the result does not flicker. Otherwise the later one is used, because with a clock that is a
 * second behind, events would precede their causes.
 */
export function clockOffset({ asked, answered, now, known }: ClockReading): number {
  const most = now - Math.floor(asked)
  const least = now - Math.floor(answered)
  return least <= known && known <= most ? known : most
}
