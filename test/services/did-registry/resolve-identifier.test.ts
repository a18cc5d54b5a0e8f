import { hexlify, id, toUtf8Bytes } from 'ethers'
import { describe, expect, it } from 'vitest'
import { callRpc, startRegistryChain, testChainId } from '#test/support/chain.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import {
  type DidDocumentJson,
  startDidRegistry,
  validFrom,
  validUntil,
  vMethodIdOf,
} from '#test/support/registries.ts'
import { createTestRuntime } from '#test/support/services.ts'

const defaultContext = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

const chain = await startRegistryChain()
const runtime = createTestRuntime()
const client = await startDidRegistry(chain, { runtime })
const owner = await client.register('owner')

const jwkOf = ({ coordinates }: DidKey) => ({
  kty: 'EC',
  crv: 'secp256k1',
  x: Buffer.from(coordinates.slice(2, 66), 'hex').toString('base64url'),
  y: Buffer.from(coordinates.slice(66), 'hex').toString('base64url'),
})
const identifierOf = (key: DidKey, method = key) => `${key.did}#${vMethodIdOf(method)}`
const chainTime = async () => {
  const { result } = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
  return Number((result as { timestamp: string }).timestamp)
}
const now = () => Math.floor(Date.now() / 1000)

/** Adds a key with one relationship to a DID; a raw key unless a JWK is given. */
async function addKey(
  signer: DidKey,
  key: DidKey,
  name: string,
  { jwk, ...window }: { jwk?: object; notBefore?: number; notAfter?: number } = {},
): Promise<void> {
  const method = { did: signer.did, vMethodId: vMethodIdOf(key) }
  const form = jwk
    ? { publicKeyType: 'JsonWebKey2020', publicKey: hexlify(toUtf8Bytes(JSON.stringify(jwk))) }
    : { publicKeyType: 'secp256k1', publicKey: key.publicKey }
  await client.write(signer, 'addVerificationMethod', { ...method, ...form })
  const times = { notBefore: validFrom, notAfter: validUntil, ...window }
  const { body } = await client.write(signer, 'addVerificationRelationship', {
    ...method,
    name,
    ...times,
  })
  expect(body.receipt?.status).toBe(1)
}

describe('a DID document', () => {
  // @row 2.resources-and-their-fields/did-document.1 2.endpoints/did-registry.18
  it('has the control key and the default @context', async () => {
    const { status, body } = await client.resolve(owner.did)
    expect(status).toBe(200)
    expect(body).toEqual({
      '@context': defaultContext,
      id: owner.did,
      controller: [owner.address],
      verificationMethod: [
        {
          id: identifierOf(owner),
          type: 'JsonWebKey2020',
          controller: owner.did,
          publicKeyJwk: jwkOf(owner),
        },
      ],
      authentication: [identifierOf(owner)],
      assertionMethod: [],
      capabilityInvocation: [identifierOf(owner)],
      alsoKnownAs: ['urn:oid:organizationIdentifier:VATES-A12345678'],
    })
  })

  it('lists each relationship with a key', async () => {
    const key = await client.register('all uses')
    const issuer = createDidKey('issuer key')
    await addKey(key, issuer, 'assertionMethod')
    const vMethodId = vMethodIdOf(issuer)
    for (const name of ['keyAgreement', 'capabilityDelegation']) {
      const times = { notBefore: validFrom, notAfter: validUntil }
      await client.write(key, 'addVerificationRelationship', {
        did: key.did,
        name,
        vMethodId,
        ...times,
      })
    }
    const { body } = await client.resolve(key.did)
    const listed = identifierOf(key, issuer)
    expect(body).toMatchObject({
      assertionMethod: [listed],
      keyAgreement: [listed],
      capabilityDelegation: [listed],
    })
    expect(body.verificationMethod.map((method) => method.id)).toEqual([identifierOf(key), listed])
  })

  // @row 2.resources-and-their-fields/did-document.2 2.resources-and-their-fields/verification-method-input.7
  it('returns a serialized JWK unchanged', async () => {
    const key = await client.register('jwk owner')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      alg: 'ES256',
      extra: { kept: true },
    }
    const holder = createDidKey('jwk')
    await addKey(key, holder, 'assertionMethod', { jwk })
    const { body } = await client.resolve(key.did)
    expect(body.verificationMethod[1]).toEqual({
      id: identifierOf(key, holder),
      type: 'JsonWebKey2020',
      controller: key.did,
      publicKeyJwk: jwk,
    })
  })

  // @row 2.resources-and-their-fields/verification-method-input.4 2.resources-and-their-fields/verification-method-input.8
  it('shows raw and serialized secp256k1 keys in the same form', async () => {
    const key = await client.register('both routes')
    const [raw, serialized] = [createDidKey('raw route'), createDidKey('serialized route')]
    await addKey(key, raw, 'assertionMethod')
    await addKey(key, serialized, 'assertionMethod', { jwk: jwkOf(serialized) })
    const { body } = await client.resolve(key.did)
    const shown = body.verificationMethod
      .slice(1)
      .map(({ id, type, publicKeyJwk }) => [id, type, publicKeyJwk])
    expect(shown).toEqual(
      [raw, serialized].map((each) => [identifierOf(key, each), 'JsonWebKey2020', jwkOf(each)]),
    )
    expect(body.assertionMethod).toEqual([identifierOf(key, raw), identifierOf(key, serialized)])
  })

  it('has the given @context', async () => {
    const contexts: [string, unknown[]][] = [
      ['{"@context":"https://a.example"}', ['https://a.example']],
      [
        '{"@context":["https://a.example",{"b":"https://b.example"}],"id":"did:x"}',
        ['https://a.example', { b: 'https://b.example' }],
      ],
      ['["https://c.example"]', ['https://c.example']],
    ]
    const key = await client.register('contexts')
    for (const [baseDocument, expected] of contexts) {
      await client.write(key, 'updateBaseDocument', { did: key.did, baseDocument })
      const { body } = await client.resolve(key.did)
      expect([body['@context'], body.id]).toEqual([expected, key.did])
    }
  })

  it('shows the addresses of its controllers', async () => {
    const key = await client.register('controlled')
    const friend = await client.register('friend')
    const added = await client.write(key, 'addController', {
      did: key.did,
      controller: friend.address,
    })
    expect(added.body.receipt?.status).toBe(1)
    expect((await client.resolve(key.did)).body.controller).toEqual([key.address, friend.address])
    await client.write(friend, 'revokeController', { did: key.did, controller: key.did })
    expect((await client.resolve(key.did)).body.controller).toEqual([friend.address])
  })
})

