import type { DidRegistryUnderTest } from '../../registries/create-did-registry-under-test.ts'
import type { FreshIdentity } from '../../registries/create-fresh-identity.ts'

export interface Use {
  readonly vMethodId?: string
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/** Lets a key of an identity, by default its control key, make assertions for some time. */
export function addUse(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  use: Use,
): Promise<string> {
  const { did, vMethodId } = identity
  const body = { did, name: 'assertionMethod', vMethodId, ...use }
  return registry.write('addVerificationRelationship', body, identity)
}
