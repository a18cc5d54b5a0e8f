import { readFileSync } from 'node:fs'
import { Transaction, Wallet } from 'ethers'
import { describe, expect, it } from 'vitest'
import { startRegistryChain } from '#test/support/chain.ts'
import { contractOperations } from '#test/support/contract-requests.ts'
import { createDidKey, didKeyOf } from '#test/support/create-did-key.ts'
import {
  findAnswerProblems,
  findExampleProblems,
  findOpenApiProblems,
  listExamples,
  listOperations,
  type OpenApiDocument,
  type Operation,
} from '#test/support/open-api.ts'
import {
  type SendAnswer,
  signUnsignedTransaction,
  startDidRegistry,
} from '#test/support/registries.ts'

interface Vector {
  readonly privateKey: string
  readonly did: string
}
const [vector] = JSON.parse(
  readFileSync(new URL('../../core/did/vectors/did-proof.json', import.meta.url), 'utf8'),
) as [Vector]
const exampleKey = new Wallet(vector.privateKey)

// The examples' contract address is that of the first contract of this well-known account.
const deployer = didKeyOf('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const chain = await startRegistryChain('did:org:uc-pre:', deployer)
const client = await startDidRegistry(chain)
const document = (await client.get<OpenApiDocument>('/api/openapi.json')).body

const operationAt = (path: string, method: string) => document.paths[path]?.[method] as Operation

const exampleOf = (path: string, place: string): unknown => {
  const method = path.includes('identifiers') ? 'get' : 'post'
  const found = listExamples(operationAt(path, method)).examples
  return found.find(({ name }) => name.startsWith(place))?.value
}

// @row 2.versioning.1
describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.0.3', () => {
    expect(findOpenApiProblems(document)).toEqual([])
    expect(document).toMatchObject({ info: { version: 'v2.0.0' } })
  })

  // @row 2.authentication.1
  it('documents no authentication, because no endpoint requires it', () => {
    expect(document.components).toEqual({})
    expect(listOperations(document).flatMap(({ operation }) => operation.security ?? [])).toEqual(
      [],
    )
  })

  it('has an example of every request and response that matches its schema', () => {
    expect(listOperations(document).length).toBeGreaterThanOrEqual(14)
    expect(findExampleProblems(document)).toEqual([])
  })

  it('has a page that works offline', async () => {
    const page = await (await fetch(`${client.baseUrl}/api`)).text()
    for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const answer = await fetch(new URL(address ?? '', client.baseUrl))
      expect([address, answer.status]).toEqual([address, 200])
    }
  })
})

