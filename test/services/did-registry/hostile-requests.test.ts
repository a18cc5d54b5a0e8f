import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceSink } from '#kit/traces.ts'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { contractOperations, contractRequests } from '#test/support/contract-requests.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import {
  changeLengths,
  changeMembers,
  hostileBodies,
  wrongTexts,
} from '#test/support/hostile-bodies.ts'
import { signUnsignedTransaction, startDidRegistry } from '#test/support/registries.ts'
import { createTestRuntime } from '#test/support/services.ts'

const ofFixedLength = ['vMethodId', 'oldVMethodId', 'proof', 'publicKey', 'from']

const chain = await startRegistryChain()
// Recorded traces parse the bodies again, and must survive the same input.
const traces: TraceSink = { enabled: true, record: (describe) => void describe() }
const client = await startDidRegistry(chain, { runtime: { ...createTestRuntime(), traces } })
let signedRawTransaction: string
let before: unknown

/** The state that a rejected request must not change. */
async function readChain() {
  const { address } = chain.operator
  const read = async (method: string, ...params: unknown[]) =>
    (await callRpc(chain.rpcUrl, method, ...params)).result
  return [await read('eth_blockNumber'), await read('eth_getTransactionCount', address, 'pending')]
}

beforeAll(async () => {
  const { did } = await client.register('subject of hostility')
  const update = { did, alsoKnownAs: 'urn:x', from: chain.operator.address }
  const { body } = await client.build('updateAlsoKnownAs', update)
  const signed = await signUnsignedTransaction(chain.operator.wallet, body)
  signedRawTransaction = signed.serialized
  before = await readChain()
})
// The requests of the tests have not changed the state, and the service is still healthy.
afterAll(async () => {
  expect(await readChain()).toEqual(before)
  expect((await client.get('/health')).status).toBe(200)
  const { body } = await client.sendRaw(signedRawTransaction)
  expect(body.receipt?.status).toBe(1)
})

const documented = (status: number, error: unknown = expect.any(String)) => ({
  status,
  body: { error, error_description: expect.any(String) },
})
const shapeOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

/** Each path that accepts a body, with a valid body. */
const takers = [
  ...contractOperations.map((name) => [`contract/${name}`, () => contractRequests[name]] as const),
  ['transactions/send', () => ({ signedRawTransaction })] as const,
]

