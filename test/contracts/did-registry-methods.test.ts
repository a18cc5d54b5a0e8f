import { hexlify, id, toUtf8Bytes } from 'ethers'
import { describe, expect, it } from 'vitest'
import { relationshipNames } from '#core/did/did-document.ts'
import {
  always,
  controlKeyOf,
  createContractRegistries,
  keyType,
  relationship,
  successorOf,
} from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'

const control = ['authentication', 'capabilityInvocation']
const jwk = hexlify(toUtf8Bytes('{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}'))

const r = await createContractRegistries()

/** Adds a raw key to a DID, for the given uses. */
async function addKey(
  owner: DidKey,
  label: string,
  uses: readonly string[],
  window: { notBefore?: number; notAfter?: number } = {},
): Promise<DidKey> {
  const key = createDidKey(label)
  const { notBefore, notAfter } = { ...always, ...window }
  await r.done(owner, 'addVerificationMethod', owner.did, key.vMethodId, 0, key.publicKey)
  for (const use of uses) {
    const args = [relationship[use], key.vMethodId, notBefore, notAfter]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...args)
  }
  return key
}

const usesAt = async (did: string, vMethodId: string, time: number) =>
  (await r.documentAt(did, time))?.methods[vMethodId]

describe('addVerificationMethod', () => {
  // @row 2.states-and-transitions.3
  it('lists a key from its registration on, without a use until it has a relationship', async () => {
    const owner = await r.register('owner')
    const key = createDidKey('registered')
    const before = await r.chain.now()
    await r.chain.setTime(before + 5)
    const { events } = await r.write(
      owner,
      'addVerificationMethod',
      owner.did,
      key.vMethodId,
      keyType.secp256k1,
      key.publicKey,
    )
    expect(events).toEqual([
      { name: 'VerificationMethodAdded', args: [id(owner.did), key.vMethodId, owner.did, 0] },
    ])
    const now = await r.chain.now()
    expect(await usesAt(owner.did, key.vMethodId, now - 1)).toBeUndefined()
    for (const time of [now, now + 1_000_000]) {
      expect(await usesAt(owner.did, key.vMethodId, time)).toEqual([])
    }
    await r.done(
      owner,
      'addVerificationRelationship',
      owner.did,
      relationship.keyAgreement,
      key.vMethodId,
      1,
      always.notAfter,
    )
    expect(await usesAt(owner.did, key.vMethodId, now)).toEqual(['keyAgreement'])
  })

  it('stores a JWK unchanged', async () => {
    const owner = await r.register('jwk owner')
    await r.done(owner, 'addVerificationMethod', owner.did, id('jwk'), 1, jwk)
    const use = [relationship.assertionMethod, id('jwk'), 1, always.notAfter]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...use)
    const [, document] = (await r.chain.read(r.registry, 'resolve', owner.did, 0)) as [
      boolean,
      [string, string, string[], unknown[]],
    ]
    expect(document[3][1]).toEqual([id('jwk'), keyType.jsonWebKey2020, 1 << 1, jwk])
  })

  it('never accepts a vMethodId twice, not even for the same key', async () => {
    const owner = await r.register('identifiers')
    const again = [owner.did, owner.vMethodId, 0, owner.publicKey]
    const { reverted } = await r.write(owner, 'addVerificationMethod', ...again)
    const args = [owner.did, owner.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
  })

  it.each([
    ['a raw key without its 0x04', keyType.secp256k1, '0x11'],
    ['a raw key that is not a point', keyType.secp256k1, `0x04${'11'.repeat(64)}`],
    ['an empty JWK', keyType.jsonWebKey2020, '0x'],
  ])('rejects %s', async (name, type, publicKey) => {
    const owner = await r.register(`keys: ${name}`)
    const args = [owner.did, id('x'), type, publicKey]
    const { reverted } = await r.write(owner, 'addVerificationMethod', ...args)
    expect(reverted).toEqual({ name: 'DidRegistryInvalidPublicKey', args: [publicKey] })
  })
})

