import { defineTirCheck } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { metadataOf } from '../metadata-of.ts'
import { rpcRequest } from '../rpc-request.ts'
import { wireMetadata } from '../wire-metadata.ts'

export const check = defineTirCheck({
  id: 'T25',
  title: 'An address that is none is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.resources-and-their-fields/types-used-in-the-tir.1', '2.endpoints/tir.10'],
  description: 'The transaction is built for its nonce; of another account it can’t be sent.',
  sends: 'setAttributeMetadata with from too short, too long, without 0x, and no hex.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry, environment }) {
    const { did, address } = didRegistry.createIdentity()
    const metadata = metadataOf({ did, attributeId: '1'.repeat(64) }, environment)
    const send = (from: unknown) => () =>
      tir.post(rpcRequest('setAttributeMetadata', { ...wireMetadata(metadata, address), from }))
    return findEachRpcError(
      {
        'an address without 0x': send(address.slice(2)),
        'an address that is too short': send(address.slice(0, -1)),
        'an address that is too long': send(`${address}0`),
        'an address that is no hex': send(`${address.slice(0, -1)}g`),
        'a number as address': send(1),
      },
      -32602,
    )
  },
})
