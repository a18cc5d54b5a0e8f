import { randomUUID } from 'node:crypto'
import type { HolderDidMethod } from '#core/crypto/holder-did.ts'
import { parseJws } from '#core/crypto/jws.ts'
import type { HolderCurve } from '#core/crypto/suites.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { summarizeCredentialContent } from '#core/lear-credential/lear-credential.ts'
import type { Language } from '#kit/language.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import { holderSuitesOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { CredentialStatus } from '#wallet-emulator/actions/read-credential-status.ts'
import type { WalletEvent } from '#wallet-emulator/events.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { Account } from '#wallet-emulator/keys/create-account.ts'
import type { StoredCredential } from '#wallet-emulator/store/wallet-store.ts'
import { explainClaims } from '../claims.ts'
import { acceptOrPresent, type HeldWallet, openWallet } from './open-wallet.ts'
import { describeStep, rulesOfError, rulesOfHops, type WalletActivity } from './wallet-activity.ts'

/** A wallet of the emulator that the console holds in memory. */
export interface ConsoleWallet extends HeldWallet {
  readonly id: string
  readonly name: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Newest first, at most 10. */
  readonly activities: readonly WalletActivity[]
}

export interface CreateConsoleWalletOptions {
  readonly environment: string
  /** 1 to 64 characters. */
  readonly name: string
  /** Names of deviations. */
  readonly faults?: readonly string[]
  readonly curve?: HolderCurve
  readonly didMethod?: HolderDidMethod
}

export interface AnswerLinkOptions {
  /** The link of an offer or of a presentation request. */
  readonly link: string
  readonly pin?: string | undefined
  /** Id of the credential to present, if several match. */
  readonly credentialId?: string | undefined
  /** `x-scenario-id` of the wallet's requests. Default: an own one. */
  readonly tag?: string | undefined
}

/**
 * The wallets of the console: at most 50, in the memory of this process, each of one environment.
 * They use the clock and the registries of the testbed.
 */
export interface ConsoleWallets {
  /**
   * @throws TestbedError `too_many_wallets` or `wallet_exists` (409), `unknown_fault` or
   * `unfit_faults` (400)
   */
  create(options: CreateConsoleWalletOptions): Promise<ConsoleWallet>
  /** Oldest first. */
  list(environment: string): readonly ConsoleWallet[]
  /** @throws TestbedError `unknown_wallet` (404) */
  find(id: string): ConsoleWallet
  /** Replaces the deviations. Throws like `create` for faults. */
  setFaults(id: string, faults: readonly string[]): Promise<ConsoleWallet>
  remove(id: string): void
  /** @throws TestbedError `unknown_credential` (404) */
  removeCredential(id: string, credentialId: string): Promise<void>
  /**
   * Accepts an offer or answers a presentation request, whichever the link is, and returns the
   * steps and the result. A wallet that stops is a result, not an error.
   * @throws TestbedError `no_link` (400), `wallet_full` (409)
   */
  answer(id: string, options: AnswerLinkOptions): Promise<WalletActivity>
  /** The currently published status of each credential, by its id. */
  readStatuses(id: string): Promise<ReadonlyMap<string, CheckedStatus>>
  /** Calls the listener with each wallet that changes until the returned function is called. */
  subscribe(listener: (wallet: ConsoleWallet) => void): () => void
}

/** `at` is when it was checked, by the testbed's clock: Unix time in seconds. */
export type CheckedStatus = CredentialStatus & { readonly at: number }

const mostWallets = 50
const mostCredentials = 100
const mostActivities = 10

const conflict = (code: string, message: string) => new TestbedError({ code, status: 409, message })

export interface ConsoleWalletsOptions {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly runtime: Runtime
  readonly traces: TraceBuffer
  /** Aborts what the wallets are doing. */
  readonly stopping: AbortSignal
}

