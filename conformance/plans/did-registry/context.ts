import type { DidEnvironment } from '#core/did/did-org.ts'
import type { CheckBase } from '../../kit/check-base.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import type { MiningControl } from '../registries/mining.ts'

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
