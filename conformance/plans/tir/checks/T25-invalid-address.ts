import { defineTirCheck } from '../context.ts'
import { findMetadataRefused } from '../find-metadata-refused.ts'

export const check = defineTirCheck({
  id: 'T25',
  title: 'An address that is none is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: [
    '2.resources-and-their-fields/types-used-in-the-tir.1',
    '2.endpoints/tir.10',
    '2.errors/tir.4',
  ],
  description: 'The transaction is built for its nonce; of another account it can’t be sent.',
  sends: 'setAttributeMetadata with from too short, too long, without 0x, and no hex.',
  decides: 'error.code -32602 for each of them.',
  run(context) {
    const { address } = context.didRegistry.createIdentity()
    return findMetadataRefused(context, {
      'an address without 0x': { from: address.slice(2) },
      'an address that is too short': { from: address.slice(0, -1) },
      'an address that is too long': { from: `${address}0` },
      'an address that is no hex': { from: `${address.slice(0, -1)}g` },
      'a number as address': { from: 1 },
    })
  },
})
