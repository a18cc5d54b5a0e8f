import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signerOf, toHex } from '#core/ethereum/account.ts'
import type { DidRegistryClient } from '#core/registries/did-registry-client.ts'
import { didRegistryCalls } from '#services/did-registry/adapters/did-registry-contract.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { listenOn } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  openDidRegistry,
  openTir,
  settleTransaction,
  writeDid,
} from '#testbed/registries/write-registries.ts'

/** What the registry answers to any request, and the requests it received. */
let answer: { status: number; body: unknown }
const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  response.writeHead(answer.status, { 'content-type': 'application/json', location: '/elsewhere' })
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
})
let baseUrl: string
beforeAll(async () => {
  baseUrl = await listenOn(server)
})
beforeEach(() => {
  requests.length = 0
})
afterAll(() => {
  server.close()
})

const key = createDidKey('signer at a third-party registry')
const signer = signerOf(key.wallet.privateKey)
const stranger = createDidKey('another account')
const unsigned = {
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0x9db6c98a',
  gasLimit: '0x7a120',
  gasPrice: '0x0',
  chainId: '0x4f25',
  nonce: '0x0',
  value: '0x0',
  from: signer.address,
}
const asked = { did: key.did, controller: 'did:org:uc-pre:z1abc' }
const callOf = (operation: 'addController' | 'revokeController', changed = {}) =>
  toHex(didRegistryCalls[operation].encodeInput({ ...asked, ...changed }))
const document = {
  '@context': ['https://www.w3.org/ns/did/v1'],
  id: key.did,
  controller: [key.address],
  verificationMethod: [],
  assertionMethod: [],
}

const clients = () => {
  const runtime = createTestRuntime()
  return {
    didRegistry: openDidRegistry(runtime, { caller: 'test', baseUrl }),
    tir: openTir(runtime, { caller: 'test', baseUrl, apiKey: 'key' }),
  }
}
const refused = { code: 'registry_refused' }

describe('a third-party DID registry', () => {
  it.each([
    ['a page instead of JSON', 200, '<html>'],
    ['a redirect', 302, ''],
    ['a fault', 500, { error: 'server_error', error_description: 'x' }],
    ['another DID', 200, { ...document, id: stranger.did }],
    ['half a document', 200, { id: key.did }],
  ])('is rejected if it answers %s', async (_, status, body) => {
    answer = { status, body }
    await expect(clients().didRegistry.resolve(key.did)).rejects.toMatchObject(refused)
    expect(requests).toHaveLength(1)
  })

  it('distinguishes known and unknown DIDs', async () => {
    answer = { status: 200, body: document }
    expect(await clients().didRegistry.resolve(key.did, 1)).toEqual(document)
    expect(requests).toEqual([`GET /api/v1/identifiers/${encodeURIComponent(key.did)}?valid-at=1`])
    answer = { status: 404, body: { error: 'not_found' } }
    expect(await clients().didRegistry.resolve(key.did)).toBeUndefined()
  })

  it.each([
    ['that pays an account', { ...unsigned, value: '0x1' }, refused],
    ['of another account', { ...unsigned, from: stranger.address }, { code: 'wrong_signer' }],
    ['without a chain', { ...unsigned, chainId: undefined }, refused],
    ['that is invalid', 'nonsense', refused],
    [
      'on another DID',
      { ...unsigned, data: callOf('addController', { did: stranger.did }) },
      refused,
    ],
    [
      'for another DID',
      { ...unsigned, data: callOf('addController', { controller: stranger.did }) },
      refused,
    ],
    ['for a different operation', { ...unsigned, data: callOf('revokeController') }, refused],
  ])('does not get a signature for a transaction %s', async (_, body, error) => {
    answer = { status: 200, body }
    const { didRegistry } = clients()
    const written = writeDid({ didRegistry }, 'addController', asked, signer)
    await expect(written).rejects.toMatchObject(error)
    // Nothing was sent.
    expect(requests).toEqual(['POST /api/v1/contract/addController'])
  })

  it('may build the requested call, or a call of an unknown contract', async () => {
    const { didRegistry } = clients()
    for (const data of [callOf('addController'), '0x12345678']) {
      answer = { status: 200, body: { ...unsigned, data } }
      expect(await didRegistry.build('addController', asked)).toMatchObject({ data })
    }
  })
})

