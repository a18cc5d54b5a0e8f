import { isTestbedError } from '#core/errors/testbed-error.ts'
import { endCheck, inconclusive } from '../../kit/finding.ts'
import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

export interface Use {
  readonly vMethodId?: string
  /** Unix seconds. */
  readonly notBefore: number
  /** Unix seconds. */
  readonly notAfter: number
}

/**
 * Lets a key of an identity, by default its control key, make assertions for some time. Document 2
 * does not show the body of this operation: a registry with another one can't be judged by it.
 *
 * @assumption A-04
 */
export async function addUse(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  use: Use,
): Promise<string> {
  const { did, vMethodId } = identity
  const body = { did, name: 'assertionMethod', vMethodId, ...use }
  try {
    return await registry.write('addVerificationRelationship', body, identity)
  } catch (error) {
    if (!isTestbedError(error) || error.code !== 'registry_refused') throw error
    endCheck(
      inconclusive(
        `The registry takes no {did, name, vMethodId, notBefore, notAfter, from}, and document 2 shows no other body: ${error.message}`,
      ),
    )
  }
}
