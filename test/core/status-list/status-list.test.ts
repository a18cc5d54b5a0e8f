import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import { revokedReason } from '#core/lear-credential/credential-status.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'
import { bitAt, decodeBitstring, encodeBitstring, setBits } from '#core/status-list/bitstring.ts'
import { createVerificationCache } from '#core/verification/verification-cache.ts'
import { inflateGzip } from '#test/support/inflate-gzip.ts'

// Bitstring Status List 1.0, example of a BitstringStatusListCredential: 131072 entries, none set.
const exampleEmptyList = 'uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA'
// What another implementation makes: 100000 entries, of which number 50000 is set.
const foreignList = 'uH4sIAAAAAAAAA-3OMQ0AAAgDsElHOh72EJJWQRMAAAAAAIDWXAcAAAAAAIDHFvRitn7UMAAA'

describe('the bitstring', () => {
  it("is the specification's example if no bit is set", () => {
    expect(decodeBitstring(exampleEmptyList)).toEqual(Buffer.alloc(131_072 / 8))
    const own = encodeBitstring(new Uint8Array(131_072 / 8))
    expect(decodeBitstring(own)).toEqual(Buffer.alloc(131_072 / 8))
    expect(own).toMatch(/^uH4sIAAAAAAAA/)
  })

  it('starts at the most significant bit, like other implementations', () => {
    const bits = decodeBitstring(foreignList) ?? new Uint8Array()
    expect(bits).toHaveLength(100_000 / 8)
    expect(bitAt(bits, 50_000)).toBe(true)
    const others = [0, 49_999, 50_001, 50_007, 99_999].map((index) => bitAt(bits, index))
    expect(others).toEqual([false, false, false, false, false])
    expect(bitAt(bits, 100_000)).toBeUndefined()
    expect(setBits(new Uint8Array(100_000 / 8), [50_000])).toEqual(new Uint8Array(bits))
  })

  it.each(['multibase', 'base64url'] as const)('can be decoded from %s', (encoding) => {
    const bits = setBits(new Uint8Array(131_072 / 8), [0, 1, 9, 131_071])
    expect(
      new Uint8Array(decodeBitstring(encodeBitstring(bits, encoding), encoding) ?? []),
    ).toEqual(bits)
  })

  it("is read by an independent implementation, as is the specification's example", () => {
    const unpack = (text: string) => inflateGzip(Buffer.from(text.slice(1), 'base64url'))
    expect(Buffer.from(unpack(exampleEmptyList))).toEqual(Buffer.alloc(131_072 / 8))
    const indexes = [0, 7, 8, 4095, 50_000, 131_071]
    const bits = unpack(encodeBitstring(setBits(new Uint8Array(131_072 / 8), indexes)))
    const set = [...bits].flatMap((byte, place) =>
      [...byte.toString(2).padStart(8, '0')].flatMap((bit, at) =>
        bit === '1' ? [place * 8 + at] : [],
      ),
    )
    expect(set).toEqual(indexes)
  })

  it.each([
    exampleEmptyList.slice(1),
    `z${exampleEmptyList.slice(1)}`,
    `${exampleEmptyList}=`,
    'uAAAA',
    '',
    `u${gzipSync(Buffer.alloc(3 * 1024 * 1024)).toString('base64url')}`,
  ])('is not read from malformed input or decompressed beyond the limit (%#)', (text) => {
    expect(decodeBitstring(text)).toBeUndefined()
  })

  it('has no entry beyond its end', () => {
    expect(() => setBits(new Uint8Array(2), [16])).toThrow(RangeError)
  })
})

type List = ReturnType<TrustWorld['publishStatusList']>

