import { Interface, Transaction, toBeHex } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain, testChainId } from '#test/support/chain.ts'
import { controlKeyOf } from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import { startTir } from '#test/support/registries.ts'

const jwt = 'eyJhbGciOiJFUzI1NksifQ.eyJzdWIiOiJkaWQ6b3JnIn0.c2lnbmF0dXJl'
const jwtHex = `0x${Buffer.from(jwt).toString('hex')}`
const rootId = `0x${'0a'.repeat(32)}`
const taoId = `0x${'0b'.repeat(32)}`
const leafId = `0x${'0C'.repeat(32)}`

const chain = await startRegistryChain()
const tir = await startTir(chain)
const iface = new Interface(chain.tir.iface.fragments)
const root = createDidKey('root')
const tao = createDidKey('tao')
const leaf = createDidKey('leaf')

beforeAll(async () => {
  for (const key of [root, tao, leaf]) {
    const args = [key.did, '', controlKeyOf(key), 'urn:x']
    await chain.sendDirectly(chain.node, chain.registry, 'insertFirstDidDocument', ...args)
  }
})

const receiptOf = async (hash: string) =>
  (await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', hash)).result as {
    status: string
    revertReason?: string
  } | null
const statusOf = async (hash: string) => (await receiptOf(hash))?.status

const metadataOf = (
  subject: DidKey,
  revisionId: string,
  issuerType: string,
  parent: DidKey,
  attributeIdTao: string,
) => ({
  did: subject.did,
  revisionId,
  issuerType,
  taoDid: parent.did,
  attributeIdTao,
})

describe('publishing an accreditation', () => {
  // @row 2.what-the-service-does.2..3 2.resources-and-their-fields/tir-attribute.1..6 2.endpoints/tir.2 2.endpoints/tir.10..11 2.endpoints/tir.17 2.authentication.3
  it('works from the root through a TAO to a trusted issuer', async () => {
    const publications = [
      [chain.operator, root, metadataOf(root, rootId, 'ROOT_TAO', root, rootId)],
      [root, tao, metadataOf(tao, taoId, 'TAO', root, rootId)],
      [tao, leaf, metadataOf(leaf, leafId, 'TI', tao, taoId)],
    ] as const
    for (const [signer, subject, metadata] of publications) {
      expect(await statusOf(await tir.write(signer, 'setAttributeMetadata', metadata))).toBe('0x1')
      expect((await tir.read(subject.did, metadata.revisionId)).body).toMatchObject({
        attribute: { body: '' },
      })
      const data = { did: subject.did, attributeId: metadata.revisionId, attributeData: jwtHex }
      expect(await statusOf(await tir.write(subject, 'setAttributeData', data))).toBe('0x1')
    }
    expect(await tir.read(leaf.did, leafId)).toEqual({
      status: 200,
      body: {
        did: leaf.did,
        attribute: {
          body: jwt,
          hash: '0c'.repeat(32),
          issuerType: 'TI',
          rootTao: root.did,
          tao: tao.did,
          attributeIdTao: '0b'.repeat(32),
        },
      },
    })
    expect((await tir.read(root.did, rootId)).body).toMatchObject({
      attribute: { issuerType: 'RTAO', rootTao: root.did, tao: root.did },
    })
    expect((await tir.read(tao.did, taoId)).body).toMatchObject({
      attribute: { issuerType: 'TAO', rootTao: root.did, tao: root.did },
    })
  })

  // @row 2.states-and-transitions.7
  it('serves the latest revision, even after the revocation', async () => {
    const attributeId = `0x${'0d'.repeat(32)}`
    const metadata = metadataOf(leaf, attributeId, 'TI', tao, taoId)
    await tir.write(tao, 'setAttributeMetadata', metadata)
    for (const text of ['one', 'two']) {
      const attributeData = `0x${Buffer.from(text).toString('hex')}`
      await tir.write(leaf, 'setAttributeData', { did: leaf.did, attributeId, attributeData })
    }
    const bodyOf = async () => (await tir.read(leaf.did, attributeId)).body
    expect(await bodyOf()).toMatchObject({ attribute: { body: 'two', issuerType: 'TI' } })
    const revocation = { ...metadata, issuerType: 'REVOKED' }
    expect(await statusOf(await tir.write(tao, 'setAttributeMetadata', revocation))).toBe('0x1')
    expect(await bodyOf()).toMatchObject({ attribute: { body: 'two', issuerType: 'REVOKED' } })
  })

  // @row 2.endpoints/tir.14
  it('without authority reverts with a reason in the receipt', async () => {
    const metadata = metadataOf(leaf, `0x${'0e'.repeat(32)}`, 'TI', tao, taoId)
    const receipt = await receiptOf(await tir.write(leaf, 'setAttributeMetadata', metadata))
    expect(receipt?.status).toBe('0x0')
    expect(iface.parseError(receipt?.revertReason ?? '0x')?.name).toBe(
      'TrustedIssuersRegistryNotAuthorized',
    )
    expect((await tir.read(leaf.did, metadata.revisionId)).status).toBe(404)
  })

  it('serves data that is not UTF-8', async () => {
    const attributeId = `0x${'0f'.repeat(32)}`
    await tir.write(tao, 'setAttributeMetadata', metadataOf(leaf, attributeId, 'TI', tao, taoId))
    await chain.sendDirectly(leaf, chain.tir, 'setAttributeData', leaf.did, attributeId, '0xff41')
    const { status, body } = await tir.read(leaf.did, attributeId)
    expect([status, body]).toMatchObject([200, { attribute: { body: '\ufffdA' } }])
  })
})

