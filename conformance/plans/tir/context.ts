import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'
import type { TirUnderTest } from './tir-under-test.ts'

/** A TAO that the kit can act for: its DID with its own accreditation and its account. */
export interface Accreditor {
  readonly did: string
  /** Of its own accreditation: 64 hex digits without 0x. */
  readonly attributeId: string
  readonly signer: Signer
}

/** What the checks of a TIR get. */
export interface TirContext extends CheckBase {
  readonly tir: TirUnderTest
  /** Without a trailing slash; ends with /trusted-issuers-registry. */
  readonly tirBaseUrl: string
  readonly environment: DidEnvironment
  /** Beside the TIR; what registers there needs `onboarding-node`. */
  readonly didRegistry: DidRegistryUnderTest
  /** A TAO of the kit's; a check that uses it needs `accreditor`. */
  accreditor(): Promise<Accreditor>
  /** Another one, below it; needs `accreditor` and `onboarding-node`. */
  otherAccreditor(): Promise<Accreditor>
  /** The registry's operator; a check that uses it needs `operator`. */
  readonly operator: Signer
  /** A check that uses it needs `mining`. */
  readonly mining: MiningControl
  /** Cuts the TIR off from its chain and puts it back; a check that uses it needs `outage`. */
  setChainOutage(isOut: boolean): Promise<void>
}

/** What a target may lack, by its names in `needs`, and what to add to it then. */
export const tirNeeds = {
  accreditor:
    'The target has no TAO that the kit may act for: add accreditor (did, attributeId, privateKey), or operator.privateKey with onboardingNode.privateKey, so that the kit gets one of its own.',
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  operator:
    'The target has no operator: add operator.privateKey, the key (0x-hex) of the account that may publish ROOT_TAO.',
  mining:
    'The target cannot hold its chain: add adapter.hold-mining and adapter.mine, verbs that keep transactions from being mined and mine them.',
  outage:
    'The target cannot cut its TIR off from the chain: add adapter.stop-chain and adapter.start-chain, verbs that do it.',
} as const

export type TirNeed = keyof typeof tirNeeds
