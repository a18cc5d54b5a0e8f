import { Interface, id } from 'ethers'
import { describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { contractOperations, contractRequests } from '#test/support/contract-requests.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import {
  signUnsignedTransaction,
  startDidRegistry,
  validFrom,
  validUntil,
  vMethodIdOf,
} from '#test/support/registries.ts'

const key = createDidKey('builder')
const other = createDidKey('other')
const hexOf = (value: unknown) => `0x${Buffer.from(JSON.stringify(value)).toString('hex')}`
const p256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  alg: 'ES256',
}

const did = key.did
const from = key.address
const vMethodId = vMethodIdOf(key)
const operations = contractRequests
const names = contractOperations
const method = operations.addVerificationMethod

const chain = await startRegistryChain()
const client = await startDidRegistry(chain)
const iface = new Interface(chain.registry.iface.fragments)

const callOf = (data: string) => {
  const call = iface.parseTransaction({ data })
  return [call?.name, call?.args.toArray(true)]
}

describe('an unsigned transaction', () => {
  // @row 2.resources-and-their-fields/unsigned-transaction.1..9 2.endpoints/did-registry.3..13 2.what-the-service-does.1
  it.each(names)('of %s has the documented members in hex', async (name) => {
    const { status, body } = await client.build(name, operations[name])
    expect(status).toBe(200)
    expect(body).toMatchObject({
      to: chain.registry.address,
      from,
      chainId: (await callRpc(chain.rpcUrl, 'eth_chainId')).result,
      nonce: '0x0',
      gasPrice: '0x0',
      value: '0x0',
    })
    expect(Object.keys(body).sort()).toEqual(
      ['chainId', 'data', 'from', 'gasLimit', 'gasPrice', 'nonce', 'to', 'value'].sort(),
    )
    for (const value of Object.values(body)) expect(value).toMatch(/^0x[0-9a-fA-F]+$/)
  })

  it('has 1.4 of the estimate as gas limit', async () => {
    const body = { ...client.firstDocumentOf(key) }
    const { body: built } = await client.build('insertFirstDidDocument', body)
    const { from: sender, to, data } = built
    const estimate = await callRpc(chain.rpcUrl, 'eth_estimateGas', { from: sender, to, data })
    const expected = Math.ceil(Number(estimate.result) * 1.4)
    expect(Number(built.gasLimit)).toBe(expected)
  })

  it('has the maximum gas limit if it would revert', async () => {
    const { status, body } = await client.build('updateBaseDocument', operations.updateBaseDocument)
    expect(status).toBe(200)
    expect(Number(body.gasLimit)).toBe(15_000_000)
  })

  const largeDocument = (label: string, text: string) => ({
    ...client.firstDocumentOf(createDidKey(label)),
    baseDocument: JSON.stringify({ '@context': [text] }),
  })

  it('has at most the gas limit of a block', async () => {
    const body = largeDocument('as large as fits', 'x'.repeat(60_000))
    const { body: built } = await client.build('insertFirstDidDocument', body)
    const block = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
    expect(built.gasLimit).toBe((block.result as { gasLimit: string }).gasLimit)
    const signed = await signUnsignedTransaction(chain.node.wallet, built)
    expect((await client.sendRaw(signed.serialized)).body.receipt).toMatchObject({ status: 1 })
  })

  it('is rejected if it needs more gas than a block allows', async () => {
    const body = largeDocument('more than a block', '€'.repeat(40_000))
    const { status, body: answer } = await client.build('insertFirstDidDocument', body)
    expect([status, answer]).toEqual([
      400,
      { error: 'validation_error', error_description: expect.stringMatching(/more gas/) },
    ])
    const stranger = createDidKey('who may not register').address
    const reverting = await client.build('insertFirstDidDocument', { ...body, from: stranger })
    expect([reverting.status, Number(reverting.body.gasLimit)]).toEqual([200, 15_000_000])
    const raw = await signUnsignedTransaction(
      createDidKey('who may not register').wallet,
      reverting.body,
    )
    expect((await client.sendRaw(raw.serialized)).body.receipt).toMatchObject({ status: 0 })
  })

  it('is rejected if it is larger than the chain accepts', async () => {
    const stranger = createDidKey('who may not register').address
    for (const sender of [chain.node.address, stranger]) {
      const body = { ...largeDocument('too large', '€'.repeat(60_000)), from: sender }
      const { status, body: answer } = await client.build('insertFirstDidDocument', body)
      expect([status, answer]).toMatchObject([400, { error: 'validation_error' }])
    }
  })

  it('counts pending transactions in the nonce', async () => {
    const node = { did, alsoKnownAs: 'urn:a', from: chain.operator.address }
    const before = await client.build('updateAlsoKnownAs', node)
    const count = await callRpc(
      chain.rpcUrl,
      'eth_getTransactionCount',
      chain.operator.address,
      'pending',
    )
    expect(before.body.nonce).toBe(count.result)
  })
})

