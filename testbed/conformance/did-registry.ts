import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import type { DidRegistryContext } from '#conformance/plans/did-registry/context.ts'
import { openDidRegistryPlan } from '#conformance/plans/did-registry/open-did-registry-plan.ts'
import { startRegistries } from './start-registries.ts'

/** The plan for DID registries against the testbed's own. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan<DidRegistryContext>> {
  const registries = await startRegistries()
  const { environment, didRegistryBaseUrl, chainRpcUrl, onboardingNode, mining } = registries
  const target = {
    name: "The testbed's own DID registry",
    baseUrl: didRegistryBaseUrl,
    environment,
    chain: { rpcUrl: chainRpcUrl },
    onboardingNode,
  }
  const plan = await openDidRegistryPlan(target, options, mining)
  return { ...plan, close: registries.close }
}