/** Keeps the wallets of the console in memory. */
export function createConsoleWallets(options: ConsoleWalletsOptions): ConsoleWallets {
  const { environments, runtime, traces } = options
  const wallets = new Map<string, ConsoleWallet>()
  const listeners = new Set<(wallet: ConsoleWallet) => void>()

  function find(id: string): ConsoleWallet {
    const found = wallets.get(id)
    if (found !== undefined) return found
    const message = 'This wallet does not exist. The wallets end with the testbed.'
    throw new TestbedError({ code: 'unknown_wallet', status: 404, message })
  }

  function keep(wallet: ConsoleWallet): ConsoleWallet {
    wallets.set(wallet.id, wallet)
    for (const listener of listeners) listener(wallet)
    return wallet
  }

  function keepActivity(id: string, activity: WalletActivity): void {
    const wallet = wallets.get(id)
    // Deleted in the meantime.
    if (wallet === undefined) return
    const others = wallet.activities.filter((each) => each.id !== activity.id)
    keep({ ...wallet, activities: [activity, ...others].slice(0, mostActivities) })
  }

  return {
    find,
    list: (environment) => [...wallets.values()].filter((each) => each.environment === environment),

    async create({ environment, name, faults = [], curve, didMethod }) {
      const { createAccount } = await import('#wallet-emulator/keys/create-account.ts')
      const { createMemoryStore } = await import('#wallet-emulator/store/wallet-store.ts')
      if (wallets.size >= mostWallets) {
        throw conflict('too_many_wallets', `There are ${mostWallets} wallets. Delete one first.`)
      }
      if (this.list(environment).some((each) => each.name === name)) {
        throw conflict('wallet_exists', `There is already a wallet "${name}". Choose another name.`)
      }
      const context = environments.get(environment)?.context
      const [usual] = context ? holderSuitesOf(context) : []
      const account = createAccount({
        ...(usual && { curve: usual.curve }),
        ...(curve && { curve }),
        ...(didMethod && { didMethod }),
      })
      return keep({
        id: randomUUID(),
        name,
        environment,
        account,
        store: createMemoryStore(account),
        faults: await namedFaults(faults, account),
        createdAt: runtime.clock.seconds(),
        activities: [],
      })
    },

    async setFaults(id, names) {
      const faults = await namedFaults(names, find(id).account)
      return keep({ ...find(id), faults })
    },

    remove(id) {
      wallets.delete(find(id).id)
    },

    async removeCredential(id, credentialId) {
      const wallet = find(id)
      if (await wallet.store.removeCredential(credentialId)) {
        keep(find(id))
        return
      }
      const message = 'This wallet does not have that credential.'
      throw new TestbedError({ code: 'unknown_credential', status: 404, message })
    },

    async answer(id, { link: text, tag: givenTag, ...rest }) {
      const held = find(id)
      const found = await requireLink(text)
      await requireSpace(held)
      const startedAt = runtime.clock.milliseconds()
      let activity: WalletActivity = {
        id: randomUUID(),
        action: found.kind === 'offer' ? 'accept-offer' : 'present',
        startedAt,
        state: 'running',
        steps: [],
        brokenRules: [],
        credentialIds: [],
      }
      const show = (change: Partial<WalletActivity>) => {
        activity = { ...activity, ...change }
        keepActivity(id, activity)
      }
      const onEvent = (event: WalletEvent) =>
        show({ steps: [...activity.steps, describeStep(event, runtime.clock.milliseconds())] })
      const tag = givenTag ?? `wallet-${activity.id}`
      const lastHop = traces.since(0).at(-1)?.id ?? 0
      let own: WalletActivity['brokenRules'] = []
      let ending: Partial<WalletActivity>
      try {
        const opened = await openWallet(options, held, { tag, onEvent })
        ending = { state: 'done', ...(await acceptOrPresent(opened, { ...found, ...rest })) }
      } catch (error) {
        if (!isTestbedError(error)) throw error
        const { code, message } = error
        own = await rulesOfError(error)
        ending = { state: 'stopped', problem: { code, message } }
      }
      await environments.get(held.environment)?.collectHops()
      const hops = traces.since(lastHop).filter(({ scenarioId }) => scenarioId === tag)
      show({ ...ending, brokenRules: [...own, ...rulesOfHops(hops)] })
      return activity
    },

    async readStatuses(id) {
      const { readCredentialStatus } = await import(
        '#wallet-emulator/actions/read-credential-status.ts'
      )
      const held = find(id)
      const { wallet, trust } = await openWallet(options, held)
      const credentials = await held.store.listCredentials()
      const statuses = credentials.map(
        async (each): Promise<[string, CheckedStatus]> => [
          each.id,
          { ...(await readCredentialStatus(wallet, each, trust)), at: wallet.now() },
        ],
      )
      return new Map(await Promise.all(statuses))
    },

    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

async function requireLink(text: string) {
  const { findLink } = await import('#core/link/find-link.ts')
  const found = findLink(text)
  if (found !== undefined) return found
  const message = 'The text contains neither a credential offer nor a presentation request.'
  throw new TestbedError({ code: 'no_link', status: 400, message })
}

async function requireSpace({ store }: ConsoleWallet): Promise<void> {
  if ((await store.listCredentials()).length < mostCredentials) return
  throw conflict('wallet_full', `The wallet has ${mostCredentials} credentials. Delete some.`)
}

async function namedFaults(
  names: readonly string[],
  account: Account,
): Promise<readonly WalletFault[]> {
  const { findFaults } = await import('#wallet-emulator/faults/find-faults.ts')
  const { requireCompatibleFaults } = await import(
    '#wallet-emulator/faults/require-compatible-faults.ts'
  )
  const faults = findFaults(names)
  requireCompatibleFaults(faults, account)
  return faults
}

/** A wallet as the console's calls return it, with its credentials, newest first. */
export async function describeConsoleWallet(wallet: ConsoleWallet) {
  const { id, name, environment, account, faults, createdAt, activities, store } = wallet
  const credentials = await store.listCredentials()
  return {
    id,
    name,
    environment,
    holderDid: account.did,
    algorithm: account.algorithm,
    didMethod: account.didMethod,
    faults: faults.map((fault) => fault.name),
    createdAt,
    activities,
    credentials: credentials.map(describeCredential).reverse(),
  }
}

/** The facts of a card, read without trusting the issuer. */
function describeCredential({ id, credential, receivedAt }: StoredCredential) {
  const jws = parseJws(credential)
  return { ...summarizeCredentialContent(jws.ok ? jws.payload : {}), id, receivedAt }
}

/** A credential with the members of its header and payload, each with its meaning. */
export function decodeCredential({ credential }: StoredCredential, language: Language) {
  const jws = parseJws(credential)
  return {
    token: credential,
    header: jws.ok ? explainClaims(jws.header, language) : [],
    payload: jws.ok ? explainClaims(jws.payload, language) : [],
  }
}
