import type { Finding } from '../../kit/finding.ts'
import type { TirContext } from './context.ts'
import { findEachRpcError } from './find-each-rpc-error.ts'
import { metadataOf } from './metadata-of.ts'
import { rpcRequest } from './rpc-request.ts'
import { wireMetadata } from './wire-metadata.ts'

/**
 * Has setAttributeMetadata built with wrong values in place of correct ones: each is answered with
 * -32602.
 * @param wrong what is wrong, and the members that are
 */
export function findMetadataRefused(
  { tir, didRegistry, environment }: TirContext,
  wrong: Readonly<Record<string, object>>,
): Promise<Finding> {
  const { did, address } = didRegistry.createIdentity()
  const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
  const correct = wireMetadata(metadata, address)
  const requests = Object.entries(wrong).map(([what, members]) => {
    const request = rpcRequest('setAttributeMetadata', { ...correct, ...members })
    return [what, () => tir.post(request)] as const
  })
  const control = () => tir.post(rpcRequest('setAttributeMetadata', correct))
  return findEachRpcError(Object.fromEntries(requests), -32602, control)
}
