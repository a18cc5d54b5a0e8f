import type { UnsignedTransaction } from '#core/ethereum/z-unsigned-transaction.ts'
import type { DidRegistryUnderTest, FreshIdentity } from '../registries/did-registry-under-test.ts'

/** Has a transaction built that would show in the identity's document, for checks of sending. */
export function buildUpdate(
  { client }: DidRegistryUnderTest,
  { did, address: from }: FreshIdentity,
): Promise<UnsignedTransaction> {
  return client.build('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:oid:1.2.3:changed', from })
}