describe('addVerificationRelationship', () => {
  it.each(relationshipNames)('%s holds from notBefore to notAfter, both included', async (use) => {
    const owner = await r.register(`window ${use}`)
    const now = await r.chain.now()
    const key = await addKey(owner, `window key ${use}`, [])
    const window = [now + 10, now + 20]
    const args = [owner.did, relationship[use], key.vMethodId, ...window]
    const { events } = await r.write(owner, 'addVerificationRelationship', ...args)
    expect(events).toEqual([
      {
        name: 'VerificationRelationshipAdded',
        args: [id(owner.did), key.vMethodId, owner.did, relationship[use], ...window],
      },
    ])
    expect(await usesAt(owner.did, key.vMethodId, now + 9)).toEqual([])
    expect(await usesAt(owner.did, key.vMethodId, now + 10)).toEqual([use])
    expect(await usesAt(owner.did, key.vMethodId, now + 20)).toEqual([use])
    expect(await usesAt(owner.did, key.vMethodId, now + 21)).toEqual([])
  })

  it('keeps earlier windows', async () => {
    const owner = await r.register('two windows')
    const key = await addKey(owner, 'two windows key', ['assertionMethod'], { notAfter: 2e9 })
    const later = [relationship.assertionMethod, key.vMethodId, 3e9, 4e9]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...later)
    const uses = []
    for (const time of [2e9, 2e9 + 1, 3e9, 4e9 + 1]) {
      uses.push(await usesAt(owner.did, key.vMethodId, time))
    }
    expect(uses).toEqual([['assertionMethod'], [], ['assertionMethod'], []])
  })

  it('grants control with capabilityInvocation, and removes it at its end', async () => {
    const owner = await r.register('control owner')
    const now = await r.chain.now()
    const key = await addKey(owner, 'control key', ['capabilityInvocation'], { notAfter: now + 5 })
    await r.chain.setTime(now + 5)
    expect((await r.write(key, 'updateBaseDocument', owner.did, '{}')).reverted).toBeUndefined()
    await r.chain.setTime(now + 6)
    const { reverted } = await r.write(key, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, key.address] })
  })

  it('does not grant control with any other relationship', async () => {
    const owner = await r.register('other uses')
    const uses = relationshipNames.filter((name) => name !== 'capabilityInvocation')
    const key = await addKey(owner, 'other uses key', uses)
    const { reverted } = await r.write(key, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, key.address] })
  })

  it('rejects capabilityInvocation for a JWK', async () => {
    const owner = await r.register('jwk control')
    await r.done(owner, 'addVerificationMethod', owner.did, id('jwk'), 1, jwk)
    const args = [owner.did, relationship.capabilityInvocation, id('jwk'), 1, 2]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    expect(reverted).toEqual({ name: 'DidRegistryNotControlKey', args: [owner.did, id('jwk')] })
  })

  it.each([
    [7, 7],
    [7, 6],
  ])('rejects a window from %d to %d', async (notBefore, notAfter) => {
    const owner = await r.register(`window ${notBefore} ${notAfter}`)
    const args = [owner.did, 0, owner.vMethodId, notBefore, notAfter]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    expect(reverted).toEqual({ name: 'DidRegistryInvalidValidity', args: [notBefore, notAfter] })
  })

  it('requires an existing method', async () => {
    const owner = await r.register('relationship without a method')
    const args = [owner.did, relationship.assertionMethod, id('none'), 1, 2]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    const name = 'DidRegistryVerificationMethodNotAdded'
    expect(reverted).toEqual({ name, args: [owner.did, id('none')] })
  })

  it('rejects a revoked method', async () => {
    const owner = await r.register('revoked owner')
    const key = await addKey(owner, 'revoked method', [])
    await r.done(owner, 'revokeVerificationMethod', owner.did, key.vMethodId, always.notAfter)
    const args = [owner.did, 0, key.vMethodId, 1, 2]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    const expected = {
      name: 'DidRegistryVerificationMethodIsRevoked',
      args: [owner.did, key.vMethodId],
    }
    expect(reverted).toEqual(expected)
  })

  it('renews an expired method', async () => {
    const owner = await r.register('expired owner')
    const now = await r.chain.now()
    const key = await addKey(owner, 'expired method', ['assertionMethod'])
    await r.done(owner, 'expireVerificationMethod', owner.did, key.vMethodId, now + 10)
    const args = [relationship.assertionMethod, key.vMethodId, now + 20, now + 30]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...args)
    expect(await usesAt(owner.did, key.vMethodId, now + 15)).toBeUndefined()
    expect(await usesAt(owner.did, key.vMethodId, now + 20)).toEqual(['assertionMethod'])
  })
})

