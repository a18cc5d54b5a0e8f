import { AbiCoder, hexlify, Interface, toUtf8Bytes, zeroPadValue } from 'ethers'
import { createContract } from 'micro-eth-signer/abi.js'
import { describe, expect, it } from 'vitest'
import { createEventDecoder, textOutputsAsBytes } from '#core/ethereum/abi.ts'

const eventAbi = [
  {
    type: 'event',
    name: 'Happened',
    inputs: [
      { name: 'hash', type: 'bytes32', indexed: true },
      { name: 'account', type: 'address', indexed: true },
      { name: 'text', type: 'string' },
      { name: 'count', type: 'uint64' },
      { name: 'data', type: 'bytes' },
      { name: 'done', type: 'bool' },
    ],
  },
  { type: 'event', name: 'Bare', inputs: [{ name: 'text', type: 'string' }] },
  { type: 'error', name: 'Failed', inputs: [] },
]
const iface = new Interface(eventAbi)
const decode = createEventDecoder(eventAbi)
const account = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'
const hash = `0x${'ab'.repeat(32)}`

// @row 2.events.1
describe('createEventDecoder', () => {
  it('reads what ethers encoded', () => {
    const values = [hash, account, 'tëxt', 2n ** 64n - 1n, '0x0102', true]
    const log = iface.encodeEventLog('Happened', values)
    expect(decode(log)).toEqual({
      name: 'Happened',
      args: {
        hash,
        account,
        text: 'tëxt',
        count: '18446744073709551615',
        data: '0x0102',
        done: true,
      },
    })
    expect(decode(iface.encodeEventLog('Bare', ['x']))).toEqual({
      name: 'Bare',
      args: { text: 'x' },
    })
  })

  it('survives a text that is no UTF-8', () => {
    const { topics, data } = iface.encodeEventLog('Bare', ['\u0001A'])
    expect(decode({ topics, data: data.replace('0141', 'ff41') })?.args).toEqual({
      text: '\ufffdA',
    })
  })

  it.each([
    ['no topics', { topics: [], data: '0x' }],
    ['another event', { topics: [hash], data: '0x' }],
    ['too few topics', { topics: [iface.getEvent('Happened')?.topicHash ?? ''], data: '0x' }],
    ['data cut off', { topics: [iface.getEvent('Bare')?.topicHash ?? ''], data: '0x00' }],
    [
      'data that is no encoding',
      {
        topics: [iface.getEvent('Bare')?.topicHash ?? ''],
        data: hexlify(zeroPadValue(toUtf8Bytes('x'), 32)),
      },
    ],
  ])('finds none in %s', (_name, log) => {
    expect(decode(log)).toBeUndefined()
  })
})

const functionAbi = [
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
  const [original, changed] = [
    createContract(functionAbi),
    createContract(textOutputsAsBytes(functionAbi)),
  ]
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