// @row 2.endpoints/did-registry.3..13
describe('the call data', () => {
  it('of the control key operations', async () => {
    const controlKey = [
      key.vMethodId,
      key.proof,
      key.publicKey,
      BigInt(validFrom),
      BigInt(validUntil),
    ]
    const context =
      '{"@context":["https://www.w3.org/ns/did/v1","https://w3id.org/security/suites/jws-2020/v1"]}'
    const first = await client.build('insertFirstDidDocument', operations.insertFirstDidDocument)
    expect(callOf(first.body.data)).toEqual([
      'insertFirstDidDocument',
      [did, context, controlKey, 'urn:a'],
    ])
    const base = '{"@context":"https://b.example"}'
    const given = { ...operations.insertDidDocument, baseDocument: base }
    const second = await client.build('insertDidDocument', given)
    expect(callOf(second.body.data)).toEqual(['insertDidDocument', [did, base, controlKey]])
  })

  it('of the simple updates', async () => {
    const known = await client.build('updateAlsoKnownAs', operations.updateAlsoKnownAs)
    expect(callOf(known.body.data)).toEqual(['updateAlsoKnownAs', [did, 'urn:a']])
    const base = await client.build('updateBaseDocument', operations.updateBaseDocument)
    const text = operations.updateBaseDocument.baseDocument
    expect(callOf(base.body.data)).toEqual(['updateBaseDocument', [did, text]])
  })

  it.each(['addController', 'revokeController'])('of %s by DID and by address', async (name) => {
    const byDid = await client.build(name, { did, controller: other.did, from })
    expect(callOf(byDid.body.data)).toEqual([name, [did, other.did]])
    const byAddress = await client.build(name, { did, controller: other.address, from })
    expect(callOf(byAddress.body.data)).toEqual([`${name}ByAccount`, [did, other.address]])
  })

  // @row 2.resources-and-their-fields/verification-method-input.3 2.resources-and-their-fields/verification-method-input.5..6
  it('of addVerificationMethod in both formats', async () => {
    const raw = await client.build('addVerificationMethod', method)
    const bytes = key.vMethodId
    expect(callOf(raw.body.data)).toEqual([
      'addVerificationMethod',
      [did, bytes, 0n, other.publicKey],
    ])
    const jwk = { publicKeyType: 'JsonWebKey2020', publicKey: hexOf(p256) }
    const serialized = await client.build('addVerificationMethod', { ...method, ...jwk })
    expect(callOf(serialized.body.data)).toEqual([
      'addVerificationMethod',
      [did, bytes, 1n, hexOf(p256)],
    ])
  })

  it('of revoke, expire and roll', async () => {
    for (const name of ['revokeVerificationMethod', 'expireVerificationMethod'] as const) {
      const { body } = await client.build(name, operations[name])
      expect(callOf(body.data)).toEqual([name, [did, key.vMethodId, BigInt(validUntil)]])
    }
    const { body } = await client.build('rollVerificationMethod', operations.rollVerificationMethod)
    const successor = [
      key.vMethodId,
      0n,
      other.publicKey,
      BigInt(validFrom),
      BigInt(validUntil),
      3600n,
    ]
    expect(callOf(body.data)).toEqual(['rollVerificationMethod', [did, other.vMethodId, successor]])
  })

  it.each([
    ['authentication', 0n],
    ['assertionMethod', 1n],
    ['keyAgreement', 2n],
    ['capabilityInvocation', 3n],
    ['capabilityDelegation', 4n],
  ])('of addVerificationRelationship with %s', async (name, number) => {
    const body = { ...operations.addVerificationRelationship, name }
    const built = await client.build('addVerificationRelationship', body)
    expect(callOf(built.body.data)).toEqual([
      'addVerificationRelationship',
      [did, number, key.vMethodId, BigInt(validFrom), BigInt(validUntil)],
    ])
  })
})

