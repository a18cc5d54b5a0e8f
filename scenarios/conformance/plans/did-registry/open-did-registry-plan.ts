import type { OpenPlan, OpenPlanOptions } from '../../plan.ts'
import { createDidRegistryUnderTest } from '../../registries/create-did-registry-under-test.ts'
import { createHeldMining, type MiningControl } from '../../registries/mining-control.ts'
import type { DidRegistryContext } from './context.ts'
import { type DidRegistryNeed, didRegistryNeeds } from './needs.ts'
import type { DidRegistryTarget } from './z-target.ts'

/**
 * Opens the plan against a DID registry: the kit is its client, with keys of its own.
 * @param mining how its chain is held; absent where it can't be
 */
export async function openDidRegistryPlan(
  target: Omit<DidRegistryTarget, 'plan' | 'verbs'>,
  _options: OpenPlanOptions,
  mining?: MiningControl,
): Promise<OpenPlan<DidRegistryContext>> {
  const { name, description, baseUrl, environment, chain, onboardingNode } = target
  const held = createHeldMining(mining)
  const has: Readonly<Record<DidRegistryNeed, boolean>> = {
    'onboarding-node': onboardingNode !== undefined,
    mining: mining !== undefined,
  }
  return {
    plan: 'did-registry',
    target: {
      name,
      ...(description === undefined ? {} : { description }),
      addresses: { 'DID registry': baseUrl, ...(chain && { 'chain node': chain.rpcUrl }) },
    },
    algorithm: 'ES256K',
    missing: (need) =>
      has[need as DidRegistryNeed] ? undefined : didRegistryNeeds[need as DidRegistryNeed],
    createContext(base) {
      const address = {
        baseUrl,
        environment,
        chainRpcUrl: chain?.rpcUrl,
        onboardingNodeKey: onboardingNode?.privateKey,
      }
      const registry = createDidRegistryUnderTest(base.httpAs('organization'), address, base)
      return { ...base, registry, environment, baseUrl, mining: held }
    },
    settle: () => held.settle(),
    close: async () => {},
  }
}
