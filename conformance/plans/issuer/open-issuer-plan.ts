import { setTimeout as sleep } from 'node:timers/promises'
import { suites } from '#core/crypto/suites.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'
import type { CheckBase } from '../../kit/check.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { startProgram } from '../../targets/adapters/programs.ts'
import { createTargetClock } from '../../targets/target-clock.ts'
import type { IssuerContext, IssuerNeed, IssuerTrust } from './context.ts'
import { makeOffer, offerVerbs } from './make-offer.ts'
import { openPortal } from './open-portal.ts'
import { findPortalServed } from './portal-steps.ts'
import { findServed } from './refusals.ts'
import { bearerClaims, type IssuerTarget, personClaims } from './z-target.ts'

/**
 * Opens the plan of credential issuers: the kit plays the wallet and the client that orders offers.
 * @throws TestbedError `not_started` if the target's own program does not become ready
 */
export async function openIssuerPlan(
  target: IssuerTarget,
  options: OpenPlanOptions,
): Promise<OpenPlan<IssuerContext>> {
  const { name, description, credentialIssuer, algorithm, adapter, offerLifetimeSeconds } = target
  const { exchanges, signal: runs } = options
  const program =
    target.start && (await startProgram(target.start, { environment: {}, signal: runs }))
  const clock = createTargetClock(adapter, exchanges)
  const trust = trustOf(target)
  const missing = missingIn(target)

  function createContext(base: CheckBase): IssuerContext {
    const { signal } = base
    const http = base.httpAs('wallet')
    const advanceClock = (seconds: number) => clock.advance(seconds, base)
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
      can: (need) => missing[need] === undefined,
      portal() {
        if (target.portal) return openPortal(target.portal, base.httpAs('portal'), base)
        endCheck(inconclusive('The target has no portal.'))
      },
      createOffer: (kind = 'plain') => makeOffer(target, kind, base),
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
      description,
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
    missing: (need) => missing[need as IssuerNeed],
    createContext,
    settle: () => clock.reset(),
    describeProgram: async () => program?.describeState(),
    close: async () => program?.stop(),
  }
}

function trustOf(target: IssuerTarget): IssuerTrust | undefined {
  const { environment, didRegistryBaseUrl, tirBaseUrl, rootDids } = target
  if (didRegistryBaseUrl === undefined || tirBaseUrl === undefined || !rootDids) return undefined
  return { environment, didRegistryBaseUrl, tirBaseUrl, rootDids }
}

/** For each need, why the target does not meet it, and what to add; undefined if it is met. */
function missingIn(target: IssuerTarget): Readonly<Record<IssuerNeed, string | undefined>> {
  const { adapter, portal } = target
  const unless = (isMet: unknown, advice: string) => (isMet ? undefined : advice)
  const unlessVerb = (name: keyof IssuerTarget['adapter']) =>
    unless(
      adapter[name],
      `The target lacks a required capability: add the verb ${name} to its adapter.`,
    )
  const unlessClaims = (names: readonly string[]) => {
    const verb = JSON.stringify(portal?.['create-bearer-token'] ?? '')
    const unused = names.map((name) => `{${name}}`).filter((each) => !verb.includes(each))
    const advice = `Other Bearer tokens are required: use ${unused.join(', ')} in create-bearer-token.`
    return unless(unused.length === 0, advice)
  }
  return {
    pin: unlessVerb(offerVerbs.pin),
    reference: unlessVerb(offerVerbs.reference),
    deferred: unlessVerb(offerVerbs.deferred),
    several: unlessVerb(offerVerbs.several),
    clock: unlessVerb('advance-clock'),
    trust: unless(
      trustOf(target),
      'Credentials cannot be verified: add didRegistryBaseUrl, tirBaseUrl and rootDids.',
    ),
    portal: unless(portal, 'The address of the endpoints /issuance is unknown: add portal.'),
    'other-organization': unless(
      portal?.other,
      'A second organization is required: add other to portal.',
    ),
    mailbox: unless(portal?.mailbox, 'Emails cannot be read: add mailbox to portal.'),
    'bearer-claims': unlessClaims(bearerClaims),
    'person-claims': unlessClaims(personClaims),
  }
}
