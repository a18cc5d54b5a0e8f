import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { parseJws } from '#core/crypto/jws.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { withRequestContext } from '#kit/request-context.ts'
import type { Hop } from '#kit/traces.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import type { EnvironmentContext } from '#testbed/services/environment-context.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { zExplanation } from '../sessions/read-sessions.ts'
import type { ConsoleWallet, ConsoleWallets } from '../wallets/console-wallets.ts'
import { findPendingLogins } from '../wallets/pending-logins.ts'
import type { WalletActivity } from '../wallets/wallet-activity.ts'
import { beginTourLogin, createTourPortal, protagonistOf, type TourLogin } from './tour-parts.ts'

/** The steps of the tour, in order. */
export const tourSteps = [
  'wallet',
  'offer',
  'accept',
  'login',
  'present',
  'revoke',
  'rejected',
] as const
export type TourStep = (typeof tourSteps)[number]

interface ShownCode {
  /** The link in the QR code. */
  readonly link: string
  /** Base64 of a PNG. */
  readonly qrPng: string
}

/** What each step produced. */
interface TourResults {
  readonly offer?: ShownCode
  readonly accept?: { readonly activity: WalletActivity }
  /** With the address of the same login page for a new tab. */
  readonly login?: ShownCode & { readonly loginUrl: string }
  readonly present?: {
    readonly activity: WalletActivity
    /** Claims of the ID token; absent if the login page of another tab was answered. */
    readonly claims?: Readonly<Record<string, unknown>>
  }
  readonly revoke?: { readonly credentialId: string }
  readonly rejected?: { readonly activity: WalletActivity; readonly rejection?: Rejection }
}

export interface Tour {
  readonly id: string
  readonly environment: string
  /** The steps that are done, in order. */
  readonly done: readonly TourStep[]
  readonly results: TourResults
  readonly walletId?: string
}

/** The tours of the console: at most 5, each with a wallet. */
export interface Tours {
  /** Ends the oldest tour, with its wallet, if there are five. */
  start(running: RunningEnvironment): Tour
  /** @throws TestbedError `unknown_tour` (404) */
  find(id: string): Tour
  /** Ends a tour and deletes its wallet. */
  end(id: string): void
  /**
   * Does a step in the real components. A step that is done is not repeated.
   * @throws TestbedError `step_too_early`, `login_rejected`, `login_accepted` (409), or the error of
   *   a part as 409
   */
  perform(id: string, step: TourStep): Promise<Tour>
  walletOf(tour: Tour): ConsoleWallet | undefined
  /** The exchanges of a step between the parts, oldest first; without those of chain and console. */
  exchangesOf(id: string, step: TourStep): Promise<readonly Hop[]>
}

interface TourState extends Tour {
  readonly login?: TourLogin
  readonly loginStartedAt?: number
  /** The step that failed last. Its QR code may be used or expired: a repetition needs another. */
  readonly failed?: TourStep
}

const mostTours = 5

export interface ToursOptions {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly wallets: ConsoleWallets
  readonly traces: TraceBuffer
  readonly stopping: AbortSignal
}

