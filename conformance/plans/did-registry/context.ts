import type { DidEnvironment } from '#core/did/did-org.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'

/** The capabilities that a target may lack, by their names in `needs`, and what to add for them. */
export const didRegistryNeeds = {
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  mining:
    'The target cannot pause its chain: add adapter.hold-mining and adapter.mine, verbs that pause and resume mining.',
  chain:
    'The target has no chain node: add chain.rpcUrl, the address where the kit reads receipts and blocks.',
  outage:
    'The target cannot disconnect its registry from the chain: add adapter.stop-chain and adapter.start-chain, verbs that disconnect and reconnect it.',
} as const

export type DidRegistryNeed = keyof typeof didRegistryNeeds

export interface DidRegistryContext extends CheckBase {
  /** The registry as an organization reaches it. */
  readonly registry: DidRegistryUnderTest
  readonly environment: DidEnvironment
  /** Without a trailing slash and without `/api/v1`. */
  readonly baseUrl: string
  /** A check that uses it needs `mining`. */
  readonly mining: MiningControl
  /** Disconnects the registry from its chain and reconnects it; a check that uses it needs `outage`. */
  setChainOutage(isOut: boolean): Promise<void>
  /**
   * The `result` of a method of the chain node, or undefined; a check that uses it needs `chain`.
   */
  askNode(method: string, params: readonly unknown[]): Promise<unknown>
}