// @row 2.errors/did-registry.1 2.errors/did-registry.4
describe.each(takers)('POST /api/v1/%s', (path, validOf) => {
  it.each(hostileBodies)('rejects $name', async ({ status = 400, headers, make }) => {
    const answer = await client.request(`/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: make(validOf()),
    })
    const code = { 400: 'validation_error', 413: 'payload_too_large' }[status as 400 | 413]
    expect(shapeOf(answer)).toEqual(documented(status, code ?? 'unsupported_media_type'))
  })

  it('rejects methods other than POST', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await client.request(`/api/v1/${path}`, { method })
      expect(shapeOf(answer)).toEqual(documented(405, 'method_not_allowed'))
    }
  })
})

// @row 2.endpoints/did-registry.16..27 2.endpoints/did-registry.29..31 2.limits.3..4 2.resources-and-their-fields/verification-method-input.1
describe.each(contractOperations)('the body of %s', (name) => {
  const valid: Readonly<Record<string, unknown>> = contractRequests[name]
  const refused = async (body: unknown) => {
    const answer = await client.post(`/api/v1/contract/${name}`, body)
    expect(shapeOf(answer), JSON.stringify(body).slice(0, 200)).toEqual(
      documented(400, 'validation_error'),
    )
  }

  it('rejects each member that is missing or has the wrong type', async () => {
    for (const { body } of changeMembers(valid, ['alsoKnownAs'])) await refused(body)
  })

  it('rejects each member with the wrong length or format', async () => {
    const members = Object.keys(valid).filter((member) => ofFixedLength.includes(member))
    for (const { body } of changeLengths(valid, members)) await refused(body)
  })

  it('rejects an invalid DID', async () => {
    const { did } = contractRequests[name]
    for (const wrong of [
      did.slice(0, 'did:org:uc-pre:'.length),
      did.replace('uc-pre', 'uc'),
      did.replace('did:', 'DID:'),
      did.replace('org', 'key'),
      `${did}0`,
      `${did}\u0000`,
      `${did}\n`,
      ` ${did}`,
      `${did}?versionId=1`,
      did + did,
      `did:org:uc-pre:z${'1'.repeat(64)}`,
    ]) {
      await refused({ ...valid, did: wrong })
    }
  })

  it('ignores inherited members', async () => {
    const { from, ...rest } = valid
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const members = JSON.stringify(rest).slice(1)
      await refused(`{"${name}":{"from":${JSON.stringify(from)}},${members}`)
    }
    expect(({} as { from?: unknown }).from).toBeUndefined()
  })

  it('rejects a time that is not an exact number', async () => {
    const times = Object.keys(valid).filter((member) => typeof valid[member] === 'number')
    for (const member of times) {
      for (const literal of ['1e400', '-1e400', '18446744073709551616', '1.7e9999', '0x10']) {
        const text = JSON.stringify({ ...valid, [member]: 'placeholder' })
        await refused(text.replace('"placeholder"', literal))
      }
    }
  })
})

describe('POST /api/v1/transactions/send', () => {
  const refused = async (signed: unknown) => {
    const answer = await client.post('/api/v1/transactions/send', { signedRawTransaction: signed })
    expect(answer.status, JSON.stringify(signed)?.slice(0, 100)).toBe(400)
    expect(answer.body).toEqual({
      error: expect.stringMatching(/^(validation_error|invalid_signature)$/),
      error_description: expect.any(String),
    })
  }

  // @row 2.endpoints/did-registry.14
  it('rejects values that are missing or have the wrong type or length', async () => {
    for (const value of [undefined, ...wrongTexts]) await refused(value)
    for (const { body } of changeLengths({ signedRawTransaction }, ['signedRawTransaction'])) {
      await refused((body as { signedRawTransaction: unknown }).signedRawTransaction)
    }
  })

  it('rejects a transaction that was truncated or changed', async () => {
    for (let at = 2; at < signedRawTransaction.length; at += 16) {
      await refused(signedRawTransaction.slice(0, at))
    }
    // Header and length of the list: a lenient RLP parser would accept a second encoding.
    for (const prefix of ['0x', '0xf9', '0xf90000', '0x01', '0x02', '0x03', '0x7f', '0xc1']) {
      await refused(prefix + signedRawTransaction.slice(8))
    }
    await refused(`${signedRawTransaction}00`)
  })

  it('rejects nested lists and wrong lengths', async () => {
    for (const hex of [
      'c0'.repeat(1000),
      `fa${'ff'.repeat(3)}`,
      `ff${'ff'.repeat(8)}`,
      'bf'.repeat(100),
      `02${'f8'.repeat(100)}`,
      `f8${'ff'.repeat(255)}`,
    ]) {
      await refused(`0x${hex}`)
    }
  })
})

describe('the error for an invalid body', () => {
  it('names absent members, and says in plain words what is wrong with the rest', async () => {
    const { status, body } = await client.build('insertFirstDidDocument', {
      ...contractRequests.insertFirstDidDocument,
      did: 5,
      publicKeyType: undefined,
      notBefore: -1,
    })
    const error_description =
      'did: must be a string; publicKeyType is required; notBefore: must be at least 0.'
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'validation_error', error_description },
    })
  })
})

describe('GET /api/v1/identifiers', () => {
  const refused = async (path: string, status = 400) => {
    const answer = await client.get(path)
    expect(shapeOf(answer), path.slice(0, 100)).toEqual(documented(status))
  }

  // @row 2.limits.1..2
  it('rejects invalid page parameters', async () => {
    const wrong = ['', '0', '-1', '+1', '1.0', '1e1', '0x1', '%00', '1%00', '１', 'null', 'true']
    for (const value of [...wrong, '9'.repeat(16), '9'.repeat(1000), '1&page=1&pageSize=1']) {
      await refused(`/api/v1/identifiers?page=${value}`)
      await refused(`/api/v1/identifiers?pageSize=${value}&pageSize=${value}`)
      if (!value.includes('&')) await refused(`/api/v1/identifiers?pageSize=${value}`)
    }
    await refused('/api/v1/identifiers?pageSize=101')
  })

  it('names a repeated parameter, without the type that it parsed to', async () => {
    const { did } = createDidKey('subject of hostility')
    for (const [path, name] of [
      ['identifiers?page=1&page=2', 'page'],
      ['identifiers?pageSize=1&pageSize=1', 'pageSize'],
      [`identifiers/${did}?valid-at=1&valid-at=2`, 'valid-at'],
    ]) {
      const answer = await client.get(`/api/v1/${path}`)
      expect(answer.body).toEqual({
        error: 'validation_error',
        error_description: `${name}: must not be repeated.`,
      })
    }
  })

  it('ignores inherited members', async () => {
    const query = '__proto__[page]=0&constructor[prototype][page]=0&__proto__=x&page[0]=0'
    const { status, body } = await client.get<{ page: number }>(`/api/v1/identifiers?${query}`)
    expect([status, body.page]).toEqual([200, 1])
  })

  // @row 2.errors/did-registry.8
  it('rejects invalid identifiers and times', async () => {
    const { did } = createDidKey('subject of hostility')
    for (const identifier of [
      '%00',
      '%',
      '%ff',
      '..%2f..%2fetc%2fpasswd',
      'did:org:uc-pre:x1abc',
      'did:org:uc-pre:z10OIl',
      'did:org:uc:z1fNWVvuUi5PtY2REELNATXAnLEf',
      'did:web:example.com',
      '__proto__',
      'constructor',
      `${did}%00`,
      `${did}%0a`,
      `%20${did}`,
      encodeURIComponent(`${did}#a`),
      'a'.repeat(8000),
    ]) {
      await refused(`/api/v1/identifiers/${identifier}`)
    }
    const instants = ['', '%00', '1%00', '1%20', 'NaN', '-Infinity', '1e', 'e1', '.5', '5.']
    instants.push('0x10', '0b1', '1_0', '1,5', '--1', '１', `${'9'.repeat(8000)}x`)
    for (const instant of [...instants, '1&valid-at=1']) {
      await refused(`/api/v1/identifiers/${did}?valid-at=${instant}`)
    }
  })

  it('survives any Accept header', async () => {
    const { did } = createDidKey('subject of hostility')
    for (const accept of [
      'a'.repeat(8000),
      ','.repeat(8000),
      ';q='.repeat(2000),
      `application/did+json;${'a=b;'.repeat(2000)}q=x`,
      '"'.repeat(4000),
      'application/did+json\u00ff',
      'text/html;a="application/did+json"',
      'text/html;a=", application/did+json, "',
    ]) {
      const answer = await client.get(`/api/v1/identifiers/${did}`, { accept })
      expect(shapeOf(answer), accept.slice(0, 60)).toEqual(documented(406, 'not_acceptable'))
    }
  })

  it('returns 404 at other paths', async () => {
    for (const path of [
      '/',
      '/api/v1/nothing',
      '/api/v1/contract/',
      '/api/v1/contract/__proto__',
    ]) {
      await refused(path, 404)
    }
  })
})