describe('a built transaction', () => {
  // @row 2.resources-and-their-fields/unsigned-transaction.1..9
  it('calls the contract and has the documented members', async () => {
    const from = tao.address
    const count = await callRpc(chain.rpcUrl, 'eth_getTransactionCount', from, 'pending')
    const metadata = metadataOf(leaf, leafId, 'REVOKED', tao, taoId)
    const unsigned = await tir.build('setAttributeMetadata', { from, ...metadata })
    expect(unsigned).toEqual({
      to: chain.tir.address,
      from,
      data: expect.stringMatching(/^0x/),
      chainId: toBeHex(testChainId),
      nonce: count.result,
      gasLimit: expect.stringMatching(/^0x[0-9a-f]+$/),
      gasPrice: '0x0',
      value: '0x0',
    })
    const call = iface.parseTransaction({ data: unsigned.data })
    expect([call?.name, call?.args.toArray()]).toEqual([
      'setAttributeMetadata',
      [leaf.did, leafId.toLowerCase(), 4n, tao.did, taoId],
    ])
    const params = { from, did: leaf.did, attributeId: leafId, attributeData: jwtHex }
    const data = await tir.build('setAttributeData', params)
    expect(iface.parseTransaction({ data: data.data })?.args.toArray()).toEqual([
      leaf.did,
      leafId.toLowerCase(),
      jwtHex,
    ])
  })

  it('is rejected if it is too large or needs more gas than a block allows', async () => {
    const attributeId = `0x${'1a'.repeat(32)}`
    await tir.write(tao, 'setAttributeMetadata', metadataOf(leaf, attributeId, 'TI', tao, taoId))
    const refusalOf = async (bytes: number, from: string) => {
      const attributeData = `0x${'41'.repeat(bytes)}`
      const params = { from, did: leaf.did, attributeId, attributeData }
      const { result, error } = await tir.call('setAttributeData', params)
      return error?.code ?? Number((result as { gasLimit: string }).gasLimit)
    }
    const block = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
    const blockGasLimit = Number((block.result as { gasLimit: string }).gasLimit)
    expect(await refusalOf(70_000, leaf.address)).toBe(blockGasLimit)
    expect(await refusalOf(100_000, leaf.address)).toBe(-32602)
    // It would revert.
    expect(await refusalOf(100_000, createDidKey('stranger').address)).toBe(15_000_000)
    expect(await refusalOf(140_000, createDidKey('stranger').address)).toBe(-32602)
  })

  it.each([
    ['ROOT_TAO', 1n],
    ['TAO', 2n],
    ['TI', 3n],
    ['REVOKED', 4n],
  ])('encodes %s as %d', async (name, number) => {
    const metadata = metadataOf(leaf, leafId, name, tao, taoId)
    const { data } = await tir.build('setAttributeMetadata', { from: tao.address, ...metadata })
    expect(iface.parseTransaction({ data })?.args[2]).toBe(number)
  })
})

