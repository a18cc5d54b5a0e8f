import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T27',
  title: 'An unknown issuerType is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.4', '2.endpoints/tir.10'],
  description: 'A guess at what was meant may make a root of an issuer.',
  sends: 'setAttributeMetadata with other words, the name that reads use, and small letters.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry, environment }) {
    const { did, address } = didRegistry.createIdentity()
    const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
    const correct = wireMetadata(metadata, address)
    const requests = ['ISSUER', 'RTAO', 'ti', '', null].map((issuerType) => {
      const parameters = { ...correct, issuerType }
      const send = () => tir.post(rpcRequest('setAttributeMetadata', parameters))
      return [`issuerType ${JSON.stringify(issuerType)}`, send] as const
    })
    return findEachRpcError(Object.fromEntries(requests), -32602)
  },
})
