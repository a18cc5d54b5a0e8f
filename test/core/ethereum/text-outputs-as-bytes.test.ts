import { AbiCoder } from 'ethers'
import { createContract } from 'micro-eth-signer/abi.js'
import { expect, it } from 'vitest'
import { textOutputsAsBytes } from '#core/ethereum/abi.ts'

const abi = [
  {
    type: 'function',
    name: 'read',
    inputs: [{ name: 'string', type: 'string' }],
    outputs: [
      { name: 'text', type: 'string' },
      { name: 'list', type: 'string[]' },
      { name: 'pair', type: 'tuple', components: [{ name: 'inner', type: 'string' }] },
    ],
  },
] as const

it('reads returned texts as bytes and leaves the call as it is', () => {
  const [original, changed] = [createContract(abi), createContract(textOutputsAsBytes(abi))]
  expect(changed.read.encodeInput('x')).toEqual(original.read.encodeInput('x'))
  const types = ['bytes', 'bytes[]', 'tuple(bytes)']
  const answer = AbiCoder.defaultAbiCoder().encode(types, ['0xff', ['0xfe', '0x61'], ['0xfd']])
  const decoded = changed.read.decodeOutput(Buffer.from(answer.slice(2), 'hex'))
  expect([decoded.text, ...decoded.list, decoded.pair.inner].map((bytes) => [...bytes])).toEqual([
    [0xff],
    [0xfe],
    [0x61],
    [0xfd],
  ])
})
