import { randomUUID } from 'node:crypto'
import { type CheckBase, type Finding, held } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { OpenPlan, OpenPlanOptions, TargetDescription } from '../../kit/plan.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import { openPersonDesk } from '../../targets/adapters/person/open-person-desk.ts'
import { createWalletDriver, type WalletDriver } from '../../targets/adapters/wallet-driver.ts'
import { openKit } from '../../targets/open-kit.ts'
import { describeAddresses, type OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { KitServer } from '../../world/start-kit-server.ts'
import type { WalletContext } from './context.ts'
import { openIssuerSession } from './counterparts/issuer-session.ts'
import { openVerifierSession } from './counterparts/verifier-session.ts'
import { takeCredential } from './findings/issuance-findings.ts'
import { takePresentation } from './findings/presentation-findings.ts'
import type { WalletTarget } from './z-target.ts'

interface TargetCapabilities {
  /** Whether a person operates the wallet. */
  readonly isPerson: boolean
  /** The origin of the kit, as the wallet sees it. */
  readonly origin: string
  readonly curves: readonly string[]
  readonly deferralPatienceSeconds?: number | undefined
}

/** Says which need of a check the target does not meet and what to add; undefined if it does. */
export function missingNeed(
  need: string,
  { isPerson, origin, curves, deferralPatienceSeconds }: TargetCapabilities,
): string | undefined {
  if (need === 'https' && !origin.startsWith('https:')) {
    return 'The wallet must reach the kit over HTTPS. Put a proxy or a tunnel in front of the kit and set its URL as kit.publicUrl.'
  }
  if (need === 'same-machine' && isPerson) {
    return 'The kit opens a server with an untrusted certificate only for a wallet on this machine.'
  }
  if (need === 'curves' && curves.length < 2) {
    return 'The wallet must support accounts on both curves. Add `curves: [secp256k1, Ed25519]`, and the placeholder {curve} to the verb reset.'
  }
  if (need === 'two-at-once' && isPerson) {
    return 'A person accepts one offer after the other.'
  }
  if (need === 'quick-offers' && isPerson) {
    return 'A person does not accept several offers within seconds.'
  }
  if (need === 'deferral-patience' && deferralPatienceSeconds === undefined) {
    return 'The check needs to know how long the wallet waits for a deferred credential. Add deferralPatienceSeconds.'
  }
  return undefined
}

/** A wallet under test and its environment. */
export interface WalletSurroundings {
  /** The kit's server, which the wallet reaches. */
  readonly server: KitServer
  readonly trust: OpenTrustWorld
  readonly target: Omit<TargetDescription, 'addresses'>
  /** Whether a person operates the wallet. Default: false. */
  readonly isPerson?: boolean
  /** The values that its verb `reset` accepts for `{curve}`. */
  readonly curves?: readonly string[]
  /** How long the wallet waits for a deferred credential at most. */
  readonly deferralPatienceSeconds?: number
  /** Creates the driver for one check, so that its exchanges become the evidence of that check. */
  readonly createDriver: (options: Pick<CallVerbOptions, 'exchanges' | 'signal'>) => WalletDriver
}

/** The control `offers`: the wallet accepts a valid offer. */
async function findOfferTaken(context: WalletContext): Promise<Finding> {
  context.trust.settle()
  const { answer } = await asPremise('accepting a valid offer', takeCredential(context))
  return held(answer.reason)
}

/** The control `requests`: the wallet answers a valid request. */
async function findRequestAnswered(context: WalletContext): Promise<Finding> {
  context.trust.settle()
  const { answer } = await asPremise('answering a valid request', takePresentation(context))
  return held(answer.reason)
}

/**
 * Opens the plan `wallet`: the kit plays issuers, verifiers and the registries. The wallet must be
 * configured with the URLs of the trust world. Closing the plan stops the server of the kit.
 */
export function openWalletPlan(surroundings: WalletSurroundings): OpenPlan<WalletContext> {
  const { server, trust, target, createDriver, curves = [], deferralPatienceSeconds } = surroundings
  const { isPerson = false } = surroundings
  const { world } = trust
  const verifier = world.createParty(`verifier ${randomUUID()}`)
  let heldCredential: string | undefined
  let isEmpty = false

  async function createContext(base: CheckBase): Promise<WalletContext> {
    const wallet = createDriver(base)
    // The wallet could present credentials of an earlier run or a failed check.
    if (!isEmpty && wallet.can.reset) {
      await wallet.reset()
      heldCredential = undefined
    }
    isEmpty = true
    const { now } = base
    const context: WalletContext = {
      ...base,
      wallet,
      trust,
      ...(deferralPatienceSeconds === undefined ? {} : { deferralPatienceSeconds }),
      openIssuer: (behaviour = {}) => openIssuerSession({ server, world, now, behaviour }),
      openVerifier: (behaviour = {}) =>
        openVerifierSession({ server, world, verifier, now, behaviour }),
      async holdCredential() {
        if (heldCredential !== undefined) return heldCredential
        const { credential } = await asPremise('accepting a valid offer', takeCredential(context))
        return credential
      },
      noteHeld(credential) {
        heldCredential = credential
      },
      noteChanged() {
        heldCredential = undefined
        isEmpty = false
      },
    }
    return context
  }

  return {
    plan: 'wallet',
    isPerson,
    target: { ...target, addresses: describeAddresses(trust.addresses) },
    algorithm: 'ES256K',
    missing: (need) =>
      missingNeed(need, { isPerson, origin: server.origin, curves, deferralPatienceSeconds }),
    controls: {
      offers: { run: findOfferTaken },
      requests: { run: findRequestAnswered },
    },
    createContext,
    settle: trust.settle,
    close: server.close,
  }
}

/** The most verbs that one check may call. */
const mostVerbs = 4

/**
 * Opens the plan `wallet` for a target: starts the kit as the target describes, and prints the URL
 * of the page for the person who operates the wallet, if any.
 * @throws TestbedError `not_started`
 */
export async function openWalletTarget(
  { name, description, adapter, curves, deferralPatienceSeconds, ...target }: WalletTarget,
  options: OpenPlanOptions,
): Promise<OpenPlan<WalletContext>> {
  const kit = await openKit(target, 'wallet under test', options)
  const { server, trust, environment } = kit
  const { exchanges, askPerson, say } = options
  const desk =
    adapter.type === 'person'
      ? openPersonDesk({ server, exchanges, targetName: name, askPerson })
      : undefined
  if (desk) say?.(describePage(desk.url, trust.addresses))
  const plan = openWalletPlan({
    server,
    trust,
    isPerson: desk !== undefined,
    target: { name, description },
    ...(curves && { curves }),
    ...(deferralPatienceSeconds && { deferralPatienceSeconds }),
    createDriver: (driverOptions) =>
      createWalletDriver(adapter, { ...driverOptions, environment, ...(desk && { desk }) }),
  })
  const seconds = adapter.timeoutSeconds ?? (desk ? 180 : undefined)
  return {
    ...plan,
    ...(seconds === undefined ? {} : { timeLimitMilliseconds: seconds * 1000 * mostVerbs }),
    async settle() {
      await plan.settle?.()
      kit.settle()
    },
    describeProgram: kit.describeProgram,
    async close() {
      desk?.close()
      await kit.close()
    },
  }
}

/** The URL of the page, and the registries to set in the wallet. */
function describePage(url: string, addresses: OpenTrustWorld['addresses']): string {
  const { didRegistryBaseUrl, tirBaseUrl, rootDid } = addresses
  return `The wallet must trust these registries:
  DID registry  ${didRegistryBaseUrl}
  TIR           ${tirBaseUrl}
  root          ${rootDid}
Open this page on any device and keep the wallet ready:
  ${url}`
}