describe('its examples, sent to the service', () => {
  it.each(contractOperations)('%s answers as shown', async (name) => {
    const path = `/api/v1/contract/${name}`
    const answer = await client.post(path, exampleOf(path, 'request'))
    const type = answer.headers.get('content-type')
    expect(findAnswerProblems(operationAt(path, 'post'), { ...answer, type })).toEqual([])
    expect(answer.body).toEqual({
      ...(exampleOf(path, '200') as object),
      nonce: '0x0',
      gasLimit: expect.stringMatching(/^0x[0-9a-f]+$/),
    })
  })

  // @row 2.endpoints/did-registry.1..3 2.endpoints/did-registry.14 2.endpoints/did-registry.32
  it('the examples register, update, resolve and list their own key', async () => {
    await chain.sendDirectly(
      deployer,
      chain.registry,
      'authorizeOnboardingNode',
      exampleKey.address,
    )
    const first = '/api/v1/contract/insertFirstDidDocument'
    const built = await client.build(
      'insertFirstDidDocument',
      exampleOf(first, 'request') as object,
    )
    const signed = await signUnsignedTransaction(exampleKey, built.body)
    expect((await client.sendRaw(signed.serialized)).body.receipt?.status).toBe(1)

    const send = '/api/v1/transactions/send'
    const answer = await client.post<SendAnswer>(send, exampleOf(send, 'request'))
    const type = answer.headers.get('content-type')
    expect(findAnswerProblems(operationAt(send, 'post'), { ...answer, type })).toEqual([])
    const shown = exampleOf(send, '200') as SendAnswer
    expect([answer.status, answer.body.tx_hash]).toEqual([200, shown.tx_hash])
    expect(Object.keys(answer.body.receipt ?? {})).toEqual(Object.keys(shown.receipt ?? {}))
    const { status, from, to, hash, logs } = answer.body.receipt as NonNullable<
      SendAnswer['receipt']
    >
    expect(shown.receipt).toMatchObject({ status, from, to, hash })
    const partsOf = ({ topics, data }: { topics: readonly string[]; data?: unknown }) => [
      topics,
      data,
    ]
    expect(logs.map(partsOf)).toEqual(shown.receipt?.logs.map(partsOf))

    const resolve = '/api/v1/identifiers/{identifier}'
    const { body, headers } = await client.resolve(vector.did)
    expect(body).toEqual(exampleOf(resolve, '200'))
    for (const accept of ['application/did+ld+json', 'application/did+json']) {
      const { status } = await client.get(`/api/v1/identifiers/${vector.did}`, { accept })
      const given = { status, type: accept, body }
      expect(findAnswerProblems(operationAt(resolve, 'get'), given)).toEqual([])
    }
    expect(headers.get('content-type')).toBe('application/did+ld+json')
    const list = await client.get('/api/v1/identifiers')
    expect(list.body).toEqual(exampleOf('/api/v1/identifiers', '200'))
  })

  it('each signed example has the stated type according to ethers', () => {
    const path = '/api/v1/transactions/send'
    const { examples } = listExamples(operationAt(path, 'post'))
    const types = examples.flatMap(({ name, value }) => {
      if (!name.startsWith('request')) return []
      const raw = (value as { signedRawTransaction: string }).signedRawTransaction
      const { type, from, to } = Transaction.from(raw)
      expect([from, to]).toEqual([exampleKey.address, chain.registry.address])
      return [[name.split(' json ')[0]?.split('application/json ')[1], type]]
    })
    expect(types).toEqual([
      ['type 0x02', 2],
      ['type 0x01', 1],
      ['legacy', 0],
    ])
  })
})

describe('rejections', () => {
  const did = createDidKey('nobody').did
  it.each([
    ['get', '/api/v1/identifiers', '/api/v1/identifiers?page=0', 400],
    ['get', '/api/v1/identifiers/{identifier}', '/api/v1/identifiers/x', 400],
    ['get', '/api/v1/identifiers/{identifier}', `/api/v1/identifiers/${did}`, 404],
    ['post', '/api/v1/transactions/send', '/api/v1/transactions/send', 400],
    ...contractOperations.map(
      (name) => ['post', `/api/v1/contract/${name}`, `/api/v1/contract/${name}`, 400] as const,
    ),
  ] as const)('%s %s are documented', async (method, template, path, status) => {
    const operation = operationAt(template, method)
    const ask = async (type: string, body: string) => {
      const init = method === 'get' ? {} : { body, headers: { 'content-type': type } }
      const answer = await client.request(path, { method: method.toUpperCase(), ...init })
      const given = { ...answer, type: answer.headers.get('content-type') }
      expect(findAnswerProblems(operation, given)).toEqual([])
      return answer.status
    }
    expect(await ask('application/json', '{}')).toBe(status)
    if (method === 'get') return
    expect(await ask('text/plain', '{}')).toBe(415)
    expect(await ask('application/json', ' '.repeat(2 * 1024 * 1024))).toBe(413)
  })

  it('the answer to an Accept header without a match is documented', async () => {
    const template = '/api/v1/identifiers/{identifier}'
    const answer = await client.get(`/api/v1/identifiers/${did}`, { accept: 'text/html' })
    const given = { ...answer, type: answer.headers.get('content-type') }
    expect(answer.status).toBe(406)
    expect(findAnswerProblems(operationAt(template, 'get'), given)).toEqual([])
  })
})
