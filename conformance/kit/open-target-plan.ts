import tls from 'node:tls'
import { readTarget } from '../targets/read-target.ts'
import type { PlanName } from './check.ts'
import type { OpenPlan, OpenPlanOptions } from './plan.ts'

/** Opens a plan against a target that its schema has validated. */
type OpenTarget = (target: never, options: OpenPlanOptions) => Promise<OpenPlan> | OpenPlan

/** How each plan is opened against a target; loaded on demand. */
const openers: Readonly<Record<PlanName, () => Promise<OpenTarget>>> = {
  wallet: async () => (await import('../plans/wallet/open-wallet-plan.ts')).openWalletTarget,
  verifier: async () => (await import('../plans/verifier/open-verifier-plan.ts')).openVerifierPlan,
  issuer: async () => (await import('../plans/issuer/open-issuer-plan.ts')).openIssuerPlan,
  idp: async () => (await import('../plans/idp/open-idp-plan.ts')).openIdpPlan,
  'relying-party': async () =>
    (await import('../plans/relying-party/open-relying-party-plan.ts')).openRelyingPartyPlan,
  'did-registry': async () =>
    (await import('../plans/did-registry/open-did-registry-plan.ts')).openDidRegistryPlan,
  tir: async () => (await import('../plans/tir/open-tir-plan.ts')).openTirPlan,
}

/**
 * Opens a plan against the system that a target file describes. Secrets of the file are never
 * shown.
 * @throws TestbedError `invalid_target` with the problem and its line; `not_started`
 */
export async function openTargetPlan(
  plan: PlanName,
  path: string,
  options: OpenPlanOptions,
): Promise<OpenPlan> {
  const { exchanges, environment = {} } = options
  const open = await openers[plan]()
  const { target, secrets } = await readTarget(path, plan, environment)
  exchanges.hide(...secrets)
  const distrust = trustAuthority(target)
  try {
    const opened = await open(target as never, options)
    return { ...opened, close: () => opened.close().finally(distrust) }
  } catch (error) {
    distrust()
    throw error
  }
}

/**
 * Makes this process trust the certificate authority of a target, if it names one. Returns how to
 * end that.
 */
export function trustAuthority(target: unknown): () => void {
  const { tls: members } = Object(target) as { tls?: { readonly ca: string } }
  if (members === undefined) return () => {}
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, members.ca])
  return () => tls.setDefaultCACertificates(before)
}
