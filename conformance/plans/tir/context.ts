import type { DidEnvironment } from '#core/did/did-org.ts'
import type { Signer } from '#core/ethereum/account.ts'
import type { CheckBase } from '../../kit/check-base.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'
import type { Accreditor } from './accreditor.ts'
import type { TirUnderTest } from './create-tir-under-test.ts'

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