describe.each([
  ['revokeVerificationMethod', 'VerificationMethodRevoked'],
  ['expireVerificationMethod', 'VerificationMethodExpired'],
])('%s', (method, event) => {
  // @row 2.states-and-transitions.4 2.states-and-transitions.5
  it('ends all uses of the method at notAfter, which stays valid itself', async () => {
    const owner = await r.register(`end ${method}`)
    const now = await r.chain.now()
    const key = await addKey(owner, `end key ${method}`, ['assertionMethod', 'keyAgreement'])
    const { events } = await r.write(owner, method, owner.did, key.vMethodId, now + 10)
    expect(events).toEqual([
      { name: event, args: [id(owner.did), key.vMethodId, owner.did, now + 10] },
    ])
    const uses = ['assertionMethod', 'keyAgreement']
    expect(await usesAt(owner.did, key.vMethodId, now + 10)).toEqual(uses)
    expect(await usesAt(owner.did, key.vMethodId, now + 11)).toBeUndefined()
    expect(await usesAt(owner.did, owner.vMethodId, now + 11)).toEqual(control)
  })

  it('accepts a notAfter in the past, which applies retroactively', async () => {
    const owner = await r.register(`past ${method}`)
    const start = await r.chain.now()
    const key = await addKey(owner, `past key ${method}`, ['assertionMethod'])
    await r.chain.setTime(start + 100)
    await r.done(owner, method, owner.did, key.vMethodId, start + 50)
    expect(await usesAt(owner.did, key.vMethodId, start + 50)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, key.vMethodId, start + 51)).toBeUndefined()
  })

  it('never postpones an end, including its own', async () => {
    const owner = await r.register(`later ${method}`)
    const now = await r.chain.now()
    const window = { notAfter: now + 10 }
    const key = await addKey(owner, `later key ${method}`, ['assertionMethod'], window)
    await r.done(owner, method, owner.did, key.vMethodId, now + 1000)
    expect(await usesAt(owner.did, key.vMethodId, now + 11)).toEqual([])
    await r.done(owner, method, owner.did, key.vMethodId, now + 5)
    await r.done(owner, method, owner.did, key.vMethodId, now + 8)
    expect(await usesAt(owner.did, key.vMethodId, now + 5)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, key.vMethodId, now + 6)).toBeUndefined()
  })

  it('ends the listing of a method without a use at notAfter', async () => {
    const owner = await r.register(`unused ${method}`)
    const now = await r.chain.now()
    const key = await addKey(owner, `unused key ${method}`, [])
    await r.done(owner, method, owner.did, key.vMethodId, now + 10)
    expect(await usesAt(owner.did, key.vMethodId, now + 10)).toEqual([])
    expect(await usesAt(owner.did, key.vMethodId, now + 11)).toBeUndefined()
  })

  it('also ends a window that has not begun', async () => {
    const owner = await r.register(`future ${method}`)
    const now = await r.chain.now()
    const window = { notBefore: now + 100, notAfter: now + 200 }
    const key = await addKey(owner, `future key ${method}`, ['assertionMethod'], window)
    await r.done(owner, method, owner.did, key.vMethodId, now + 50)
    expect(await usesAt(owner.did, key.vMethodId, now + 50)).toEqual([])
    expect(await usesAt(owner.did, key.vMethodId, now + 150)).toBeUndefined()
  })

  it('may end the last control key, which locks the DID', async () => {
    const owner = await r.register(`lock ${method}`)
    const now = await r.chain.now()
    await r.done(owner, method, owner.did, owner.vMethodId, now)
    await r.chain.setTime(now + 1)
    const { reverted } = await r.write(owner, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, owner.address] })
    expect((await r.documentAt(owner.did, now + 1))?.controllers).toEqual([])
    expect(await r.chain.read(r.registry, 'controllersOf', owner.did)).toEqual([owner.did])
  })

  it('requires an existing method', async () => {
    const owner = await r.register(`none ${method}`)
    const { reverted } = await r.write(owner, method, owner.did, id('none'), 1)
    const args = [owner.did, id('none')]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodNotAdded', args })
  })
})

