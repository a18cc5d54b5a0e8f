import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import type { AttributeMetadata } from '#core/registries/tir-client.ts'
import type { CheckBase } from '../../kit/check.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'
import type { TirUnderTest } from './tir-under-test.ts'

/** A TAO that the kit controls: its DID with its own accreditation and its account. */
export interface Accreditor {
  readonly did: string
  /** The attributeId of its accreditation: 64 hex digits without 0x. */
  readonly attributeId: string
  readonly signer: Signer
}

/** An attribute and the TAO that published it. */
export interface Publication {
  readonly by: Accreditor
  readonly metadata: AttributeMetadata
}

export interface TirContext extends CheckBase {
  readonly tir: TirUnderTest
  /** Without a trailing slash; ends with /trusted-issuers-registry. */
  readonly tirBaseUrl: string
  readonly environment: DidEnvironment
  /** The evidence does not show it, nor a changed one. */
  readonly apiKey: string
  changeApiKey(change: (key: string) => string): string
  /** The DID registry of the TIR; registering there needs `onboarding-node`. */
  readonly didRegistry: DidRegistryUnderTest
  /** Whether there is a TAO of the kit. */
  readonly canAccredit: boolean
  /** A TAO of the kit; a check that uses it needs `accreditor`. */
  accreditor(): Promise<Accreditor>
  /** An attribute without data that no check changes; needs `accreditor`. */
  publication(): Promise<Publication>
  /**
   * Accounts without any right in the TIR, by their names: a new one and, unless it may be that of
   * the operator, that of the onboarding node.
   */
  outsiders(): Readonly<Record<string, Signer>>
  /** A second TAO, below it; needs `accreditor` and `onboarding-node`. */
  otherAccreditor(): Promise<Accreditor>
  /** The registry's operator; a check that uses it needs `operator`. */
  readonly operator: Signer
  /** A check that uses it needs `mining`. */
  readonly mining: MiningControl
  /** Disconnects the TIR from its chain and reconnects it; a check that uses it needs `outage`. */
  setChainOutage(isOut: boolean): Promise<void>
  /** The same for its API key service; needs `key-outage`. */
  setApiKeysOutage(isOut: boolean): Promise<void>
}

/** The capabilities that a target may lack, by their names in `needs`, and what to add for them. */
export const tirNeeds = {
  accreditor:
    'The target has no TAO for the kit: add accreditor (did, attributeId, privateKey), or operator.privateKey with onboardingNode.privateKey so that the kit can create one.',
  'onboarding-node':
    'The target has no onboarding node: add onboardingNode.privateKey, the key (0x-hex) of an account that may register DIDs.',
  operator:
    'The target has no operator: add operator.privateKey, the key (0x-hex) of the account that may publish ROOT_TAO.',
  mining:
    'The target cannot pause its chain: add adapter.hold-mining and adapter.mine, verbs that pause and resume mining.',
  outage:
    'The target cannot disconnect its TIR from the chain: add adapter.stop-chain and adapter.start-chain, verbs that disconnect and reconnect it.',
  'key-outage':
    'The target cannot disconnect its TIR from the API key service: add adapter.stop-api-keys and adapter.start-api-keys, verbs that disconnect and reconnect it.',
} as const

/** Why a TIR that simulates what it builds may reject even the kit's correct calls. */
export const whyRejected = ({ canAccredit }: Pick<TirContext, 'canAccredit'>) =>
  canAccredit ? undefined : tirNeeds.accreditor

export type TirNeed = keyof typeof tirNeeds
