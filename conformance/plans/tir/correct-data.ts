import { randomBytes } from 'node:crypto'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

/** params[0] of a setAttributeData that is built, whatever would become of it on the chain. */
export function correctData({
  createIdentity,
}: Pick<DidRegistryUnderTest, 'createIdentity'>): Record<string, unknown> {
  const { did, address: from } = createIdentity()
  const attributeId = `0x${randomBytes(32).toString('hex')}`
  return { from, did, attributeId, attributeData: '0x61' }
}