// @row 2.endpoints/tir.12 2.endpoints/tir.15..16
describe('sendSignedTransaction', () => {
  const nextMetadata = (() => {
    let count = 100
    return () => metadataOf(leaf, toBeHex(++count, 32), 'TI', tao, taoId)
  })()
  const prepare = async (type: 0 | 1 | 2 = 0) => {
    const from = tao.address
    const unsigned = await tir.build('setAttributeMetadata', { from, ...nextMetadata() })
    return tir.sign(tao, unsigned, type)
  }
  const nonceOf = async () =>
    (await callRpc(chain.rpcUrl, 'eth_getTransactionCount', tao.address, 'pending')).result
  /** Expects -32602 with exactly the messages of these rules, and nothing sent. */
  const refused = async (params: object, ...messages: RegExp[]) => {
    const before = await nonceOf()
    const { error, result } = await tir.call('sendSignedTransaction', params)
    expect([error?.code, result]).toEqual([-32602, undefined])
    for (const message of messages) expect(error?.message).toMatch(message)
    expect(await nonceOf()).toBe(before)
  }

  it.each([0, 1, 2] as const)(
    'accepts a transaction of type %d with v in all three forms',
    async (type) => {
      const forms = [
        (v: number) => v - 27,
        (v: number) => v,
        (v: number) => v - 27 + 35 + 2 * testChainId,
      ]
      for (const form of forms) {
        const params = await prepare(type)
        const v = toBeHex(form(Number(params.v)))
        const { result } = await tir.call('sendSignedTransaction', { ...params, v })
        const expected = Transaction.from(params.signedRawTransaction).hash ?? ''
        expect([result, await statusOf(expected)]).toEqual([expected, '0x1'])
      }
    },
  )

  it('accepts addresses and hex in any case', async () => {
    const { unsignedTransaction, ...rest } = await prepare()
    const { from, to, data } = unsignedTransaction
    const changed = {
      ...unsignedTransaction,
      from: from.toLowerCase(),
      to: to.toLowerCase(),
      data: `0x${data.slice(2).toUpperCase()}`,
    }
    const { result } = await tir.call('sendSignedTransaction', {
      ...rest,
      unsignedTransaction: changed,
    })
    expect(result).toBe(Transaction.from(rest.signedRawTransaction).hash)
  })

  // @row 2.endpoints/tir.13
  it('answers before the transaction is mined', async () => {
    const params = await prepare()
    await chain.chain.setMining('manual')
    const { result } = await tir.call('sendSignedTransaction', params)
    expect(await receiptOf(result as string)).toBeNull()
    await chain.chain.mine()
    await chain.chain.setMining('auto')
    expect(await statusOf(result as string)).toBe('0x1')
  })

  it('rejects the other parity in each form', async () => {
    const params = await prepare()
    const other = 1 - (Number(params.v) - 27)
    for (const v of [other, 27 + other, 35 + 2 * testChainId + other]) {
      await refused({ ...params, v: toBeHex(v) }, /not consistent/)
    }
  })

  it('rejects a raw transaction that is different or malformed', async () => {
    const params = await prepare()
    const { signedRawTransaction } = await tir.sign(tao, {
      ...params.unsignedTransaction,
      data: '0x1234',
    })
    await refused({ ...params, signedRawTransaction }, /not consistent/)
    for (const raw of ['0x', '0x1234', `0x${'00'.repeat(100)}`]) {
      await refused({ ...params, signedRawTransaction: raw }, /not a valid signed transaction/)
    }
    const broken = params.signedRawTransaction.replace(params.r.slice(2), 'f'.repeat(64))
    await refused({ ...params, signedRawTransaction: broken }, /no valid signature/)
  })

  it('rejects a raw transaction with an access list', async () => {
    const params = await prepare(1)
    const { from: _from, nonce, ...rest } = params.unsignedTransaction
    const accessList = [{ address: chain.tir.address, storageKeys: [] }]
    const raw = await tao.wallet.signTransaction({
      ...rest,
      nonce: Number(nonce),
      type: 1,
      accessList,
    })
    const { signature } = Transaction.from(raw)
    const changed = {
      r: signature?.r,
      s: signature?.s,
      v: toBeHex(signature?.v ?? 0),
      signedRawTransaction: raw,
    }
    await refused({ ...params, ...changed }, /accessList/)
  })

  it('reports all problems together', async () => {
    const { unsignedTransaction } = await prepare()
    const changes = { chainId: '0x1', to: chain.registry.address }
    const wrong = await tir.sign(leaf, { ...unsignedTransaction, ...changes })
    const rules = [
      /not consistent/,
      /The signer .* does not match unsignedTransaction.from/,
      /chainId is not that of this network/,
      /to is not the TIR contract/,
    ]
    await refused({ ...wrong, r: '0x1' }, ...rules)
  })
})

// @row 2.endpoints/tir.2 2.errors/tir.6..8
describe('reading over REST', () => {
  it.each([
    ['an unknown DID', () => createDidKey('unknown').did, '0a'.repeat(32)],
    ["another DID's attribute", () => leaf.did, '0a'.repeat(32)],
    ['a DID of another method', () => 'did:web:x', '0a'.repeat(32)],
  ])('%s is 404', async (_name, did, attributeId) => {
    const path = `/v1/issuers/${encodeURIComponent(did())}/attributes/${attributeId}`
    expect(await tir.get(path)).toEqual({
      status: 404,
      body: { error: 'not_found', error_description: expect.any(String) },
    })
  })

  it('accepts an attributeId in any case', async () => {
    const path = `/v1/issuers/${encodeURIComponent(leaf.did)}/attributes/${'0C'.repeat(32)}`
    expect((await tir.get(path)).status).toBe(200)
  })
})