describe('the list credential', () => {
  const statusOf = async (world: TrustWorld) => {
    const { sources, policy, now } = world
    const result = await verifyLearCredential({
      credential: world.issue(),
      policy,
      now,
      ...sources,
    })
    return result.failures.map(({ rule }) => rule)
  }
  const subjectWith = (list: List, members: object) => ({
    ...list,
    vc: { ...list.vc, credentialSubject: { ...list.vc.credentialSubject, ...members } },
  })

  it.each([
    ['unchanged', [], (list: List) => list],
    [
      'with its purposes as a list',
      [],
      (list: List) => subjectWith(list, { statusPurpose: ['suspension', 'revocation'] }),
    ],
    ['past exp', ['credential.status'], (list: List) => ({ ...list, exp: list.iat })],
    [
      'past validUntil',
      ['credential.status'],
      (list: List) => ({
        ...list,
        vc: { ...list.vc, validUntil: '2020-01-01T00:00:00Z' },
      }),
    ],
    ...[
      { validUntil: '2020-01-01' },
      { validFrom: '2099-01-01T00:00:00Z' },
      { validFrom: '2099-01-01' },
    ].map(
      (period) =>
        [
          `with ${JSON.stringify(period)}`,
          ['credential.status'],
          (list: List) => ({ ...list, vc: { ...list.vc, ...period } }),
        ] as const,
    ),
    [
      'for another purpose',
      ['credential.status'],
      (list: List) => subjectWith(list, { statusPurpose: 'suspension' }),
    ],
    [
      'with too few entries',
      ['credential.status'],
      (list: List) => subjectWith(list, { encodedList: foreignList }),
    ],
    [
      'that cannot be decompressed',
      ['credential.status'],
      (list: List) => subjectWith(list, { encodedList: 'u!!' }),
    ],
    [
      'of the other form',
      ['credential.status'],
      (list: List) => subjectWith(list, { type: 'StatusList2021' }),
    ],
    [
      'under another address',
      ['credential.status'],
      (list: List) => ({
        ...list,
        vc: { ...list.vc, id: `${list.vc.id}/other` },
      }),
    ],
  ] as const)('%s', async (_name, expected, change) => {
    const world = createTrustWorld()
    world.statusLists.set(
      world.statusListUrl,
      world.sign(change(world.publishStatusList([])), world.issuer),
    )
    expect(await statusOf(world)).toEqual(expected)
  })

  it('must be signed by a key that is valid now', async () => {
    const world = createTrustWorld()
    for (const entry of world.usesOf(world.issuer.did)) {
      if (entry.kid === world.issuer.kid) entry.notAfter = world.now - 1
    }
    expect(await statusOf(world)).toEqual(['credential.status'])
  })

  it('is found in a list with one entry, and not in one with several (A-23)', async () => {
    const world = createTrustWorld()
    const payload = world.credentialPayload()
    const entry = payload.vc.credentialStatus
    const { sources, policy, now } = world
    for (const [revoked, entries, expected] of [
      [[], [entry], []],
      [[7], [entry], ['credential.status']],
      [[], [entry, entry], ['credential.status']],
      [[], [], ['credential.status']],
    ] as const) {
      world.publishStatusList([...revoked])
      const vc = { ...payload.vc, credentialStatus: entries }
      const credential = world.issue({ ...payload, vc })
      const result = await verifyLearCredential({ credential, policy, now, ...sources })
      expect(result.failures.map(({ rule }) => rule)).toEqual(expected)
    }
  })

  it('has an index of decimal digits in a string (Bitstring Status List 1.0, 2.1)', async () => {
    const world = createTrustWorld()
    const payload = world.credentialPayload()
    const { sources, policy, now } = world
    const reasonsWith = async (statusListIndex: unknown) => {
      const credentialStatus = { ...payload.vc.credentialStatus, statusListIndex }
      const credential = world.issue({ ...payload, vc: { ...payload.vc, credentialStatus } })
      const result = await verifyLearCredential({ credential, policy, now, ...sources })
      return result.failures.map(({ rule, reason }) => [rule, reason])
    }
    world.publishStatusList([7])
    expect(await reasonsWith('0010')).toEqual([])
    const revoked = [['credential.status', revokedReason]]
    for (const index of ['7', '007', '0000000000007']) {
      expect(await reasonsWith(index)).toEqual(revoked)
    }
    const form = 'it is not a valid BitstringStatusListEntry or StatusList2021Entry'
    for (const [index, problem] of [
      [10, 'must be a string'],
      [undefined, 'is missing'],
      ['0xa', 'does not have the required format'],
    ]) {
      const reason = `${form}: statusListIndex ${problem}`
      expect(await reasonsWith(index)).toEqual([['credential.status', reason]])
    }
    const beyond = 'the index is beyond the end of the list'
    expect(await reasonsWith('9'.repeat(400))).toEqual([['credential.status', beyond]])
  })

  it('may be a StatusList2021 for older wallets (A-23)', async () => {
    const world = createTrustWorld()
    const entryType = 'StatusList2021Entry'
    const payload = world.credentialPayload()
    const credentialStatus = { ...payload.vc.credentialStatus, type: entryType }
    const credential = world.issue({ ...payload, vc: { ...payload.vc, credentialStatus } })
    const list = world.publishStatusList([])
    for (const [revoked, expected] of [
      [[], []],
      [[7], ['credential.status']],
    ] as const) {
      const bits = setBits(new Uint8Array(131_072 / 8), revoked)
      const vc = {
        ...list.vc,
        type: ['VerifiableCredential', 'StatusList2021Credential'],
        credentialSubject: {
          ...list.vc.credentialSubject,
          type: 'StatusList2021',
          encodedList: gzipSync(bits).toString('base64url'),
        },
      }
      world.statusLists.set(world.statusListUrl, world.sign({ ...list, vc }, world.issuer))
      const { sources, policy, now } = world
      const result = await verifyLearCredential({ credential, policy, now, ...sources })
      expect(result.failures.map(({ rule }) => rule)).toEqual(expected)
    }
  })
})

describe('createVerificationCache', () => {
  it('decompresses a list once, and again without the cache or with another cache', () => {
    const cache = createVerificationCache()
    const text = encodeBitstring(new Uint8Array(16))
    const first = decodeBitstring(text, 'multibase', cache)
    expect(first).toEqual(Buffer.alloc(16))
    expect(decodeBitstring(text, 'multibase', cache)).toBe(first)
    expect(decodeBitstring(text.slice(1), 'base64url', cache)).toBe(first)
    expect(decodeBitstring(text)).not.toBe(first)
    expect(decodeBitstring(text, 'multibase', createVerificationCache())).not.toBe(first)
  })

  it('caches neither missing values nor errors', () => {
    const { keepBitstring } = createVerificationCache()
    const broken = () => {
      throw new TypeError('broken')
    }
    expect(keepBitstring('a', () => undefined)).toBeUndefined()
    expect(() => keepBitstring('a', broken)).toThrow('broken')
    expect(keepBitstring('a', () => Uint8Array.of(1))).toEqual(Uint8Array.of(1))
    expect(keepBitstring('a', broken)).toEqual(Uint8Array.of(1))
  })

  it('keeps only the newest entries', () => {
    const { keepBitstring } = createVerificationCache()
    const keep = (number: number) => keepBitstring(`${number}`, () => Uint8Array.of(number))
    const first = keep(0)
    for (let number = 1; number <= 7; number++) keep(number)
    expect(keep(0)).toBe(first)
    keep(8)
    expect(keep(0)).not.toBe(first)
  })
})
