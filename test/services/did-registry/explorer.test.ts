import { id } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { startDidRegistry, validFrom, validUntil, vMethodIdOf } from '#test/support/registries.ts'

interface EventJson {
  readonly event: string
  readonly args: Readonly<Record<string, unknown>>
  readonly blockNumber: number
  readonly blockTime: number
  readonly transactionHash: string
  readonly logIndex: number
}

interface EventPage {
  readonly total: number
  readonly howMany: number
  readonly items: readonly EventJson[]
}

const chain = await startRegistryChain()
const client = await startDidRegistry(chain)
await client.register('bystander')
const owner = await client.register('owner')
const method = createDidKey('method')
const hashes: string[] = []

/** A DID with a history of every kind of event. */
beforeAll(async () => {
  const friend = await client.register('friend')
  const { did } = owner
  const vMethodId = vMethodIdOf(method)
  const write = async (operation: string, body: object) => {
    const answer = await client.write(owner, operation, { did, ...body })
    expect(answer.body.receipt?.status).toBe(1)
    hashes.push(answer.body.tx_hash)
  }
  const key = { publicKeyType: 'secp256k1', publicKey: method.publicKey }
  await write('addVerificationMethod', { vMethodId, ...key })
  const window = { notBefore: validFrom, notAfter: validUntil }
  await write('addVerificationRelationship', { name: 'assertionMethod', vMethodId, ...window })
  await write('addController', { controller: friend.did })
  await write('updateBaseDocument', { baseDocument: '{"@context":["https://a.example"]}' })
  await write('expireVerificationMethod', { vMethodId, notAfter: validUntil - 10 })
  await write('revokeVerificationMethod', { vMethodId, notAfter: validUntil - 20 })
})

const eventsOf = (did: string, query = '?pageSize=100') =>
  client.get<EventPage>(`/api/v1/explorer/identifiers/${encodeURIComponent(did)}/events${query}`)

describe('GET /api/v1/explorer/identifiers/{did}/events', () => {
  // @row 2.events.1
  it('lists the history of a DID, oldest first, with names as in requests', async () => {
    const { status, body } = await eventsOf(owner.did)
    expect(status).toBe(200)
    const common = { didHash: id(owner.did), did: owner.did }
    const vMethodId = vMethodIdOf(method)
    const friend = createDidKey('friend')
    expect(body.items.map(({ event, args }) => [event, args])).toEqual([
      [
        'FirstDidDocumentInserted',
        {
          ...common,
          vMethodId: vMethodIdOf(owner),
          baseDocument: expect.stringContaining('@context'),
          alsoKnownAs: 'urn:oid:organizationIdentifier:VATES-A12345678',
          notBefore: String(validFrom),
          notAfter: String(validUntil),
        },
      ],
      [
        'VerificationMethodAdded',
        { ...common, vMethodId: vMethodIdOf(owner), publicKeyType: 'secp256k1' },
      ],
      ...['capabilityInvocation', 'authentication'].map((relationship) => [
        'VerificationRelationshipAdded',
        {
          ...common,
          vMethodId: vMethodIdOf(owner),
          relationship,
          notBefore: String(validFrom),
          notAfter: String(validUntil),
        },
      ]),
      ['VerificationMethodAdded', { ...common, vMethodId, publicKeyType: 'secp256k1' }],
      [
        'VerificationRelationshipAdded',
        {
          ...common,
          vMethodId,
          relationship: 'assertionMethod',
          notBefore: String(validFrom),
          notAfter: String(validUntil),
        },
      ],
      ['ControllerAdded', { ...common, controllerHash: id(friend.did), controller: friend.did }],
      ['BaseDocumentUpdated', { ...common, baseDocument: '{"@context":["https://a.example"]}' }],
      ['VerificationMethodExpired', { ...common, vMethodId, notAfter: String(validUntil - 10) }],
      ['VerificationMethodRevoked', { ...common, vMethodId, notAfter: String(validUntil - 20) }],
    ])
    expect(body.items.slice(4).map(({ transactionHash }) => transactionHash)).toEqual(hashes)
  })

  it('reports the same block and time for each event as the chain', async () => {
    const { items } = (await eventsOf(owner.did)).body
    for (const { transactionHash, blockNumber, blockTime, logIndex } of items) {
      const { result } = await callRpc(chain.rpcUrl, 'eth_getTransactionReceipt', transactionHash)
      const receipt = result as { blockNumber: string; logs: { logIndex: string }[] }
      const block = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', receipt.blockNumber, false)
      expect([blockNumber, blockTime]).toEqual([
        Number(receipt.blockNumber),
        Number((block.result as { timestamp: string }).timestamp),
      ])
      expect(receipt.logs.map((log) => Number(log.logIndex))).toContain(logIndex)
    }
  })

  it('is paged', async () => {
    const all = (await eventsOf(owner.did)).body.items
    expect((await eventsOf(owner.did, '')).body).toMatchObject({ page: 1, pageSize: 10, total: 10 })
    const second = (await eventsOf(owner.did, '?page=2&pageSize=3')).body
    expect(second).toEqual({ page: 2, pageSize: 3, total: 10, howMany: 3, items: all.slice(3, 6) })
    expect((await eventsOf(owner.did, '?page=99')).body).toMatchObject({ howMany: 0, items: [] })
  })

  it('includes an event that has just happened', async () => {
    const before = (await eventsOf(owner.did)).body.total
    const body = { did: owner.did, alsoKnownAs: 'urn:new' }
    const { body: sent } = await client.write(owner, 'updateAlsoKnownAs', body)
    const { items, total } = (await eventsOf(owner.did)).body
    expect([total, items.at(-1)]).toMatchObject([
      before + 1,
      { event: 'AlsoKnownAsUpdated', transactionHash: sent.tx_hash },
    ])
  })

  it.each<[string, () => string, number, string]>([
    ['a DID that is not registered', () => createDidKey('unregistered').did, 404, 'not_found'],
    ['no DID', () => 'x', 400, 'validation_error'],
    ['a DID of production', () => owner.did.replace('-pre', ''), 400, 'validation_error'],
  ])('rejects %s', async (_name, did, status, error) => {
    expect(await eventsOf(did())).toMatchObject({ status, body: { error } })
  })

  it.each(['?page=0', '?pageSize=101', '?page=x'])('rejects %s', async (query) => {
    expect((await eventsOf(owner.did, query)).status).toBe(400)
  })
})

describe('GET /api/v1/explorer/events', () => {
  it('lists every event, newest first, down to the first onboarding node', async () => {
    const { body } = await client.get<EventPage>('/api/v1/explorer/events?pageSize=100')
    expect(body.howMany).toBe(body.total)
    const positions = body.items.map(({ blockNumber, logIndex }) => blockNumber * 1000 + logIndex)
    expect(positions).toEqual([...positions].sort((one, other) => other - one))
    expect(body.items.at(-1)).toMatchObject({
      event: 'OnboardingNodeAuthorized',
      args: { node: chain.node.address },
    })
    const { body: page } = await client.get<EventPage>('/api/v1/explorer/events?page=2&pageSize=4')
    expect(page.items).toEqual(body.items.slice(4, 8))
  })
})