describe('a vMethodId that starts like hex', () => {
  const vMethodId = `0x${'A'.repeat(41)}`
  const request = { did: key.did, vMethodId, notAfter: 1 }
  const callFor = (id: string) =>
    toHex(
      didRegistryCalls.revokeVerificationMethod.encodeInput({
        did: key.did,
        vMethodId: Buffer.from(id, 'base64url'),
        notAfter: 1n,
      }),
    )

  it('is found in the call by its bytes', async () => {
    answer = { status: 200, body: { ...unsigned, data: callFor(vMethodId) } }
    const built = clients().didRegistry.build('revokeVerificationMethod', request)
    expect(await built).toMatchObject({ from: signer.address })
  })

  it('is not mistaken for another one', async () => {
    answer = { status: 200, body: { ...unsigned, data: callFor(`${'B'.repeat(42)}A`) } }
    const built = clients().didRegistry.build('revokeVerificationMethod', request)
    await expect(built).rejects.toMatchObject(refused)
  })
})

describe('a third-party TIR', () => {
  it.each([
    ['a page instead of JSON', 200, '<html>'],
    ['the error of a missing key', 401, { jsonrpc: '2.0', error: { code: -32600, message: 'x' } }],
    ['an error', 200, { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'x' } }],
    ['not a transaction', 200, { jsonrpc: '2.0', id: 1, result: {} }],
    [
      'a transaction that pays an account',
      200,
      { jsonrpc: '2.0', result: { ...unsigned, value: '0x1' } },
    ],
  ])('is rejected if it answers %s', async (_, status, body) => {
    answer = { status, body }
    await expect(clients().tir.build('setAttributeData', {})).rejects.toMatchObject(refused)
  })

  it('is identified by its contract code, like a DID registry', async () => {
    answer = { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'x' } } }
    const { tir, didRegistry } = clients()
    const built = tir.build('setAttributeData', {})
    await expect(built).rejects.toMatchObject({ ...refused, extra: { error: -32602 } })
    answer = { status: 400, body: { error: 'invalid_nonce', error_description: 'x' } }
    const sent = didRegistry.send('0x00')
    await expect(sent).rejects.toMatchObject({ status: 400, extra: { error: 'invalid_nonce' } })
  })

  it.each([
    ['no attribute', { did: key.did }],
    ['a numeric role', { did: key.did, attribute: { body: '', hash: '', issuerType: 3 } }],
  ])('is rejected if it returns %s', async (_, body) => {
    answer = { status: 200, body }
    const read = clients().tir.readAttribute(key.did, 'ab'.repeat(32))
    await expect(read).rejects.toMatchObject(refused)
  })
})

const unused = () => Promise.reject(new Error('unexpected call'))
const didRegistry: DidRegistryClient = { resolve: unused, build: unused, send: unused }

// @row 2.limits.6
it('reads again about 5 seconds after a 206 by default if no chain is known', async () => {
  const began = performance.now()
  const looks: number[] = []
  // Timers of one process end in order, on a busy machine too.
  let isLate = false
  const later = setTimeout(() => {
    isLate = true
  }, 8000)
  const hash = `0x${'ab'.repeat(32)}`
  const settled = settleTransaction(
    { didRegistry },
    'writing',
    { hash, state: 'pending' },
    async () => {
      looks.push(performance.now() - began)
      expect(isLate).toBe(false)
      return true
    },
  )
  expect(await settled).toBe(hash)
  expect(looks).toHaveLength(1)
  expect(looks[0]).toBeGreaterThan(4900)
  clearTimeout(later)
})