describe('a body is rejected with 400 validation_error', () => {
  const refused = async (name: string, body: unknown) => {
    const answer = await client.post(`/api/v1/contract/${name}`, body)
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'validation_error', error_description: expect.any(String) },
    })
  }

  it.each([
    ['a DID of another method', { did: 'did:web:example.com' }],
    ['a DID of the other environment', { did: did.replace('uc-pre', 'uc') }],
    ['a DID URL', { did: `${did}#key` }],
    ['a padded vMethodId', { vMethodId: `${vMethodId.slice(0, 42)}=` }],
    ['a vMethodId with left-over bits', { vMethodId: `${'A'.repeat(42)}B` }],
    ['a from of 39 characters', { from: from.slice(0, -1) }],
    ['a JWK as raw key', { publicKey: hexOf(p256) }],
    ['an unknown publicKeyType', { publicKeyType: 'Ed25519' }],
  ])('in addVerificationMethod with %s', async (_name, change) => {
    await refused('addVerificationMethod', { ...method, ...change })
  })

  it.each([
    ['a raw key', key.publicKey],
    ['a string', hexOf('x')],
    ['a list', hexOf([p256])],
    ['bytes that are not UTF-8', '0xff'],
    ['a private key', hexOf({ ...p256, d: p256.x })],
    ['no crv', hexOf({ ...p256, crv: undefined })],
    ['an unknown crv', hexOf({ ...p256, crv: 'P-192' })],
    ['a crv of another kty', hexOf({ kty: 'OKP', crv: 'P-256', x: p256.x })],
    ['a crv that every object has', hexOf({ ...p256, kty: 'constructor', crv: 'name' })],
    ['a short x', hexOf({ ...p256, x: p256.x.slice(4) })],
    ['a padded x', hexOf({ ...p256, x: `${p256.x}=` })],
    ['a point off the curve', hexOf({ ...p256, x: p256.y })],
    ['a symmetric key', hexOf({ kty: 'oct', k: 'AAAA' })],
    [
      'an Ed25519 key',
      hexOf({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
    ],
    ['an RSA key', hexOf({ kty: 'RSA', n: 'AQAB', e: 'AQAB' })],
    ['two x', hexOf(p256).replace(/7d$/, Buffer.from(`,"x":"${p256.x}"}`).toString('hex'))],
    ['the alg of another curve', hexOf({ ...p256, alg: 'ES256K' })],
    ['an alg that is a number', hexOf({ ...p256, alg: 5 })],
    ['an unknown use', hexOf({ ...p256, use: 'any' })],
    [
      'members of 40 levels',
      `0x${Buffer.from(JSON.stringify({ ...p256, a: 0 }).replace('"a":0', `"a":${'['.repeat(40)}${']'.repeat(40)}`)).toString('hex')}`,
    ],
    ['more than 4096 bytes', hexOf({ ...p256, kid: 'k'.repeat(5000) })],
  ])('with JsonWebKey2020 of %s', async (_name, publicKey) => {
    const jwk = { publicKeyType: 'JsonWebKey2020', publicKey }
    await refused('addVerificationMethod', { ...method, ...jwk })
    await refused('rollVerificationMethod', { ...operations.rollVerificationMethod, ...jwk })
  })

  // @row 2.endpoints/did-registry.21 2.endpoints/did-registry.27
  it('with a control key as JWK', async () => {
    const jwk = { publicKeyType: 'JsonWebKey2020', publicKey: hexOf(p256) }
    for (const name of ['insertFirstDidDocument', 'insertDidDocument'] as const) {
      await refused(name, { ...operations[name], ...jwk })
    }
  })

  it.each([
    'insertFirstDidDocument',
    'insertDidDocument',
    'addVerificationRelationship',
    'rollVerificationMethod',
  ] as const)('in %s with an end before the beginning', async (name) => {
    await refused(name, { ...operations[name], notAfter: validFrom })
    await refused(name, { ...operations[name], notAfter: validFrom - 1 })
  })

  it.each([
    ['a proof of 64 bytes', { proof: key.proof.slice(0, -2) }],
    ['a proof without 0x', { proof: key.proof.slice(2) }],
    ['a base document that is not JSON', { baseDocument: '{' }],
    ['a base document without @context', { baseDocument: '{"a":1}' }],
    ['an empty @context', { baseDocument: '{"@context":[]}' }],
    ['numbers as @context', { baseDocument: '{"@context":[1]}' }],
    ['a base document that is an object', { baseDocument: { '@context': [] } }],
    [
      'a @context of 40 levels',
      { baseDocument: `{"@context":[{"a":${'['.repeat(38)}${']'.repeat(38)}}]}` },
    ],
    ['an alsoKnownAs with a lone surrogate', { alsoKnownAs: 'urn:\ud800' }],
  ])('in insertFirstDidDocument with %s', async (_name, change) => {
    await refused('insertFirstDidDocument', { ...operations.insertFirstDidDocument, ...change })
  })

  it('in addVerificationRelationship with an unknown name', async () => {
    for (const name of ['assertion', 'AssertionMethod', 'toString', 1]) {
      const body = { ...operations.addVerificationRelationship, name }
      await refused('addVerificationRelationship', body)
    }
  })

  it('in addController with neither an address nor a DID of this environment', async () => {
    const elsewhere = other.did.replace('did:org:uc-pre:', 'did:org:uc:')
    for (const controller of [elsewhere, 'did:web:x', other.address.slice(2), `${other.did}#a`]) {
      await refused('addController', { ...operations.addController, controller })
    }
  })
})

