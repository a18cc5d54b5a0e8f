import { z } from 'zod'
import { parseJws } from '#core/crypto/jws.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import type { TraceBuffer } from '#testbed/process/traces.ts'
import type { EnvironmentContext } from '#testbed/services/environment-context.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { asSentence } from '../frame/as-sentence.ts'
import { zExplanation } from '../sessions/read-sessions.ts'
import type { ConsoleWallets } from '../wallets/console-wallets.ts'
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

export interface TourState extends Tour {
  readonly login?: TourLogin
  readonly loginStartedAt?: number
  /** The step that failed last. Its QR code may be used or expired: a repetition needs another. */
  readonly failed?: TourStep
}

/** What the steps work with. */
export interface ToursOptions {
  readonly environments: ReadonlyMap<string, RunningEnvironment>
  readonly wallets: ConsoleWallets
  readonly traces: TraceBuffer
  readonly stopping: AbortSignal
}

export function runningOf({ environments }: ToursOptions, { environment }: Tour) {
  const running = environments.get(environment)
  if (running === undefined) throw new TypeError(`no environment ${environment}`)
  return running
}

/** The scenario of what a step sends. */
export const tagOf = (id: string, step: TourStep): string => `tour-${id}:${step}`

type StepAction = (options: ToursOptions, tour: TourState) => Promise<Partial<TourState>>

/** Does a step in the real components; returns what changes in the tour. */
export const stepActions: Readonly<Record<TourStep, StepAction>> = {
  async wallet(options, tour) {
    const { environment } = tour
    const { name } = protagonistOf(runningOf(options, tour).context)
    const free = freeName(options, environment, name)
    const wallet = await options.wallets.create({ environment, name: free })
    return { walletId: wallet.id }
  },
  async offer(options, tour) {
    return { results: { offer: await requestOffer(options, tour) } }
  },
  async accept(options, tour) {
    const { results, failed } = tour
    const offer = failed === 'accept' ? await requestOffer(options, tour) : results.offer
    const activity = await answer(options, tour, { step: 'accept', link: offer?.link })
    return { results: { ...(offer && { offer }), accept: { activity } } }
  },
  async login(options, tour) {
    const begun = await begin(options, tour, 'login')
    const { link } = begun.login
    const qrPng = createQrPng(link).toString('base64')
    const loginUrl = `/relying-party/login?env=${tour.environment}`
    return { ...begun, results: { login: { link, qrPng, loginUrl } } }
  },
  async present(options, before) {
    const { opened } = await findLogin(options, before)
    const needsLogin = before.failed === 'present' && opened === undefined
    const tour = needsLogin ? { ...before, ...(await begin(options, before, 'present')) } : before
    const { own } = await findLogin(options, tour)
    const { link, sessionId } = opened ?? { ...own, link: tour.login?.link }
    const activity = await answer(options, tour, { step: 'present', link })
    const verdict = opened === undefined ? await tour.login?.finish() : undefined
    const rejection = await readRejection(options, tour, sessionId)
    if (verdict?.status === 'FAILED' || rejection !== undefined) {
      const message = `The login was rejected. ${rejection?.reason ?? ''}`.trim()
      throw new TestbedError({ code: 'login_rejected', status: 409, message })
    }
    const claims = verdict && { claims: verdict.claims }
    return { results: { present: { activity, ...claims } } }
  },
  async revoke(options, tour) {
    const credentialId = await credentialIdOf(options, tour)
    await createTourPortal(runningOf(options, tour).context).revoke(credentialId)
    return { results: { revoke: { credentialId } } }
  },
  async rejected(options, tour) {
    const begun = await begin(options, tour, 'rejected')
    const { own } = await findLogin(options, { ...tour, ...begun })
    const activity = await answer(options, tour, { step: 'rejected', link: begun.login.link })
    const { status } = await begun.login.finish()
    if (status === 'SUCCESS') {
      const message = 'The login was accepted: the credential is no longer revoked. Start again.'
      throw new TestbedError({ code: 'login_accepted', status: 409, message })
    }
    const rejection = await readRejection(options, tour, own?.sessionId)
    return { results: { rejected: { activity, ...(rejection && { rejection }) } } }
  },
}

/** The name, with a number if a wallet of an earlier tour or of a person has it. */
function freeName({ wallets }: ToursOptions, environment: string, name: string): string {
  const taken = new Set(wallets.list(environment).map((wallet) => wallet.name))
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name} (${number})`
  return free
}

async function requestOffer(options: ToursOptions, tour: Tour): Promise<ShownCode> {
  const png = await createTourPortal(runningOf(options, tour).context).requestCredential()
  const { readQrPng } = await import('#wallet-emulator/qr/read-qr-code.ts')
  const read = readQrPng(png)
  if (!read.ok) throw new TypeError(`the issuer's QR code is not readable: ${read.reason}`)
  return { link: read.text, qrPng: Buffer.from(png).toString('base64') }
}

/** Begins a login in the background, so that the tour can show its QR code. */
async function begin(options: ToursOptions, tour: Tour, step: TourStep) {
  const { context } = runningOf(options, tour)
  const loginStartedAt = context.runtime.clock.milliseconds()
  const tag = tagOf(tour.id, step)
  const login = await beginTourLogin(context, { state: tag, tag, signal: options.stopping })
  return { login, loginStartedAt }
}

/** The login page to answer: that of another tab if a person opened one since, else the own. */
async function findLogin(options: ToursOptions, tour: TourState) {
  const { login, loginStartedAt = 0 } = tour
  const running = runningOf(options, tour)
  await running.collectHops()
  const { urls, runtime } = running.context
  const hops = options.traces.since(0)
  const pending = findPendingLogins(hops, runtime.clock.seconds(), urls.verifier)
  const own = pending.find(({ link }) => link === login?.link)
  const opened = pending.find(
    ({ startedAt, clientId, state }) =>
      startedAt >= loginStartedAt && clientId === 'relying-party' && !state?.startsWith('tour-'),
  )
  return { own, opened }
}

/** Answers a link with the wallet of the tour. */
async function answer(
  { wallets }: ToursOptions,
  { id, walletId = '' }: Tour,
  { step, link = '' }: { readonly step: TourStep; readonly link: string | undefined },
): Promise<WalletActivity> {
  const activity = await wallets.answer(walletId, { link, tag: tagOf(id, step) })
  if (activity.problem === undefined) return activity
  const { code, message } = activity.problem
  throw new TestbedError({ code, status: 409, message })
}

/** The issuer's id of the credential in the tour's wallet. */
async function credentialIdOf({ wallets }: ToursOptions, { walletId = '' }: Tour): Promise<string> {
  const [stored] = await wallets.find(walletId).store.listCredentials()
  const jws = parseJws(stored?.credential ?? '')
  if (jws.ok && typeof jws.payload.jti === 'string') return jws.payload.jti
  const message = 'The wallet of the tour has no credential. Start again.'
  throw new TestbedError({ code: 'no_credential', status: 409, message })
}

/** Why the verifier rejected the login of a session; undefined if it did not. */
async function readRejection(options: ToursOptions, tour: Tour, sessionId?: string) {
  if (sessionId === undefined) return undefined
  return explainRejection(runningOf(options, tour).context, sessionId)
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