// @row 2.endpoints/did-registry.2 2.errors/did-registry.6 2.errors/did-registry.8
describe('the Accept header', () => {
  const accept = async (value: string) => {
    const path = `/api/v1/identifiers/${owner.did}`
    const { status, headers } = await client.get(path, { accept: value })
    return [status, headers.get('content-type')]
  }

  it.each([
    ['*/*', 'application/did+ld+json'],
    ['application/did+json;q=0.5, application/did+ld+json;q=0.4', 'application/did+json'],
  ])('%s is answered with %s', async (value, mediaType) => {
    expect(await accept(value)).toEqual([200, mediaType])
  })

  it('application/did+ld+json;q=0 is answered with 406', async () => {
    expect((await accept('application/did+ld+json;q=0'))[0]).toBe(406)
  })
})

// @row 2.errors/did-registry.8
describe('valid-at', () => {
  const idsAt = async (did: string, time: number) => {
    const { status, body } = await client.resolve(did, `?valid-at=${time}`)
    return status === 200 ? body.assertionMethod.length : status
  }

  // @row 2.endpoints/did-registry.2
  it('includes both ends of a validity', async () => {
    const key = await client.register('edges')
    const start = now() + 1000
    const window = { notBefore: start, notAfter: start + 100 }
    await addKey(key, createDidKey('edge key'), 'assertionMethod', window)
    const counts = []
    for (const time of [start - 1, start, start + 100, start + 101]) {
      counts.push(await idsAt(key.did, time))
    }
    expect(counts).toEqual([0, 1, 1, 0])
    expect(await idsAt(key.did, start + 100.9)).toBe(1)
    expect(await idsAt(key.did, start - 0.1)).toBe(0)
    const exponential = encodeURIComponent((start + 100).toExponential())
    const { body } = await client.resolve(key.did, `?valid-at=${exponential}`)
    expect(body.assertionMethod).toHaveLength(1)
  })

  // @row 2.errors/did-registry.5
  it('is 404 before the registration', async () => {
    const { status, body } = await client.resolve(owner.did, '?valid-at=1000')
    expect([status, body]).toEqual([
      404,
      { error: 'not_found', error_description: expect.any(String) },
    ])
    for (const time of ['-1', '-9999999999', '0']) {
      expect((await client.resolve(owner.did, `?valid-at=${time}`)).status).toBe(404)
    }
  })

  it('may be any time in the future', async () => {
    const exponents = ['1e300', '1e1234', `1e${'9'.repeat(9)}`]
    const beyondUint64 = ['18446744073709551616', String(2n ** 256n - 1n), '9'.repeat(1000)]
    for (const time of ['18446744073709551615', ...beyondUint64, ...exponents]) {
      const { status, body } = await client.resolve(owner.did, `?valid-at=${time}`)
      expect([status, body.verificationMethod]).toEqual([200, []])
    }
  })

  it('is the service clock by default', async () => {
    const key = await client.register('clock')
    const later = createDidKey('later key')
    await addKey(key, later, 'assertionMethod', { notBefore: now() + 5000 })
    expect((await client.resolve(key.did)).body.assertionMethod).toEqual([])
    runtime.advance(5001)
    expect((await client.resolve(key.did)).body.assertionMethod).toEqual([identifierOf(key, later)])
    runtime.advance(-5001)
  })
})