// @row 2.resources-and-their-fields/verification-method-input.2 2.errors/did-registry.4
describe('publicKeyType P-256', () => {
  it.each([
    'insertFirstDidDocument',
    'insertDidDocument',
    'addVerificationMethod',
    'rollVerificationMethod',
  ] as const)('is UNSUPPORTED in %s with any key', async (name) => {
    for (const publicKey of [key.publicKey, hexOf(p256), 'x', '', p256, undefined]) {
      const body = { ...operations[name], publicKeyType: 'P-256', publicKey }
      expect(await client.build(name, body)).toMatchObject({
        status: 400,
        body: { error: 'UNSUPPORTED', error_description: expect.any(String) },
      })
    }
  })

  // @row 2.resources-and-their-fields/verification-method-input.4 2.resources-and-their-fields/verification-method-input.6
  it('does not exclude JWKs with crv P-256 or others', async () => {
    const keys = [
      p256,
      {
        kty: 'EC',
        crv: 'P-384',
        x: 'oaqUMJvOIL-BPoTHq_FvDHri9Cyv5bEG2hO4l1CwOpwN0ZatHyVece2EXtaYsgNO',
        y: 'M2L14EaSm0KBwE_1RcXiUHy4lrQ1s4gO7PgmNjPqMAK-gYkQsolTonLRLm5_d7uj',
      },
      {
        kty: 'EC',
        crv: 'secp256k1',
        x: Buffer.from(key.publicKey.slice(4, 68), 'hex').toString('base64url'),
        y: Buffer.from(key.publicKey.slice(68), 'hex').toString('base64url'),
      },
    ]
    for (const jwk of keys) {
      const body = { ...method, publicKeyType: 'JsonWebKey2020', publicKey: hexOf(jwk) }
      expect((await client.build('addVerificationMethod', body)).status).toBe(200)
    }
  })
})

describe('the service itself', () => {
  // @row 2.what-the-service-does.4 2.authentication.1
  it('has health, metrics and documentation at /api', async () => {
    expect((await client.get('/health')).body).toEqual({ status: 'ok', chain: 'connected' })
    expect((await fetch(`${client.baseUrl}/metrics`)).status).toBe(200)
    expect(await (await fetch(`${client.baseUrl}/api`)).text()).toContain('DID registry API')
    const { body } = await client.get<{
      openapi: string
      info: { version: string }
      paths: Record<string, unknown>
    }>('/api/openapi.json')
    expect([body.openapi, body.info.version]).toEqual(['3.0.3', 'v2.0.0'])
    const contract = names.map((name) => `/api/v1/contract/${name}`)
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        ...contract,
        '/api/v1/identifiers',
        '/api/v1/identifiers/{identifier}',
        '/api/v1/transactions/send',
      ]),
    )
  })

  // @row 2.what-the-service-does.4 2.versioning.1
  it('has documentation at /api/v1 in production', async () => {
    const production = await startDidRegistry(chain, { config: { environment: 'pro' } })
    expect((await fetch(`${production.baseUrl}/api/v1`)).status).toBe(200)
    expect((await production.get('/api/v1/identifiers')).status).toBe(200)
    const document = await (await fetch(`${production.baseUrl}/api/v1/openapi.json`)).json()
    // Its examples are of pre-production, and it says so.
    expect(document).toMatchObject({
      info: { description: expect.stringMatching(/did:org:uc:.*did:org:uc-pre:/) },
    })
    const answer = await production.build('addController', operations.addController)
    expect(answer.status).toBe(400)
  })

  // @row 2.errors/did-registry.7
  it('returns 500 without the chain, and its health says so', async () => {
    const stranded = await startDidRegistry(chain, {
      config: { chainRpcUrl: 'http://127.0.0.1:1' },
    })
    expect(await stranded.build('addController', operations.addController)).toMatchObject({
      status: 500,
      body: { error: 'chain_unavailable', error_description: expect.any(String) },
    })
    expect(await stranded.get('/health')).toMatchObject({
      status: 503,
      body: { status: 'error', chain: 'disconnected' },
    })
  })
})

// @row 2.events.1
it('the topic hashes are those of the events', () => {
  expect(iface.getEvent('VerificationMethodAdded')?.topicHash).toBe(
    id('VerificationMethodAdded(bytes32,bytes32,string,uint8)'),
  )
})
