import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import type { TirContext } from '#conformance/plans/tir/context.ts'
import { openTirPlan } from '#conformance/plans/tir/open-tir-plan.ts'
import { startRegistries } from './start-registries.ts'

/** The plan for TIRs against the testbed's own. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan<TirContext>> {
  const registries = await startRegistries()
  const { environment, tirBaseUrl, didRegistryBaseUrl, chainRpcUrl } = registries
  const { onboardingNode, operator, mining, setChainOutage } = registries
  const target = {
    name: "The testbed's own TIR",
    baseUrl: tirBaseUrl,
    didRegistryBaseUrl,
    environment,
    apiKey: registries.tirApiKey,
    chain: { rpcUrl: chainRpcUrl },
    onboardingNode,
    operator,
  }
  const plan = await openTirPlan(target, options, { mining, setChainOutage })
  return { ...plan, close: registries.close }
}