it('accepts the key of a revoked method under another vMethodId, and keeps the method revoked', async () => {
  const owner = await r.register('registers again')
  const key = await addKey(owner, 'registered again', ['assertionMethod'])
  const now = await r.chain.now()
  await r.done(owner, 'revokeVerificationMethod', owner.did, key.vMethodId, now)
  await r.chain.setTime(now + 1)
  await r.done(owner, 'addVerificationMethod', owner.did, id('again'), 0, key.publicKey)
  const use = [relationship.assertionMethod, id('again'), now + 1, always.notAfter]
  await r.done(owner, 'addVerificationRelationship', owner.did, ...use)
  expect(await usesAt(owner.did, id('again'), now + 1)).toEqual(['assertionMethod'])
  expect(await usesAt(owner.did, key.vMethodId, now + 1)).toBeUndefined()
  expect(await usesAt(owner.did, key.vMethodId, now)).toEqual(['assertionMethod'])
})

describe('rollVerificationMethod', () => {
  const roll = (owner: DidKey, old: DidKey, next: DidKey, options: object = {}) =>
    r.write(owner, 'rollVerificationMethod', owner.did, old.vMethodId, successorOf(next, options))

  // @row 2.states-and-transitions.6
  it('gives the new key each use, with both valid during the overlap', async () => {
    const owner = await r.register('roller')
    const now = await r.chain.now()
    const old = await addKey(owner, 'rolled', ['assertionMethod', 'keyAgreement'])
    const next = createDidKey('rolled to')
    const validity = { notBefore: now + 10, notAfter: now + 1000, duration: 5 }
    const { events } = await roll(owner, old, next, validity)
    expect(events).toEqual([
      {
        name: 'VerificationMethodRolled',
        args: [
          id(owner.did),
          next.vMethodId,
          old.vMethodId,
          owner.did,
          now + 10,
          now + 1000,
          now + 15,
        ],
      },
      { name: 'VerificationMethodAdded', args: [id(owner.did), next.vMethodId, owner.did, 0] },
      ...['assertionMethod', 'keyAgreement'].map((use) => ({
        name: 'VerificationRelationshipAdded',
        args: [id(owner.did), next.vMethodId, owner.did, relationship[use], now + 10, now + 1000],
      })),
    ])
    const uses = ['assertionMethod', 'keyAgreement']
    const both = async (time: number) => [
      await usesAt(owner.did, old.vMethodId, time),
      await usesAt(owner.did, next.vMethodId, time),
    ]
    expect(await both(now + 9)).toEqual([uses, []])
    expect(await both(now + 10)).toEqual([uses, uses])
    expect(await both(now + 15)).toEqual([uses, uses])
    expect(await both(now + 16)).toEqual([undefined, uses])
    expect(await both(now + 1001)).toEqual([undefined, undefined])
  })

  it('transfers each of the five uses', async () => {
    const owner = await r.register('five uses')
    const old = await addKey(owner, 'five uses old', relationshipNames)
    const next = createDidKey('five uses next')
    const now = await r.chain.now()
    await roll(owner, old, next, { notBefore: now })
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(relationshipNames)
  })

  it('transfers control', async () => {
    const owner = await r.register('control roller')
    const next = createDidKey('control successor')
    const now = await r.chain.now()
    await roll(owner, owner, next, { notBefore: now, duration: 10 })
    await r.chain.setTime(now + 10)
    expect((await r.write(owner, 'updateBaseDocument', owner.did, '{}')).reverted).toBeUndefined()
    await r.chain.setTime(now + 11)
    const { reverted } = await r.write(owner, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, owner.address] })
    expect((await r.write(next, 'updateBaseDocument', owner.did, '{}')).reverted).toBeUndefined()
  })

  it('keeps an end of the old key before the end of the overlap', async () => {
    const owner = await r.register('short roller')
    const now = await r.chain.now()
    const old = await addKey(owner, 'short', ['assertionMethod'], { notAfter: now + 20 })
    await roll(owner, old, createDidKey('short next'), { notBefore: now, duration: 1000 })
    expect(await usesAt(owner.did, old.vMethodId, now + 20)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, old.vMethodId, now + 21)).toEqual([])
  })

  it('does not revive a use that has ended', async () => {
    const owner = await r.register('reviver')
    const now = await r.chain.now()
    const old = await addKey(owner, 'partly ended', ['assertionMethod'], { notAfter: now - 5 })
    const use = [relationship.authentication, old.vMethodId, 1, always.notAfter]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...use)
    const next = createDidKey('partly revived')
    await roll(owner, old, next, { notBefore: now, duration: 10 })
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(['authentication'])
  })

  it('does not revive a use that was ended before it began', async () => {
    const owner = await r.register('never begun')
    const now = await r.chain.now()
    const window = { notBefore: now + 100, notAfter: now + 200 }
    const old = await addKey(owner, 'never valid', ['assertionMethod'], window)
    const use = [relationship.authentication, old.vMethodId, now, now + 50]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...use)
    await r.done(owner, 'expireVerificationMethod', owner.did, old.vMethodId, now + 50)
    const next = createDidKey('not revived')
    await roll(owner, old, next, { notBefore: now, duration: 10 })
    expect(await usesAt(owner.did, next.vMethodId, now + 150)).toEqual(['authentication'])
  })

  it('transfers a use in its last second', async () => {
    const owner = await r.register('last second')
    const now = await r.chain.now()
    const old = await addKey(owner, 'in its last second', ['assertionMethod'], {
      notAfter: now + 5,
    })
    const next = createDidKey('after the last second')
    await r.chain.setTime(now + 5)
    const { reverted } = await roll(owner, old, next, { notBefore: now, duration: 10 })
    expect(reverted).toBeUndefined()
    expect(await usesAt(owner.did, next.vMethodId, now + 6)).toEqual(['assertionMethod'])
  })

  it('transfers a use that has not begun yet', async () => {
    const owner = await r.register('planner')
    const now = await r.chain.now()
    const window = { notBefore: now + 100, notAfter: now + 200 }
    const old = await addKey(owner, 'planned', ['assertionMethod'], window)
    const next = createDidKey('planned next')
    await roll(owner, old, next, { notBefore: now, notAfter: now + 500, duration: 10 })
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, old.vMethodId, now + 150)).toBeUndefined()
  })

  it('may roll a key that has no use yet', async () => {
    const owner = await r.register('idle roller')
    const old = await addKey(owner, 'idle', [])
    const now = await r.chain.now()
    const next = createDidKey('idle next')
    expect((await roll(owner, old, next, { notBefore: now })).reverted).toBeUndefined()
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual([])
  })

  it('accepts an overlap beyond the maximum time', async () => {
    const owner = await r.register('eternal roller')
    const duration = 2n ** 64n - 1n
    const { events, reverted } = await roll(owner, owner, createDidKey('eternal'), { duration })
    expect(reverted).toBeUndefined()
    expect(events[0]?.args.at(-1)).toBe(duration)
  })

  it('reverts if the overlap would end in the past', async () => {
    const owner = await r.register('late roller')
    const now = await r.chain.now()
    await r.chain.setTime(now + 100)
    const next = createDidKey('late next')
    const { reverted } = await roll(owner, owner, next, { notBefore: now, duration: 99 })
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now + 99, now + 100] })
    await r.chain.setTime(now + 100)
    expect((await roll(owner, owner, next, { notBefore: now, duration: 100 })).reverted).toBe(
      undefined,
    )
  })

  it('reverts if the new key has already ended', async () => {
    const owner = await r.register('dead roller')
    const now = await r.chain.now()
    await r.chain.setTime(now + 10)
    const options = { notBefore: now, notAfter: now + 9, duration: 100 }
    const { reverted } = await roll(owner, owner, createDidKey('dead next'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now + 9, now + 10] })
  })

  it('reverts if every use of the old key has ended', async () => {
    const owner = await r.register('expired roller')
    const now = await r.chain.now()
    const window = { notAfter: now - 1 }
    const old = await addKey(owner, 'all ended', ['assertionMethod', 'keyAgreement'], window)
    await r.chain.setTime(now)
    const options = { notBefore: now, duration: 10 }
    const { reverted } = await roll(owner, old, createDidKey('expired next'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now - 1, now] })
  })

  it('reverts if the old key has expired without a use', async () => {
    const owner = await r.register('idle and over')
    const now = await r.chain.now()
    const old = await addKey(owner, 'idle until its end', [])
    await r.done(owner, 'expireVerificationMethod', owner.did, old.vMethodId, now + 10)
    await r.chain.setTime(now + 11)
    const options = { notBefore: now, duration: 100 }
    const { reverted } = await roll(owner, old, createDidKey('after an idle key'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now + 10, now + 11] })
  })

  it('rejects a JWK as successor of a control key', async () => {
    const owner = await r.register('jwk roller')
    const next = { ...createDidKey('jwk successor'), publicKey: jwk }
    const options = { publicKeyType: keyType.jsonWebKey2020, notBefore: await r.chain.now() }
    const { reverted } = await roll(owner, owner, next, options)
    const args = [owner.did, next.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryNotControlKey', args })
  })

  it('accepts a JWK as successor of a key that does not control', async () => {
    const owner = await r.register('mixed roller')
    const old = await addKey(owner, 'raw issuer', ['assertionMethod'])
    const now = await r.chain.now()
    const next = { ...createDidKey('jwk issuer'), publicKey: jwk }
    const options = { publicKeyType: keyType.jsonWebKey2020, notBefore: now }
    expect((await roll(owner, old, next, options)).reverted).toBeUndefined()
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(['assertionMethod'])
  })

  it('does not roll from a revoked key', async () => {
    const owner = await r.register('revoked roller')
    const old = await addKey(owner, 'revoked old', ['assertionMethod'])
    await r.done(owner, 'revokeVerificationMethod', owner.did, old.vMethodId, always.notAfter)
    const options = { notBefore: await r.chain.now() }
    const { reverted } = await roll(owner, old, createDidKey('revoked next'), options)
    const args = [owner.did, old.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodIsRevoked', args })
  })

  it('does not roll from a key that does not exist', async () => {
    const owner = await r.register('empty roller')
    const { reverted } = await roll(owner, createDidKey('nothing'), createDidKey('something'))
    const args = [owner.did, createDidKey('nothing').vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodNotAdded', args })
  })

  it('rejects a successor whose identifier is taken, including that of the old key', async () => {
    const owner = await r.register('taken roller')
    const other = await addKey(owner, 'taken', [])
    for (const next of [owner, other]) {
      const { reverted } = await roll(owner, owner, next, { notBefore: await r.chain.now() })
      const args = [owner.did, next.vMethodId]
      expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
    }
  })

  it('rejects a validity that ends before it begins, and an invalid key', async () => {
    const owner = await r.register('wrong roller')
    const next = createDidKey('wrong next')
    const wrongTimes = await roll(owner, owner, next, { notBefore: 9, notAfter: 9 })
    expect(wrongTimes.reverted).toEqual({ name: 'DidRegistryInvalidValidity', args: [9, 9] })
    const wrongKey = await roll(owner, owner, next, { publicKey: '0x04', duration: 1e10 })
    expect(wrongKey.reverted).toEqual({ name: 'DidRegistryInvalidPublicKey', args: ['0x04'] })
  })
})

describe.each([
  ['addVerificationMethod', (k: DidKey) => [k.did, id('x'), 0, k.publicKey]],
  ['addVerificationRelationship', (k: DidKey) => [k.did, 0, k.vMethodId, 1, 2]],
  ['revokeVerificationMethod', (k: DidKey) => [k.did, k.vMethodId, 1]],
  ['expireVerificationMethod', (k: DidKey) => [k.did, k.vMethodId, 1]],
  ['rollVerificationMethod', (k: DidKey) => [k.did, k.vMethodId, successorOf(k)]],
] as const)('%s', (method, argumentsOf) => {
  // @row 2.authentication.1
  it.each(['stranger', 'operator', 'node'] as const)('rejects the %s', async (who) => {
    const key = await r.register(`${method} ${who}`)
    const { reverted } = await r.write(r[who], method, ...argumentsOf(key))
    const args = [key.did, r[who].address]
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
  })

  it('requires a registered DID', async () => {
    const key = createDidKey(`never ${method}`)
    const { reverted } = await r.write(key, method, ...argumentsOf(key))
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: [key.did] })
  })
})

