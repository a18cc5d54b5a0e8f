import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

/**
 * Whether a key may make assertions at an instant (Unix seconds), or now: whether assertionMethod
 * names it, however it writes its id.
 */
export async function isListed(
  registry: DidRegistryUnderTest,
  { did, vMethodId }: Pick<FreshIdentity, 'did' | 'vMethodId'>,
  validAt?: number,
): Promise<boolean> {
  const { assertionMethod } = await registry.requireDocument(did, validAt)
  return assertionMethod.some((id) => id.endsWith(vMethodId))
}
