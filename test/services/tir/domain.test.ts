import { Interface } from 'ethers'
import { describe, expect, it } from 'vitest'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { createIssuerTree } from '#services/tir/domain/issuers.ts'
import { parseRpcRequest } from '#services/tir/domain/rpc-message.ts'

const iface = new Interface(trustedIssuersRegistryAbi as never)
const idOf = (byte: string) => `0x${byte.repeat(32)}`

const logOf = (event: string, values: readonly unknown[]) => ({
  ...iface.encodeEventLog(event, values),
  blockNumber: 1,
  blockHash: '0x',
  transactionHash: '0x',
  logIndex: 0,
})
const publish = (did: string, byte: string, type: number, taoDid: string, taoByte: string) =>
  logOf('AttributeMetadataSet', [idOf('00'), idOf(byte), did, type, taoDid, idOf(taoByte)])

const shapeOf = (...logs: Parameters<typeof createIssuerTree>[0]) =>
  createIssuerTree(logs).map(({ did, depth, issuerType }) => [did, depth, issuerType])

describe('createIssuerTree', () => {
  it('is empty without events', () => {
    expect(createIssuerTree([])).toEqual([])
  })

  it('places an attribute below its parent, regardless of the order of publication', () => {
    expect(
      shapeOf(
        publish('leaf', '0c', 3, 'tao', '0b'),
        publish('root', '0a', 1, 'root', '0a'),
        publish('tao', '0b', 2, 'root', '0a'),
      ),
    ).toEqual([
      ['root', 0, 'RTAO'],
      ['tao', 1, 'TAO'],
      ['leaf', 2, 'TI'],
    ])
  })

  it('keeps roots that name each other at the top', () => {
    expect(
      shapeOf(publish('one', '0a', 1, 'other', '0b'), publish('other', '0b', 1, 'one', '0a')),
    ).toEqual([
      ['one', 0, 'RTAO'],
      ['other', 0, 'RTAO'],
    ])
  })

  it('distinguishes attributes with the same identifier by their DID', () => {
    expect(
      shapeOf(publish('a', '0a', 1, 'a', '0a'), publish('b', '0a', 1, 'b', '0a')),
    ).toHaveLength(2)
  })

  it('places an attribute without a known parent at the top', () => {
    expect(shapeOf(publish('lost', '0c', 3, 'gone', '0b'))).toEqual([['lost', 0, 'TI']])
  })

  it('keeps the place of a revoked attribute, and ignores unknown events', () => {
    expect(
      shapeOf(
        publish('root', '0a', 1, 'root', '0a'),
        publish('leaf', '0b', 3, 'root', '0a'),
        publish('leaf', '0b', 4, 'root', '00'),
        publish('never', '0c', 4, 'root', '0a'),
        { ...publish('other', '0d', 1, 'other', '0d'), topics: [idOf('ff')] },
        logOf('AttributeDataSet', [idOf('00'), idOf('0e'), 'never', 0, '0x00']),
      ),
    ).toEqual([
      ['root', 0, 'RTAO'],
      ['leaf', 1, 'REVOKED'],
    ])
  })

  it('walks a chain of accreditations of any length', () => {
    // Encoded once: to encode each of them takes ten seconds.
    const { topics, data, ...rest } = publish('did', 'aa', 2, 'did', 'bb')
    const logs = Array.from({ length: 12_000 }, (_, index) => {
      const place = (text: string) =>
        text
          .replaceAll('aa'.repeat(32), (index + 1).toString(16).padStart(64, '0'))
          .replaceAll('bb'.repeat(32), index.toString(16).padStart(64, '0'))
      return { ...rest, topics: topics.map(place), data: place(data) }
    })
    expect(createIssuerTree(logs).at(-1)?.depth).toBe(11_999)
  })
})

it('ignores inherited members of a request', () => {
  const inherited = Object.create({ jsonrpc: '2.0', method: 'x', id: 1 })
  expect(parseRpcRequest({ ...inherited })).toEqual({ ok: false, id: null })
  const polluted = JSON.parse('{"jsonrpc":"2.0","method":"x","__proto__":{"id":1}}')
  expect(parseRpcRequest(polluted)).toEqual({
    ok: true,
    request: { id: undefined, method: 'x', params: undefined },
  })
})
