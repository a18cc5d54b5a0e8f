import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

export interface NewMethod {
  readonly publicKeyType: 'secp256k1' | 'JsonWebKey2020'
  readonly publicKey: string
}

/** Registers a key with an identity's DID; gives its vMethodId. */
export async function addMethod(
  registry: DidRegistryUnderTest,
  identity: FreshIdentity,
  method: NewMethod,
): Promise<string> {
  const { vMethodId } = registry.createIdentity()
  const body = { did: identity.did, vMethodId, ...method }
  await registry.write('addVerificationMethod', body, identity)
  return vMethodId
}
