import { signerOf } from '#core/ethereum/account.ts'
import type { OpenPlan, OpenPlanOptions } from '../../kit/plan.ts'
import { startProgram } from '../../targets/adapters/programs.ts'
import { askChainNode } from '../registries/chain-receipts.ts'
import { createDidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import {
  type ChainControls,
  chainControlsOf,
  createHeldMining,
  createHeldOutage,
} from '../registries/mining.ts'
import { type DidRegistryContext, type DidRegistryNeed, didRegistryNeeds } from './context.ts'
import type { DidRegistryTarget } from './z-target.ts'

/**
 * Opens the plan against a DID registry: the kit is its client, with its own keys.
 * @param controls of its chain; by default the verbs of the target
 * @throws TestbedError `not_started` if the target's own program does not become ready
 */
export async function openDidRegistryPlan(
  target: Omit<DidRegistryTarget, 'plan'>,
  options: OpenPlanOptions,
  { mining, setChainOutage }: ChainControls = chainControlsOf(target.adapter ?? {}, options),
): Promise<OpenPlan<DidRegistryContext>> {
  const { name, description, baseUrl, environment, chain } = target
  const onboardingNode = target.onboardingNode && signerOf(target.onboardingNode.privateKey)
  const { signal } = options
  const program = target.start && (await startProgram(target.start, { environment: {}, signal }))
  const held = createHeldMining(mining)
  const switchChain = createHeldOutage(setChainOutage)
  const has: Readonly<Record<DidRegistryNeed, boolean>> = {
    'onboarding-node': onboardingNode !== undefined,
    mining: mining !== undefined,
    chain: chain !== undefined,
    outage: setChainOutage !== undefined,
  }
  return {
    plan: 'did-registry',
    target: {
      name,
      description,
      addresses: { 'DID registry': baseUrl, ...(chain && { 'chain node': chain.rpcUrl }) },
    },
    algorithm: 'ES256K',
    // Some checks write five times, on chains with a block every dozen seconds or more.
    timeLimitMilliseconds: 240_000,
    missing: (need) =>
      has[need as DidRegistryNeed] ? undefined : didRegistryNeeds[need as DidRegistryNeed],
    createContext(base) {
      const address = { baseUrl, environment, chainRpcUrl: chain?.rpcUrl, onboardingNode }
      const clients = {
        http: base.httpAs('organization'),
        chainHttp: base.httpAs('organization', 'chain node'),
      }
      const registry = createDidRegistryUnderTest(clients, address, base)
      const askNode: DidRegistryContext['askNode'] = (method, params) => {
        if (chain === undefined)
          throw new TypeError('A check of blocks must declare the need chain')
        return askChainNode(clients.chainHttp, chain.rpcUrl, method, params)
      }
      return {
        ...base,
        registry,
        environment,
        baseUrl,
        mining: held,
        setChainOutage: switchChain,
        askNode,
      }
    },
    async settle() {
      // If a verb fails, the next check reports the state of the chain.
      await held.mine().catch(() => {})
      await switchChain(false).catch(() => {})
    },
    describeProgram: async () => program?.describeState(),
    close: async () => program?.stop(),
  }
}