export function createTours({ environments, wallets, traces, stopping }: ToursOptions): Tours {
  const tours = new Map<string, TourState>()
  const underWay = new Map<string, Promise<Tour>>()

  function find(id: string): TourState {
    const found = tours.get(id)
    if (found !== undefined) return found
    const message = 'This tour has ended. Start again.'
    throw new TestbedError({ code: 'unknown_tour', status: 404, message })
  }

  const runningOf = (environment: string): RunningEnvironment => {
    const running = environments.get(environment)
    if (running === undefined) throw new TypeError(`no environment ${environment}`)
    return running
  }
  const tagOf = (id: string, step: TourStep) => `tour-${id}:${step}`

  function end(tour: Tour): void {
    tours.delete(tour.id)
    const { walletId } = tour
    if (wallets.list(tour.environment).some(({ id }) => id === walletId)) {
      wallets.remove(walletId ?? '')
    }
  }

  /** The login page to answer: that of another tab if a person opened one since, else the own. */
  async function findLogin({ login, loginStartedAt = 0, ...tour }: TourState) {
    const running = runningOf(tour.environment)
    await running.collectHops()
    const { urls, runtime } = running.context
    const pending = findPendingLogins(traces.since(0), runtime.clock.seconds(), urls.verifier)
    const own = pending.find(({ link }) => link === login?.link)
    const opened = pending.find(
      ({ startedAt, clientId, state }) =>
        startedAt >= loginStartedAt && clientId === 'relying-party' && !state?.startsWith('tour-'),
    )
    return { own, opened }
  }

  /** Begins a login in the background, so that the tour can show its QR code. */
  async function begin(tour: TourState, step: TourStep) {
    const { context } = runningOf(tour.environment)
    const loginStartedAt = context.runtime.clock.milliseconds()
    const tag = tagOf(tour.id, step)
    const login = await beginTourLogin(context, { state: tag, tag, signal: stopping })
    return { login, loginStartedAt }
  }

  /** The name, with a number if a wallet of an earlier tour or of a person has it. */
  function freeName(environment: string, name: string): string {
    const taken = new Set(wallets.list(environment).map((wallet) => wallet.name))
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name} (${number})`
    return free
  }

  const actions: Readonly<Record<TourStep, (tour: TourState) => Promise<Partial<TourState>>>> = {
    async wallet({ environment }) {
      const { name } = protagonistOf(runningOf(environment).context)
      const wallet = await wallets.create({ environment, name: freeName(environment, name) })
      return { walletId: wallet.id }
    },
    async offer(tour) {
      return { results: { offer: await requestOffer(tour) } }
    },
    async accept(tour) {
      const { results, failed } = tour
      const offer = failed === 'accept' ? await requestOffer(tour) : results.offer
      const activity = await answer(tour, 'accept', offer?.link)
      return { results: { ...(offer && { offer }), accept: { activity } } }
    },
    async login(tour) {
      const begun = await begin(tour, 'login')
      const { link } = begun.login
      const qrPng = createQrPng(link).toString('base64')
      const loginUrl = `/relying-party/login?env=${tour.environment}`
      return { ...begun, results: { login: { link, qrPng, loginUrl } } }
    },
    async present(before) {
      const { opened } = await findLogin(before)
      const needsLogin = before.failed === 'present' && opened === undefined
      const tour = needsLogin ? { ...before, ...(await begin(before, 'present')) } : before
      const { own } = await findLogin(tour)
      const { link, sessionId } = opened ?? { ...own, link: tour.login?.link }
      const activity = await answer(tour, 'present', link)
      const verdict = opened === undefined ? await tour.login?.finish() : undefined
      const rejection = await readRejection(tour, sessionId)
      if (verdict?.status === 'FAILED' || rejection !== undefined) {
        const message = `The login was rejected. ${rejection?.reason ?? ''}`.trim()
        throw new TestbedError({ code: 'login_rejected', status: 409, message })
      }
      const claims = verdict && { claims: verdict.claims }
      return { results: { present: { activity, ...claims } } }
    },
    async revoke(tour) {
      const credentialId = await credentialIdOf(tour)
      await createTourPortal(runningOf(tour.environment).context).revoke(credentialId)
      return { results: { revoke: { credentialId } } }
    },
    async rejected(tour) {
      const begun = await begin(tour, 'rejected')
      const { own } = await findLogin({ ...tour, ...begun })
      const activity = await answer(tour, 'rejected', begun.login.link)
      const { status } = await begun.login.finish()
      if (status === 'SUCCESS') {
        const message = 'The login was accepted: the credential is no longer revoked. Start again.'
        throw new TestbedError({ code: 'login_accepted', status: 409, message })
      }
      const rejection = await readRejection(tour, own?.sessionId)
      return { results: { rejected: { activity, ...(rejection && { rejection }) } } }
    },
  }

  async function requestOffer({ environment }: Tour): Promise<ShownCode> {
    const png = await createTourPortal(runningOf(environment).context).requestCredential()
    const { readQrPng } = await import('#wallet-emulator/qr/read-qr-code.ts')
    const read = readQrPng(png)
    if (!read.ok) throw new TypeError(`the issuer's QR code is not readable: ${read.reason}`)
    return { link: read.text, qrPng: Buffer.from(png).toString('base64') }
  }

  /** Why the verifier rejected the login of a session; undefined if it did not. */
  async function readRejection({ environment }: Tour, sessionId?: string) {
    if (sessionId === undefined) return undefined
    return explainRejection(runningOf(environment).context, sessionId)
  }

  async function answer(
    { id, walletId = '' }: Tour,
    step: TourStep,
    link = '',
  ): Promise<WalletActivity> {
    const activity = await wallets.answer(walletId, { link, tag: tagOf(id, step) })
    if (activity.problem === undefined) return activity
    const { code, message } = activity.problem
    throw new TestbedError({ code, status: 409, message })
  }

  /** The issuer's id of the credential in the tour's wallet. */
  async function credentialIdOf({ walletId = '' }: Tour): Promise<string> {
    const [stored] = await wallets.find(walletId).store.listCredentials()
    const jws = parseJws(stored?.credential ?? '')
    if (jws.ok && typeof jws.payload.jti === 'string') return jws.payload.jti
    const message = 'The wallet of the tour has no credential. Start again.'
    throw new TestbedError({ code: 'no_credential', status: 409, message })
  }

  async function performNext(id: string, step: TourStep): Promise<Tour> {
    const tour = find(id)
    const context = { requestId: randomUUID(), scenarioId: tagOf(id, step) }
    try {
      const change = await withRequestContext(context, () => actions[step](tour))
      const results = { ...tour.results, ...change.results }
      const next = { ...tour, ...change, results, done: [...tour.done, step] }
      if (tours.has(id)) tours.set(id, next)
      return next
    } catch (error) {
      if (!isTestbedError(error)) throw error
      if (tours.has(id)) tours.set(id, { ...tour, failed: step })
      // The part may work again after a click: not an error of the console itself.
      const { code, message } = error
      throw new TestbedError({ code, status: 409, message, cause: error })
    }
  }

  return {
    find,
    end: (id) => end(find(id)),

    start({ environment }) {
      const [oldest] = tours.values()
      if (tours.size >= mostTours && oldest !== undefined) end(oldest)
      const tour: Tour = { id: randomUUID(), environment, done: [], results: {} }
      tours.set(tour.id, tour)
      return tour
    },

    async perform(id, step) {
      // Two clicks do a step once.
      await underWay.get(id)?.catch(() => {})
      const tour = find(id)
      if (tour.done.includes(step)) return tour
      if (tourSteps[tour.done.length] !== step) {
        const message = `Do the step "${tourSteps[tour.done.length]}" first.`
        throw new TestbedError({ code: 'step_too_early', status: 409, message })
      }
      const work = performNext(id, step)
      underWay.set(id, work)
      return work.finally(() => underWay.delete(id))
    },

    walletOf: ({ environment, walletId }) =>
      wallets.list(environment).find(({ id }) => id === walletId),

    async exchangesOf(id, step) {
      await runningOf(find(id).environment).collectHops()
      const tag = tagOf(id, step)
      return traces
        .since(0)
        .filter((hop) => hop.scenarioId === tag && hop.kind !== 'chain' && hop.from !== 'console')
    },
  }
}

