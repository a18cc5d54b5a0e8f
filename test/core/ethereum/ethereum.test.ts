import {
  AbiCoder,
  computeAddress,
  concat,
  getAddress,
  getCreateAddress,
  hexlify,
  Interface,
  Signature,
  SigningKey,
  Transaction,
  toBeHex,
  toUtf8Bytes,
  Wallet,
  zeroPadValue,
} from 'ethers'
import { createContract } from 'micro-eth-signer/abi.js'
import { describe, expect, it } from 'vitest'
import { privateJwkFromHex, privateKeyHexOf, publicKeyHexOf } from '#core/crypto/jwk.ts'
import { createEventDecoder, textOutputsAsBytes } from '#core/ethereum/abi.ts'
import {
  addressOfPublicKey,
  checksumAddress,
  createdContractAddress,
} from '#core/ethereum/account.ts'
import {
  parseSignedTransaction,
  signTransaction,
  signTypedTransaction,
} from '#core/ethereum/transaction.ts'
import { rememberAnswers } from '#core/memory/keep-newest.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { fc } from '#test/support/fast-check.ts'

const privateKeys = [1, 2, 3, 0xabcdef].map((n) => `0x${n.toString(16).padStart(64, '0')}`)

describe('secp256k1 keys in the form that chain tools use', () => {
  it.each(privateKeys)('agrees with ethers on %s', (hex) => {
    const jwk = privateJwkFromHex(hex)
    expect(publicKeyHexOf(jwk)).toBe(new SigningKey(hex).publicKey)
    expect(addressOfPublicKey(jwk)).toBe(computeAddress(hex))
    expect(addressOfPublicKey(publicKeyHexOf(jwk))).toBe(computeAddress(hex))
    expect(privateKeyHexOf(jwk)).toBe(hex)
  })

  it('writes the checksum of EIP-55', () => {
    // The examples of EIP-55.
    for (const address of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(checksumAddress(address.toLowerCase())).toBe(address)
      expect(getAddress(address)).toBe(address)
    }
  })

  it('rejects invalid keys and addresses', () => {
    expect(() => addressOfPublicKey('0x04')).toThrow(TypeError)
    expect(() => checksumAddress('0x12')).toThrow(TypeError)
    expect(() => privateJwkFromHex(`0x${'0'.repeat(64)}`)).toThrow(TypeError)
    expect(() => privateJwkFromHex(`0x${'f'.repeat(64)}`)).toThrow(TypeError)
    expect(() => privateJwkFromHex('1'.repeat(64))).toThrow(TypeError)
  })
})

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

describe('createdContractAddress', () => {
  it.each([0, 1, 127])('agrees with ethers on nonce %d', (nonce) => {
    const from = computeAddress(privateKeys[3] ?? '')
    expect(createdContractAddress(from, nonce)).toBe(getCreateAddress({ from, nonce }))
  })

  it.each([
    [computeAddress(privateKeys[3] ?? ''), 128],
    ['0x12', 0],
  ])('rejects %s with nonce %d', (account, nonce) => {
    expect(() => createdContractAddress(account, nonce)).toThrow(TypeError)
  })
})

