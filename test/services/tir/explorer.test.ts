import { beforeAll, describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { controlKeyOf } from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import { startTir } from '#test/support/registries.ts'

interface NodeJson {
  readonly did: string
  readonly attributeId: string
  readonly depth: number
  readonly [member: string]: unknown
}

interface Page<Item> {
  readonly total: number
  readonly howMany: number
  readonly items: readonly Item[]
}

const idOf = (byte: string) => `0x${byte.repeat(32)}`
const root = createDidKey('root')
const tao = createDidKey('tao')
const [one, two] = [createDidKey('issuer one'), createDidKey('issuer two')]

const chain = await startRegistryChain()
const tir = await startTir(chain)
const hashes: string[] = []

/** root > tao > (issuer one, issuer two), and root > issuer one once more, later revoked. */
beforeAll(async () => {
  for (const key of [root, tao, one, two]) {
    const args = [key.did, '', controlKeyOf(key), 'urn:x']
    await chain.sendDirectly(chain.node, chain.registry, 'insertFirstDidDocument', ...args)
  }
  const publish = async (
    signer: DidKey,
    subject: DidKey,
    byte: string,
    issuerType: string,
    parent: DidKey,
    parentByte: string,
  ) => {
    const metadata = { did: subject.did, revisionId: idOf(byte), issuerType, taoDid: parent.did }
    hashes.push(
      await tir.write(signer, 'setAttributeMetadata', {
        ...metadata,
        attributeIdTao: idOf(parentByte),
      }),
    )
  }
  const accredit = async (signer: DidKey, byte: string, text: string) => {
    const attributeData = `0x${Buffer.from(text).toString('hex')}`
    const data = { did: signer.did, attributeId: idOf(byte), attributeData }
    hashes.push(await tir.write(signer, 'setAttributeData', data))
  }
  await publish(chain.operator, root, '0a', 'ROOT_TAO', root, '0a')
  await publish(root, tao, '0b', 'TAO', root, '0a')
  await publish(root, one, '0e', 'TI', root, '0a')
  await publish(tao, one, '0c', 'TI', tao, '0b')
  await publish(tao, two, '0d', 'TI', tao, '0b')
  await accredit(one, '0c', 'first')
  await accredit(one, '0c', 'sëcond')
  await publish(root, one, '0e', 'REVOKED', root, '0a')
})

const treeOf = async (query = '?pageSize=100') =>
  (await tir.get<Page<NodeJson>>(`/v1/explorer/issuers${query}`)).body
const timeOf = async (hash: string | undefined) => {
  const { result } = await callRpc(chain.rpcUrl, 'eth_getTransactionByHash', hash)
  const { blockNumber } = result as { blockNumber: string }
  const block = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', blockNumber, false)
  return Number((block.result as { timestamp: string }).timestamp)
}

describe('GET /v1/explorer/issuers', () => {
  it('shows the tree depth first, siblings by publication', async () => {
    const { items, total } = await treeOf()
    expect([total, items.map(({ did, attributeId, depth }) => [did, attributeId, depth])]).toEqual([
      5,
      [
        [root.did, '0a'.repeat(32), 0],
        [tao.did, '0b'.repeat(32), 1],
        [one.did, '0c'.repeat(32), 2],
        [two.did, '0d'.repeat(32), 2],
        [one.did, '0e'.repeat(32), 1],
      ],
    ])
  })

  it('shows type, time and transaction of each', async () => {
    const { items } = await treeOf()
    expect(items[0]).toMatchObject({ issuerType: 'RTAO', tao: root.did, revisions: 0 })
    expect(items[2]).toEqual({
      did: one.did,
      attributeId: '0c'.repeat(32),
      issuerType: 'TI',
      publishedAs: 'TI',
      tao: tao.did,
      attributeIdTao: '0b'.repeat(32),
      depth: 2,
      revisions: 2,
      publishedAt: await timeOf(hashes[3]),
      publicationHash: hashes[3],
      revokedAt: null,
      revocationHash: null,
    })
    expect(items[4]).toMatchObject({
      issuerType: 'REVOKED',
      publishedAs: 'TI',
      publicationHash: hashes[2],
      revocationHash: hashes[7],
      revokedAt: await timeOf(hashes[7]),
    })
  })

  it('agrees with the registry', async () => {
    for (const { did, attributeId, issuerType, tao: parent } of (await treeOf()).items) {
      expect((await tir.read(did, attributeId)).body).toMatchObject({
        attribute: { issuerType, tao: parent },
      })
    }
  })

  it('returns pages and rejects invalid page parameters', async () => {
    const all = (await treeOf()).items
    expect(await treeOf('?page=2&pageSize=2')).toEqual({
      page: 2,
      pageSize: 2,
      total: 5,
      howMany: 2,
      items: all.slice(2, 4),
    })
    for (const query of ['?page=0', '?pageSize=101', '?page=%00', '?page=1&page=2']) {
      expect(await tir.get(`/v1/explorer/issuers${query}`)).toEqual({
        status: 400,
        body: { error: 'validation_error', error_description: expect.any(String) },
      })
    }
  })
})

describe('GET /v1/explorer/issuers/{did}/attributes/{attributeId}/events', () => {
  const eventsOf = (did: string, attributeId: string, query = '') =>
    tir.get<Page<{ event: string; args: object; transactionHash: string }>>(
      `/v1/explorer/issuers/${did}/attributes/${attributeId}/events${query}`,
    )

  it('shows publication and revisions, oldest first', async () => {
    const { status, body } = await eventsOf(one.did, '0C'.repeat(32))
    expect([status, body.total]).toEqual([200, 3])
    expect(
      body.items.map(({ event, args, transactionHash }) => [event, args, transactionHash]),
    ).toEqual([
      [
        'AttributeMetadataSet',
        expect.objectContaining({ did: one.did, issuerType: 'TI', taoDid: tao.did }),
        hashes[3],
      ],
      ['AttributeDataSet', expect.objectContaining({ revision: '0', data: 'first' }), hashes[5]],
      ['AttributeDataSet', expect.objectContaining({ revision: '1', data: 'sëcond' }), hashes[6]],
    ])
    const page = await eventsOf(one.did, '0c'.repeat(32), '?page=3&pageSize=1')
    expect(page.body.items).toEqual(body.items.slice(2))
  })

  it('shows a revocation', async () => {
    const { body } = await eventsOf(one.did, '0e'.repeat(32))
    expect(body.items.map(({ args }) => (args as { issuerType: string }).issuerType)).toEqual([
      'TI',
      'REVOKED',
    ])
  })

  it.each([
    ['an unknown attribute', two.did, '0c'.repeat(32), 404],
    ['an unknown DID', 'did:web:x', '0c'.repeat(32), 404],
    ['a short attributeId', one.did, '0c', 404],
    ['an attributeId that is not hex', one.did, 'x', 400],
  ])('%s is rejected', async (_name, did, attributeId, status) => {
    expect((await eventsOf(did, attributeId)).status).toBe(status)
  })
})