const zSession = z.object({
  explanation: zExplanation.pick({ checked: true, failures: true }).nullable(),
})

/** Why a verifier rejected a presentation. */
interface Rejection {
  /** Id of the session at the verifier. */
  readonly sessionId: string
  readonly rule: string
  /** The requirement, as one sentence. */
  readonly statement?: string
  /** What the verifier found. */
  readonly reason: string
  /** The value found, if the rule shows one. */
  readonly actual?: string
  /** Its place, for example `vc.credentialStatus`. */
  readonly path: string
  readonly fix?: string
  /** `docs/profile/PAGE.md#ANCHOR` */
  readonly paragraph?: string
  /** How many rules were evaluated, and how many passed. */
  readonly evaluated: number
  readonly passed: number
}

/** The first broken rule of a verifier's session; undefined if it broke none. */
async function explainRejection(
  context: EnvironmentContext,
  sessionId: string,
): Promise<Rejection | undefined> {
  const verifier = createServiceClient(context, 'verifier', { caller: 'console' })
  const { json } = await verifier.getJson(`/sessions/${encodeURIComponent(sessionId)}`)
  const explanation = zSession.safeParse(json).data?.explanation
  const failure = explanation?.failures[0]
  if (!explanation || failure === undefined) return undefined
  const { rule, reason, path, got } = failure
  const checked = explanation.checked.find((each) => each.rule === rule)
  const paragraph = paragraphOfRule(rule)
  return {
    sessionId,
    rule,
    ...(checked && { statement: checked.statement }),
    reason: asSentence(reason),
    ...(got !== undefined && { actual: typeof got === 'string' ? got : JSON.stringify(got) }),
    path,
    ...(checked?.fix !== undefined && { fix: checked.fix }),
    ...(paragraph !== undefined && { paragraph }),
    evaluated: explanation.checked.length,
    passed: explanation.checked.filter(({ passed }) => passed).length,
  }
}
