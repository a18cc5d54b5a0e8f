import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { suites } from '#core/crypto/suites.ts'
import { realSeconds } from '#scenarios/harness/control-client.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import type { CheckBase } from '../../kit/check.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { type CallVerbOptions, callVerb } from '../../targets/adapters/call-verb.ts'
import { startProgram } from '../../targets/adapters/programs.ts'
import type { IssuerContext, IssuerNeed, IssuerTrust } from './context.ts'
import { makeOffer, offerVerbs } from './make-offer.ts'
import { openPortal } from './open-portal.ts'
import { findPortalServed } from './portal-steps.ts'
import { findServed } from './refusals.ts'
import { bearerClaims, type IssuerAdapter, type IssuerTarget, personClaims } from './z-target.ts'

/** The clock of a system under test, as far as the kit can move it. */
export interface TargetClock {
  /** Unix seconds. */
  now(): number
  /**
   * Moves the clock by the given number of seconds. Ends the check if that is impossible.
   */
  advance(seconds: number, options: CallVerbOptions): Promise<void>
  /** Restores the real time if the clock was moved and can be reset. */
  settle(options: CallVerbOptions): Promise<void>
}

const zMoved = z.object({ now: z.number() })

/** Follows the clock that the target's verbs move, and trusts the `now` that a verb returns. */
export function createTargetClock(
  adapter: Pick<IssuerAdapter, 'advance-clock' | 'reset-clock'>,
): TargetClock {
  let offset = 0
  return {
    now: () => Math.floor(realSeconds() + offset),
    async advance(seconds, options) {
      const verb = adapter['advance-clock']
      if (verb === undefined) endCheck(inconclusive('The target has no verb advance-clock.'))
      const values = { seconds }
      const { outcome, reason, json } = await callVerb(verb, 'advance-clock', values, options)
      if (outcome !== 'done') endCheck(inconclusive(`The clock was not moved. ${reason}`))
      const answer = zMoved.safeParse(json)
      offset = answer.success ? answer.data.now - realSeconds() : offset + seconds
    },
    async settle(options) {
      const verb = adapter['reset-clock']
      if (offset === 0 || verb === undefined) return
      const { outcome } = await callVerb(verb, 'reset-clock', {}, options)
      if (outcome === 'done') offset = 0
    },
  }
}

/**
 * Opens the plan of credential issuers: the kit plays the wallet and the client that orders offers.
 * @throws TestbedError `not_started` if the target's own program does not become ready
 */
export async function openIssuerPlan(
  target: IssuerTarget,
  options: OpenPlanOptions,
): Promise<OpenPlan<IssuerContext>> {
  const { name, description, credentialIssuer, algorithm, adapter, offerLifetimeSeconds } = target
  const { signal: runs } = options
  const program =
    target.start && (await startProgram(target.start, { environment: {}, signal: runs }))
  const clock = createTargetClock(adapter)
  const trust = trustOf(target)
  const verbOptions = (signal: AbortSignal): CallVerbOptions => ({
    exchanges: options.exchanges,
    signal,
  })

  function createContext(base: CheckBase): IssuerContext {
    const { signal } = base
    const http = base.httpAs('wallet')
    const advanceClock = async (seconds: number) => {
      await clock.advance(seconds, verbOptions(signal))
      // The rejection may depend on the time.
      base.proven.clear()
    }
    return {
      ...base,
      now: clock.now,
      credentialIssuer,
      algorithm,
      offerLifetimeSeconds,
      trust,
      http,
      advanceClock,
      deferredSeconds: target.deferredSeconds,
      letPass: (seconds) =>
        adapter['advance-clock'] === undefined
          ? sleep(seconds * 1000, undefined, { signal })
          : advanceClock(seconds),
      can: (need) => missingIn(target, need) === undefined,
      portal() {
        if (target.portal)
          return openPortal(target.portal, base.httpAs('portal'), verbOptions(signal))
        endCheck(inconclusive('The target has no portal.'))
      },
      createOffer: (kind = 'plain') => makeOffer(target, kind, verbOptions(signal)),
      createWallet: ({ faults = [], ...account } = {}) =>
        createWallet({
          account: createAccount({ curve: suites[algorithm].crv, ...account }),
          http: {
            // The target may be on this machine: the operator of the kit specified its address.
            allowPrivateAddresses: true,
            fetch: (url, init) => http.fetch(url, init),
            signal,
          },
          now: clock.now,
          ...(adapter['advance-clock'] && {
            wait: (milliseconds: number) => advanceClock(Math.ceil(milliseconds / 1000)),
          }),
          faults: findFaults(faults),
        }),
    }
  }

  return {
    plan: 'issuer',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: {
        'credential issuer': credentialIssuer,
        ...(trust && { 'DID registry': trust.didRegistryBaseUrl, TIR: trust.tirBaseUrl }),
      },
    },
    algorithm,
    controls: {
      offer: { run: (context) => findServed(context) },
      'pin-offer': { run: (context) => findServed(context, 'pin') },
      portal: { run: findPortalServed },
    },
    missing: (need) => missingIn(target, need as IssuerNeed),
    createContext,
    // Also after an interrupt.
    settle: () => clock.settle(verbOptions(AbortSignal.timeout(settleMilliseconds))),
    describeProgram: async () => program?.describeState(),
    close: async () => program?.stop(),
  }
}

export const settleMilliseconds = 10_000

function trustOf(target: IssuerTarget): IssuerTrust | undefined {
  const { environment, didRegistryBaseUrl, tirBaseUrl, rootDids } = target
  if (didRegistryBaseUrl === undefined || tirBaseUrl === undefined || !rootDids) return undefined
  return { environment, didRegistryBaseUrl, tirBaseUrl, rootDids }
}

/** Why a need is not met, and what to add to the target; undefined if it is met. */
function missingIn(target: IssuerTarget, need: IssuerNeed): string | undefined {
  if (need === 'portal') {
    return target.portal
      ? undefined
      : 'The address of the endpoints /issuance is unknown: add portal.'
  }
  if (need === 'other-organization') {
    return target.portal?.other
      ? undefined
      : 'A second organization is required: add other to portal.'
  }
  if (need === 'mailbox') {
    return target.portal?.mailbox ? undefined : 'Emails cannot be read: add mailbox to portal.'
  }
  if (need === 'bearer-claims' || need === 'person-claims') {
    const verb = JSON.stringify(target.portal?.['create-bearer-token'] ?? '')
    const names = need === 'bearer-claims' ? bearerClaims : personClaims
    const unused = names.map((name) => `{${name}}`).filter((each) => !verb.includes(each))
    return unused.length === 0
      ? undefined
      : `Other Bearer tokens are required: use ${unused.join(', ')} in create-bearer-token.`
  }
  if (need === 'trust') {
    return trustOf(target)
      ? undefined
      : 'Credentials cannot be verified: add didRegistryBaseUrl, tirBaseUrl and rootDids.'
  }
  const verb = need === 'clock' ? 'advance-clock' : offerVerbs[need]
  return target.adapter[verb] === undefined
    ? `The target lacks a required capability: add the verb ${verb} to its adapter.`
    : undefined
}