describe('did registry controllers', async () => {
  const r = await createContractRegistries()

  const touch = (signer: DidKey, did: string) => r.write(signer, 'updateBaseDocument', did, '{}')
  const notController = (did: string, { address }: DidKey) => ({
    name: 'DidRegistryNotController',
    args: [did, address],
  })
  const controllersOf = (did: string) => r.chain.read(r.registry, 'controllersOf', did)

  describe('addController', () => {
    it('lets the control keys of another DID write, until it is revoked', async () => {
      const a = await r.register('a')
      const b = await r.register('b')
      const start = await r.chain.now()
      expect((await touch(b, a.did)).reverted).toEqual(notController(a.did, b))
      await r.chain.setTime(start + 10)
      const added = await r.write(a, 'addController', a.did, b.did)
      expect(added.events).toEqual([
        { name: 'ControllerAdded', args: [id(a.did), id(b.did), a.did, b.did] },
      ])
      expect((await touch(b, a.did)).reverted).toBeUndefined()
      expect(await controllersOf(a.did)).toEqual([a.did, b.did])
      expect(await r.chain.read(r.registry, 'isController', a.did, b.address)).toBe(true)

      await r.chain.setTime(start + 20)
      const revoked = await r.write(b, 'revokeController', a.did, b.did)
      expect(revoked.events).toEqual([
        { name: 'ControllerRevoked', args: [id(a.did), id(b.did), a.did, b.did] },
      ])
      expect((await touch(b, a.did)).reverted).toEqual(notController(a.did, b))
      expect(await controllersOf(a.did)).toEqual([a.did])

      const at = async (time: number) => (await r.documentAt(a.did, time))?.controllers
      expect(await at(start + 9)).toEqual([a.address])
      expect(await at(start + 10)).toEqual([a.address, b.address])
      expect(await at(start + 19)).toEqual([a.address, b.address])
      expect(await at(start + 20)).toEqual([a.address])
    })

    it('takes the address that registered the controller with its proof', async () => {
      const a = await r.register('a by account')
      const b = await r.register('b by account')
      const added = await r.write(a, 'addControllerByAccount', a.did, b.address)
      expect(added.events[0]?.args).toEqual([id(a.did), id(b.did), a.did, b.did])
      const revoked = await r.write(a, 'revokeControllerByAccount', a.did, b.address)
      expect(revoked.events[0]?.args).toEqual([id(a.did), id(b.did), a.did, b.did])
      expect(await controllersOf(a.did)).toEqual([a.did])
    })

    it('does not resolve the address of a key that another DID merely added', async () => {
      const a = await r.register('a without the key')
      const b = await r.register('b with a stolen address')
      const stolen = createDidKey('stolen')
      await r.done(b, 'addVerificationMethod', b.did, stolen.vMethodId, 0, stolen.publicKey)
      await r.done(
        b,
        'addVerificationRelationship',
        b.did,
        relationship.capabilityInvocation,
        stolen.vMethodId,
        always.notBefore,
        always.notAfter,
      )
      for (const method of ['addControllerByAccount', 'revokeControllerByAccount']) {
        const { reverted } = await r.write(a, method, a.did, stolen.address)
        expect(reverted).toEqual({
          name: 'DidRegistryAccountNotRegistered',
          args: [stolen.address],
        })
      }
    })

    it('refers to the DID and not its first key: a replaced key loses control everywhere', async () => {
      const a = await r.register('a of b')
      const b = await r.register('b replaced')
      const next = createDidKey('b next')
      await r.done(a, 'addController', a.did, b.did)
      await r.done(b, 'insertDidDocument', b.did, '{}', controlKeyOf(next))
      expect((await touch(b, a.did)).reverted).toEqual(notController(a.did, b))
      expect((await touch(next, a.did)).reverted).toBeUndefined()
      const document = await r.documentAt(a.did, await r.chain.now())
      expect(document?.controllers).toEqual([a.address, next.address])
    })

    it('does not include the controllers of a controller', async () => {
      const a = await r.register('a direct')
      const b = await r.register('b between')
      const c = await r.register('c indirect')
      await r.done(a, 'addController', a.did, b.did)
      await r.done(b, 'addController', b.did, c.did)
      const { reverted } = await touch(c, a.did)
      expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [a.did, c.address] })
    })

    it('lists an account once that holds two keys of two controllers', async () => {
      const a = await r.register('a shared')
      const b = await r.register('b shared')
      await r.done(a, 'addController', a.did, b.did)
      await r.done(b, 'addVerificationMethod', b.did, id('again'), 0, a.publicKey)
      await r.done(
        b,
        'addVerificationRelationship',
        b.did,
        relationship.capabilityInvocation,
        id('again'),
        always.notBefore,
        always.notAfter,
      )
      const document = await r.documentAt(a.did, await r.chain.now())
      expect(document?.controllers).toEqual([a.address, b.address])
    })

    it('is restored after a revocation, with the gap in the history', async () => {
      const a = await r.register('a gap')
      const b = await r.register('b gap')
      const start = await r.chain.now()
      await r.done(a, 'addController', a.did, b.did)
      await r.chain.setTime(start + 10)
      await r.done(a, 'revokeController', a.did, b.did)
      await r.chain.setTime(start + 20)
      await r.done(a, 'addController', a.did, b.did)
      const counts = []
      for (const time of [start, start + 10, start + 20]) {
        counts.push((await r.documentAt(a.did, time))?.controllers.length)
      }
      expect(counts).toEqual([2, 1, 2])
    })

    it('reverts if the controller already exists', async () => {
      const a = await r.register('a twice')
      const expected = { name: 'DidRegistryControllerAlreadyAdded', args: [a.did, a.did] }
      expect((await r.write(a, 'addController', a.did, a.did)).reverted).toEqual(expected)
      const byAccount = await r.write(a, 'addControllerByAccount', a.did, a.address)
      expect(byAccount.reverted).toEqual(expected)
    })

    it('requires a registered controller', async () => {
      const a = await r.register('single a')
      const { reverted } = await r.write(a, 'addController', a.did, 'did:x')
      expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: ['did:x'] })
    })
  })

  describe('revokeController', () => {
    it('reverts if the controller does not exist', async () => {
      const a = await r.register('a without')
      const b = await r.register('b outside')
      const args = [a.did, b.did]
      const name = 'DidRegistryControllerNotAdded'
      expect((await r.write(a, 'revokeController', a.did, b.did)).reverted).toEqual({ name, args })
      const byAccount = await r.write(a, 'revokeControllerByAccount', a.did, b.address)
      expect(byAccount.reverted).toEqual({ name, args })
      const unknown = await r.write(a, 'revokeController', a.did, 'did:x')
      expect(unknown.reverted).toEqual({ name, args: [a.did, 'did:x'] })
    })

    it('cannot remove the last one, whichever it is', async () => {
      const a = await r.register('a last')
      const b = await r.register('b last')
      const own = await r.write(a, 'revokeController', a.did, a.did)
      expect(own.reverted).toEqual({ name: 'DidRegistryLastController', args: [a.did, a.did] })
      await r.done(a, 'addController', a.did, b.did)
      await r.done(a, 'revokeController', a.did, a.did)
      expect((await touch(a, a.did)).reverted).toEqual(notController(a.did, a))
      const last = await r.write(b, 'revokeController', a.did, b.did)
      const expected = { name: 'DidRegistryLastController', args: [a.did, b.did] }
      expect(last.reverted).toEqual(expected)
      const byAccount = await r.write(b, 'revokeControllerByAccount', a.did, b.address)
      expect(byAccount.reverted).toEqual(expected)
    })
  })

  describe.each([
    ['addController', (a: DidKey) => [a.did, a.did]],
    ['addControllerByAccount', (a: DidKey) => [a.did, a.address]],
    ['revokeController', (a: DidKey) => [a.did, a.did]],
    ['revokeControllerByAccount', (a: DidKey) => [a.did, a.address]],
  ] as const)('%s', (method, argumentsOf) => {
    it('requires a controller', async () => {
      const a = await r.register(`a ${method}`)
      const { reverted } = await r.write(r.stranger, method, ...argumentsOf(a))
      const args = [a.did, r.stranger.address]
      expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
    })

    it('rejects the operator', async () => {
      const a = await r.register(`a operator ${method}`)
      const { reverted } = await r.write(r.operator, method, ...argumentsOf(a))
      const args = [a.did, r.operator.address]
      expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
    })

    it('requires a registered DID', async () => {
      const a = createDidKey(`never ${method}`)
      const { reverted } = await r.write(a, method, ...argumentsOf(a))
      expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: [a.did] })
    })
  })
})
