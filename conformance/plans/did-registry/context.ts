import type { DidEnvironment } from '#core/did/did-org.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'

/** What a target may lack, by its names in `needs`, and what to add to it then. */
export const didRegistryNeeds = {
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  mining:
    'The target cannot hold its chain: add adapter.hold-mining and adapter.mine, verbs that keep transactions from being mined and mine them.',
} as const

export type DidRegistryNeed = keyof typeof didRegistryNeeds

/** What the checks of a DID registry get. */
export interface DidRegistryContext extends CheckBase {
  /** As an organization reaches it. */
  readonly registry: DidRegistryUnderTest
  readonly environment: DidEnvironment
  /** Without a trailing slash and without `/api/v1`. */
  readonly baseUrl: string
  /** A check that uses it needs `mining`. */
  readonly mining: MiningControl
}