describe('revoking, expiring and rolling', () => {
  // @row 2.states-and-transitions.4..5
  it.each(['revokeVerificationMethod', 'expireVerificationMethod'])(
    '%s ends a key at notAfter',
    async (operation) => {
      const key = await client.register(operation)
      const ended = createDidKey(`${operation} key`)
      await addKey(key, ended, 'assertionMethod')
      const head = await chainTime()
      await chain.chain.setClockOffset((head - now() + 20) * 1000)
      const notAfter = head + 10
      await client.write(key, operation, { did: key.did, vMethodId: vMethodIdOf(ended), notAfter })
      expect(await chainTime()).toBeGreaterThan(notAfter)
      const at = async (time: number) =>
        (await client.resolve(key.did, `?valid-at=${time}`)).body.assertionMethod
      expect(await at(notAfter)).toEqual([identifierOf(key, ended)])
      expect(await at(notAfter + 1)).toEqual([])
    },
  )

  // @row 2.states-and-transitions.6
  it('rollVerificationMethod leaves both keys during the overlap', async () => {
    const key = await client.register('roller')
    const [old, next] = [createDidKey('old key'), createDidKey('next key')]
    await addKey(key, old, 'assertionMethod')
    const notBefore = now() + 30_000
    const { body } = await client.write(key, 'rollVerificationMethod', {
      did: key.did,
      vMethodId: vMethodIdOf(next),
      publicKeyType: 'secp256k1',
      publicKey: next.publicKey,
      notBefore,
      notAfter: validUntil,
      oldVMethodId: vMethodIdOf(old),
      duration: 60,
    })
    expect(body.receipt?.status).toBe(1)
    const at = async (time: number) =>
      (await client.resolve(key.did, `?valid-at=${time}`)).body.assertionMethod
    expect(await at(notBefore + 60)).toEqual([identifierOf(key, old), identifierOf(key, next)])
    expect(await at(notBefore + 61)).toEqual([identifierOf(key, next)])
  })

  // @row 2.states-and-transitions.2 2.endpoints/did-registry.28
  it('insertDidDocument replaces the control key', async () => {
    const key = await client.register('replaced')
    const next = createDidKey('replacing')
    const body = client.firstDocumentOf(next, { did: key.did })
    const answer = await client.write(key, 'insertDidDocument', body)
    expect(answer.body.receipt?.status).toBe(1)
    const document = (await client.resolve(key.did)).body
    expect(document.controller).toEqual([next.address])
    expect(document.verificationMethod.map((method) => method.id)).toEqual([
      identifierOf(key, next),
    ])
  })
})

describe('an identifier', () => {
  // @row 2.errors/did-registry.5 2.errors/did-registry.8
  it('that is not registered returns 404', async () => {
    const { status, body } = await client.resolve(createDidKey('unregistered').did)
    expect([status, body]).toEqual([
      404,
      { error: 'not_found', error_description: expect.any(String) },
    ])
  })
})

