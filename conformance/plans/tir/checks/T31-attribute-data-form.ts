import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T31',
  title: 'attributeData that is not hex with 0x is answered with -32602',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.11', '2.resources-and-their-fields/types-used-in-the-tir.2'],
  description: 'A JWT that was not encoded must not be stored as something else.',
  sends: 'setAttributeData with the JWT itself, with hex without 0x, and with what is no hex.',
  decides: 'error.code -32602 for each of them.',
  async run({ tir, didRegistry }) {
    const correct = correctData(didRegistry)
    const send = (attributeData: unknown) => () =>
      tir.post(rpcRequest('setAttributeData', { ...correct, attributeData }))
    return findEachRpcError(
      {
        'the JWT itself': send('e30.e30.c2ln'),
        'hex without 0x': send('6530302e'),
        'letters that are no hex': send('0xzz'),
        'a list of bytes': send([101, 51]),
      },
      -32602,
      send('0x61'),
    )
  },
})
