import { defineTirCheck } from '../context.ts'
import { correctData } from '../correct-data.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'

export const check = defineTirCheck({
  id: 'T32',
  title: 'params other than an array of one object is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.6', '2.endpoints/tir.8'],
  description: 'Of two objects one would be left out, and its sender would not know.',
  sends: 'setAttributeData with an object as params, an empty array, and an array of two.',
  decides: 'error.code -32602 for each of them, or -32600.',
  async run({ tir, didRegistry }) {
    const correct = correctData(didRegistry)
    const send = (params: unknown) => () =>
      tir.post({ jsonrpc: '2.0', id: 1, method: 'setAttributeData', params })
    return findEachRpcError(
      {
        'an object as params': send(correct),
        'empty params': send([]),
        'two objects in params': send([correct, correct]),
        'a list in params': send([[correct]]),
      },
      // The envelope may be judged before the parameters are.
      [-32602, -32600],
      send([correct]),
    )
  },
})