describe('data that was not written through the API', () => {
  const inject = async (label: string, publicKey: string) => {
    const key = await client.register(label)
    const write = (method: string, ...args: unknown[]) =>
      chain.sendDirectly(key, chain.registry, method, key.did, ...args)
    await write('addVerificationMethod', id(label), 1, publicKey)
    await write('addVerificationRelationship', 1, id(label), validFrom, validUntil)
    return key
  }

  it.each([
    ['bytes that are not UTF-8', '0xff00fe'],
    ['text that is not JSON', hexlify(toUtf8Bytes('{'))],
    ['JSON that is not an object', hexlify(toUtf8Bytes('[1]'))],
    ['an object without kty', hexlify(toUtf8Bytes('{}'))],
    ['a private key', hexlify(toUtf8Bytes('{"kty":"EC","d":"AA"}'))],
  ])('is omitted as JWK: %s', async (name, publicKey) => {
    const key = await inject(`past: ${name}`, publicKey)
    const { status, body } = await client.resolve(key.did)
    expect([status, body.assertionMethod]).toEqual([200, []])
    expect(body.verificationMethod.map((method) => method.id)).toEqual([identifierOf(key)])
  })

  it.each([
    ['text', '0x7b'],
    ['bytes', '0xff00fe'],
    ['nothing', '0x'],
    ['numbers', hexlify(toUtf8Bytes('{"@context":[1]}'))],
  ])('is ignored as base document and alsoKnownAs: %s', async (name, bytes) => {
    const key = await client.register(`past: base ${name}`)
    // ethers encodes strings as UTF-8; the same call with a bytes argument accepts any data.
    for (const method of ['updateBaseDocument', 'updateAlsoKnownAs']) {
      const { iface, address } = chain.registry
      const data = iface.encodeFunctionData(method, [
        key.did,
        '\u0001'.repeat((bytes.length - 2) / 2),
      ])
      const placeholder = '01'.repeat((bytes.length - 2) / 2)
      const at = data.lastIndexOf(placeholder)
      const forged =
        placeholder === ''
          ? data
          : `${data.slice(0, at)}${bytes.slice(2)}${data.slice(at + placeholder.length)}`
      const raw = await key.wallet.signTransaction({
        to: address,
        data: forged,
        nonce: method === 'updateBaseDocument' ? 0 : 1,
        chainId: testChainId,
        gasPrice: 0,
        gasLimit: 1_000_000,
      })
      expect((await client.sendRaw(raw)).body.receipt?.status).toBe(1)
    }
    const { status, body } = await client.resolve(key.did)
    expect([status, body['@context']]).toEqual([200, defaultContext])
  })
})

describe('GET /api/v1/identifiers', () => {
  interface Page {
    readonly page: number
    readonly pageSize: number
    readonly total: number
    readonly howMany: number
    readonly items: readonly string[]
  }
  const list = (query = '') => client.get<Page>(`/api/v1/identifiers${query}`)

  // @row 2.endpoints/did-registry.1 2.limits.1..2
  it('pages through the DIDs in the order of their registration', async () => {
    for (let index = 0; index < 3; index++) await client.register(`listed ${index}`)
    const all = (await list('?pageSize=100')).body
    expect(all).toMatchObject({ page: 1, pageSize: 100, howMany: all.total })
    expect(all.items).toHaveLength(all.total)
    expect(all.items[0]).toBe(owner.did)
    expect((await list()).body).toEqual({
      page: 1,
      pageSize: 10,
      total: all.total,
      howMany: 10,
      items: all.items.slice(0, 10),
    })
    const second = (await list('?page=2&pageSize=3')).body
    expect(second.items).toEqual(all.items.slice(3, 6))
    const last = Math.ceil(all.total / 4)
    const end = (await list(`?page=${last}&pageSize=4`)).body
    expect(end.items).toEqual(all.items.slice((last - 1) * 4))
    expect(end.howMany).toBe(end.items.length)
    for (const page of [999_999_999, Number.MAX_SAFE_INTEGER]) {
      const beyond = (await list(`?page=${page}&pageSize=100`)).body
      expect(beyond).toMatchObject({ page, howMany: 0, items: [] })
    }
  })
})

it('resolves with a single eth_call', async () => {
  const hops: string[] = []
  const spareBytes: number[] = []
  const traced = await startDidRegistry(chain, {
    runtime: {
      ...createTestRuntime(),
      traces: {
        enabled: true,
        record: (describe, bodyBytes) => {
          const { kind, url, requestBody, responseBody } = describe()
          if (kind !== 'chain') return
          hops.push(url)
          const bodies = JSON.stringify(requestBody) + JSON.stringify(responseBody)
          spareBytes.push(bodyBytes - bodies.length)
        },
      },
    },
  })
  const { body } = await traced.get<DidDocumentJson>(`/api/v1/identifiers/${owner.did}`)
  expect([body.id, hops]).toEqual([owner.did, ['eth_call']])
  // Only the JSON-RPC envelope may add to the size.
  expect(spareBytes.every((bytes) => bytes >= 0 && bytes < 100)).toBe(true)
})
