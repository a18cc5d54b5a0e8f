import { randomUUID } from 'node:crypto'
import { type CheckBase, type Finding, held } from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { OpenPlan, TargetDescription } from '../../kit/plan.ts'
import type { CallVerbOptions } from '../../targets/adapters/call-verb.ts'
import type { WalletDriver } from '../../targets/adapters/wallet-driver.ts'
import { describeAddresses, type OpenTrustWorld } from '../../world/open-trust-world.ts'
import type { KitServer } from '../../world/start-kit-server.ts'
import type { WalletContext } from './context.ts'
import { openIssuerSession } from './counterparts/issuer-session.ts'
import { openVerifierSession } from './counterparts/verifier-session.ts'
import { takeCredential } from './findings/issuance-findings.ts'
import { takePresentation } from './findings/presentation-findings.ts'

interface WhatTargetOffers {
  /** The kit as the wallet reaches it. */
  readonly origin: string
  readonly curves: readonly string[]
  readonly deferralPatienceSeconds?: number | undefined
}

/** Why a target does not offer what a check needs, and what to add to it; undefined where it does. */
function missingNeed(
  need: string,
  { origin, curves, deferralPatienceSeconds }: WhatTargetOffers,
): string | undefined {
  if (need === 'https' && !origin.startsWith('https:')) {
    return 'It needs a kit that the wallet reaches by https: put a proxy or a tunnel before it and name its address in kit.publicUrl.'
  }
  if (need === 'curves' && curves.length < 2) {
    return 'It needs a wallet whose account may be of either curve: add `curves: [secp256k1, Ed25519]` and give the verb reset the placeholder {curve}.'
  }
  if (need === 'deferral-patience' && deferralPatienceSeconds === undefined) {
    return 'It needs to know when a wallet that waits for a deferred credential gives up: add deferralPatienceSeconds.'
  }
  return undefined
}

/** A wallet under test and what stands around it. */
export interface WalletSurroundings {
  /** The kit's server, which the wallet reaches. */
  readonly server: KitServer
  readonly trust: OpenTrustWorld
  readonly target: Omit<TargetDescription, 'addresses'>
  /** The curves that its verb `reset` takes for `{curve}`. */
  readonly curves?: readonly string[]
  /** How long the wallet waits for a deferred credential, at most. */
  readonly deferralPatienceSeconds?: number
  /** Drives the wallet; made for each check, so that what it does is that check's evidence. */
  readonly createDriver: (options: Pick<CallVerbOptions, 'exchanges' | 'signal'>) => WalletDriver
}

/** The control `offers`: the wallet takes an offer with nothing wrong. */
async function findOfferTaken(context: WalletContext): Promise<Finding> {
  context.trust.settle()
  const { answer } = await asPremise('taking a good offer', takeCredential(context))
  return held(answer.reason)
}

/** The control `requests`: the wallet answers a request with nothing wrong. */
async function findRequestAnswered(context: WalletContext): Promise<Finding> {
  context.trust.settle()
  const { answer } = await asPremise('answering a good request', takePresentation(context))
  return held(answer.reason)
}

/**
 * Opens the plan `wallet`: the kit plays issuers, verifiers and the registries. The wallet has to be
 * configured with the addresses of its trust world; closing ends the kit's server.
 */
export function openWalletPlan(surroundings: WalletSurroundings): OpenPlan<WalletContext> {
  const { server, trust, target, createDriver, curves = [], deferralPatienceSeconds } = surroundings
  const { world } = trust
  const verifier = world.createParty(`verifier ${randomUUID()}`)
  let heldCredential: string | undefined
  let isEmpty = false

  async function createContext(base: CheckBase): Promise<WalletContext> {
    const wallet = createDriver(base)
    // What an earlier run or a failed check left in it could be presented.
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
        const { credential } = await asPremise('taking a good offer', takeCredential(context))
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
    target: { ...target, addresses: describeAddresses(trust.addresses) },
    algorithm: 'ES256K',
    missing: (need) =>
      missingNeed(need, { origin: server.origin, curves, deferralPatienceSeconds }),
    controls: {
      offers: { run: findOfferTaken },
      requests: { run: findRequestAnswered },
    },
    createContext,
    settle: trust.settle,
    close: server.close,
  }
}
