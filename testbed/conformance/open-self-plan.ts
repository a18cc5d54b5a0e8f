import type { PlanName } from '#conformance/kit/check.ts'
import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'

export interface SelfOptions {
  /** Runs a part that takes much work in a separate process; mutants must be in that of the kit. */
  readonly isSeparate?: boolean
}

type OpenSelf = (options: OpenPlanOptions, self: SelfOptions) => Promise<OpenPlan>

/** `--target self` of each plan; loaded on demand, because some plans start a whole testbed. */
const openers: Readonly<Record<PlanName, () => Promise<OpenSelf>>> = {
  wallet: async () => (await import('./wallet.ts')).openSelf,
  verifier: async () => (await import('./verifier.ts')).openSelf,
  issuer: async () => (await import('./issuer.ts')).openSelf,
  idp: async () => (await import('./idp.ts')).openSelf,
  'relying-party': async () => (await import('./relying-party.ts')).openSelf,
  'did-registry': async () => (await import('./registries.ts')).openDidRegistrySelf,
  tir: async () => (await import('./registries.ts')).openTirSelf,
}

/** Starts the testbed's own part for a plan and opens the plan against it. */
export async function openSelfPlan(
  plan: PlanName,
  options: OpenPlanOptions,
  self: SelfOptions = {},
): Promise<OpenPlan> {
  const openSelf = await openers[plan]()
  return openSelf(options, self)
}