// @row 2.events.1
describe('createEventDecoder', () => {
  it('reads data that ethers encoded', () => {
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

  it('survives a string that is not valid UTF-8', () => {
    const { topics, data } = iface.encodeEventLog('Bare', ['\u0001A'])
    expect(decode({ topics, data: data.replace('0141', 'ff41') })?.args).toEqual({
      text: '\ufffdA',
    })
  })

  it.each([
    ['no topics', { topics: [], data: '0x' }],
    ['another event', { topics: [hash], data: '0x' }],
    ['too few topics', { topics: [iface.getEvent('Happened')?.topicHash ?? ''], data: '0x' }],
    ['truncated data', { topics: [iface.getEvent('Bare')?.topicHash ?? ''], data: '0x00' }],
    [
      'data that is not a valid encoding',
      {
        topics: [iface.getEvent('Bare')?.topicHash ?? ''],
        data: hexlify(zeroPadValue(toUtf8Bytes('x'), 32)),
      },
    ],
  ])('finds nothing in %s', (_name, log) => {
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

it('reads returned strings as bytes and leaves the call unchanged', () => {
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

const { wallet, address } = createDidKey('signer')
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const common = {
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0xABCD',
  nonce: 7,
  chainId: 20261,
  gasLimit: 50_000,
  value: 3,
}

/** EIP-155's own example: the transaction and the key of its section "Example". */
const eip155Example =
  '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'

describe('parseSignedTransaction', () => {
  it.each([
    ['legacy', { ...common, type: 0, gasPrice: 5 }],
    ['eip2930', { ...common, type: 1, gasPrice: 5 }],
    ['eip1559', { ...common, type: 2, maxFeePerGas: 5, maxPriorityFeePerGas: 1 }],
  ])('reads a transaction that ethers signed as %s', async (type, transaction) => {
    const raw = await wallet.signTransaction(transaction)
    const { signature, hash } = Transaction.from(raw)
    expect(parseSignedTransaction(raw)).toEqual({
      ok: true,
      transaction: {
        type,
        hash,
        from: address,
        to: common.to,
        data: '0xabcd',
        nonce: 7n,
        chainId: 20261n,
        gasLimit: 50_000n,
        maxFeePerGas: 5n,
        value: 3n,
        hasAccessList: false,
        r: BigInt(signature?.r ?? 0),
        s: BigInt(signature?.s ?? 0),
        yParity: signature?.yParity,
      },
    })
  })

  it('reads the example of EIP-155', () => {
    const result = parseSignedTransaction(eip155Example)
    expect(result).toMatchObject({
      ok: true,
      transaction: {
        from: '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F',
        nonce: 9n,
        chainId: 1n,
        value: 10n ** 18n,
      },
    })
  })

  it('reports a missing chain, a missing contract and an access list', async () => {
    const unprotected = Transaction.from({ ...common, chainId: 0, type: 0, gasPrice: 0 })
    unprotected.signature = wallet.signingKey.sign(unprotected.unsignedHash)
    const accessList = [{ address: common.to, storageKeys: [] }]
    const creation = { ...common, type: 1, gasPrice: 0, to: null, accessList }
    expect(parseSignedTransaction(unprotected.serialized)).toMatchObject({
      ok: true,
      transaction: { from: address, chainId: undefined, hasAccessList: false },
    })
    expect(parseSignedTransaction(await wallet.signTransaction(creation))).toMatchObject({
      ok: true,
      transaction: { to: '0x', hasAccessList: true },
    })
  })

  it('rejects a high s, as the chain does since EIP-2', async () => {
    const raw = await wallet.signTransaction({ ...common, type: 2, maxFeePerGas: 0 })
    const s = Transaction.from(raw).signature?.s ?? '0x'
    const highS = zeroPadValue(toBeHex(order - BigInt(s)), 32)
    const result = parseSignedTransaction(raw.replace(s.slice(2), highS.slice(2)))
    expect(result).toEqual({ ok: false, reason: 'invalid_signature' })
  })

  it.each([
    '',
    '0x',
    'zz',
    '0x1',
    '0x02',
    '0x02c0',
    '0xc0',
    '0x04c0',
    `0x${'00'.repeat(300)}`,
    `0x${'ff'.repeat(300)}`,
    concat(['0x02', eip155Example]),
    eip155Example.slice(2),
    eip155Example.slice(0, -2),
    `${eip155Example}00`,
  ])('cannot decode %s', (raw) => {
    expect(parseSignedTransaction(raw)).toEqual({ ok: false, reason: 'undecodable' })
  })
})

const bytes = (length: { minLength: number; maxLength: number }) =>
  fc.uint8Array(length).map((array) => `0x${Buffer.from(array).toString('hex')}`)
const quantity = fc.bigInt({ min: 0n, max: 2n ** 40n }).map((value) => `0x${value.toString(16)}`)
const accounts = bytes({ minLength: 32, maxLength: 32 })
  .filter((key) => BigInt(key) > 0n)
  .map((key) => new Wallet(key))

describe('signTransaction', () => {
  it('signs as ethers does, bit for bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        accounts,
        fc.record({
          to: bytes({ minLength: 20, maxLength: 20 }),
          data: bytes({ minLength: 0, maxLength: 200 }),
          nonce: fc.nat().map((value) => `0x${value.toString(16)}`),
          gasLimit: quantity,
          gasPrice: quantity,
          value: quantity,
        }),
        async (account, transaction) => {
          const unsigned = { ...transaction, from: account.address, chainId: '0x4f25' }
          const signed = signTransaction(unsigned, account.privateKey)
          const { to, data, gasLimit, gasPrice, value } = transaction
          const raw = await account.signTransaction({
            ...{ type: 0, to: to.toLowerCase(), data, gasLimit, gasPrice, value },
            nonce: Number(transaction.nonce),
            chainId: 0x4f25,
          })
          expect(signed.raw).toBe(raw)
          const { signature } = Transaction.from(raw)
          const { r, s, yParity } = signature ?? new Signature(null as never, '', '', 27)
          expect(signed).toMatchObject({ r, s, v: `0x${(27 + yParity).toString(16)}` })
        },
      ),
      { numRuns: 50 },
    )
  })

  it('rejects a key that does not match from', () => {
    const [one, other] = [Wallet.createRandom(), Wallet.createRandom()]
    const unsigned = {
      from: other.address,
      to: one.address,
      data: '0x',
      nonce: '0x0',
      chainId: '0x1',
      gasLimit: '0x1',
      gasPrice: '0x0',
      value: '0x0',
    }
    expect(() => signTransaction(unsigned, one.privateKey)).toThrow(
      expect.objectContaining({ code: 'wrong_signer' }),
    )
  })
})

const key = createDidKey('typed transactions')
const unsigned = {
  to: '0x2222222222222222222222222222222222222222',
  data: '0xabcdef',
  gasLimit: '0x5208',
  gasPrice: '0x7',
  chainId: '0x4f25',
  nonce: '0x3',
  value: '0x0',
  from: key.address,
}

describe('a typed transaction', () => {
  it.each([1, 2] as const)('of type %i is read correctly by another library', (type) => {
    const { raw, r, s, v } = signTypedTransaction(unsigned, type, key.wallet.privateKey)
    const read = Transaction.from(raw)
    expect(read).toMatchObject({ type, from: key.address, to: unsigned.to, data: unsigned.data })
    expect([read.nonce, read.gasLimit, read.chainId]).toEqual([3, 0x5208n, 0x4f25n])
    const fees = [read.gasPrice, read.maxFeePerGas, read.maxPriorityFeePerGas]
    expect(fees).toEqual(type === 1 ? [7n, null, null] : [null, 7n, 7n])
    expect({ r, s, v }).toEqual({
      r: read.signature?.r,
      s: read.signature?.s,
      v: `0x${read.signature?.yParity}`,
    })
  })
})

describe('rememberAnswers', () => {
  const remember = () => {
    const decoded: string[] = []
    const read = rememberAnswers((answer, subject) => {
      decoded.push(`${subject} ${hexlify(answer)}`)
      return { subject, text: hexlify(answer) }
    })
    return { read, decoded }
  }

  it('decodes an answer once for each subject', () => {
    const { read, decoded } = remember()
    const first = read('0x01', 'a')
    expect(read('0x01', 'a')).toBe(first)
    expect(read('0x01', 'b')).toEqual({ subject: 'b', text: '0x01' })
    expect(read('0x02', 'a')).toEqual({ subject: 'a', text: '0x02' })
    expect(decoded).toEqual(['a 0x01', 'b 0x01', 'a 0x02'])
  })

  it('keeps neither a long answer nor many', () => {
    const { read, decoded } = remember()
    const long = `0x${'00'.repeat(40_000)}`
    expect(read(long)).not.toBe(read(long))
    for (let number = 0; number <= 300; number++) read(toBeHex(number))
    decoded.length = 0
    for (const number of [300, 45, 44]) read(toBeHex(number))
    expect(decoded).toEqual([` ${toBeHex(44)}`])
  })
})
