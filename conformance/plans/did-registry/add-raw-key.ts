import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

/** addVerificationMethod of a raw key, whatever it is, for an identity: built and not signed. */
export const addRawKey =
  (registry: DidRegistryUnderTest, { did, vMethodId, address: from }: FreshIdentity) =>
  (publicKey: string) =>
  (): Promise<HttpAnswer> =>
    registry.post('contract/addVerificationMethod', {
      did,
      vMethodId,
      publicKeyType: 'secp256k1',
      publicKey,
      from,
    })
