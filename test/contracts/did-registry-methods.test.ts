import { hexlify, id, toUtf8Bytes } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  always,
  type ContractRegistries,
  createContractRegistries,
  keyType,
  relationship,
  relationshipNames,
  successorOf,
} from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'

const control = ['authentication', 'capabilityInvocation']
const jwk = hexlify(toUtf8Bytes('{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}'))

let r: ContractRegistries

beforeAll(async () => {
  r = await createContractRegistries()
})
afterAll(() => r.chain.close())

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
  it('lists a key from its registration on, without a use before a relationship names it', async () => {
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

  it('stores a JWK as it is', async () => {
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

  it('never takes a vMethodId twice, not even for the same key', async () => {
    const owner = await r.register('identifiers')
    const again = [owner.did, owner.vMethodId, 0, owner.publicKey]
    const { reverted } = await r.write(owner, 'addVerificationMethod', ...again)
    const args = [owner.did, owner.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
  })

  it.each([
    ['a raw key without its 0x04', keyType.secp256k1, '0x11'],
    ['a raw key that is no point', keyType.secp256k1, `0x04${'11'.repeat(64)}`],
    ['an empty JWK', keyType.jsonWebKey2020, '0x'],
  ])('refuses %s', async (name, type, publicKey) => {
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

  it('gives control with capabilityInvocation, and takes it with its end', async () => {
    const owner = await r.register('control owner')
    const now = await r.chain.now()
    const key = await addKey(owner, 'control key', ['capabilityInvocation'], { notAfter: now + 5 })
    await r.chain.setTime(now + 5)
    expect((await r.write(key, 'updateBaseDocument', owner.did, '{}')).reverted).toBeUndefined()
    await r.chain.setTime(now + 6)
    const { reverted } = await r.write(key, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, key.address] })
  })

  it('gives no control with any other relationship', async () => {
    const owner = await r.register('other uses')
    const uses = relationshipNames.filter((name) => name !== 'capabilityInvocation')
    const key = await addKey(owner, 'other uses key', uses)
    const { reverted } = await r.write(key, 'updateBaseDocument', owner.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [owner.did, key.address] })
  })

  it('refuses capabilityInvocation for a JWK', async () => {
    const owner = await r.register('jwk control')
    await r.done(owner, 'addVerificationMethod', owner.did, id('jwk'), 1, jwk)
    const args = [owner.did, relationship.capabilityInvocation, id('jwk'), 1, 2]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    expect(reverted).toEqual({ name: 'DidRegistryNotControlKey', args: [owner.did, id('jwk')] })
  })

  it.each([
    [7, 7],
    [7, 6],
  ])('refuses a window from %d to %d', async (notBefore, notAfter) => {
    const owner = await r.register(`window ${notBefore} ${notAfter}`)
    const args = [owner.did, 0, owner.vMethodId, notBefore, notAfter]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    expect(reverted).toEqual({ name: 'DidRegistryInvalidValidity', args: [notBefore, notAfter] })
  })

  it('needs a method that is there', async () => {
    const owner = await r.register('relationship without a method')
    const args = [owner.did, relationship.assertionMethod, id('none'), 1, 2]
    const { reverted } = await r.write(owner, 'addVerificationRelationship', ...args)
    const name = 'DidRegistryVerificationMethodNotAdded'
    expect(reverted).toEqual({ name, args: [owner.did, id('none')] })
  })

  it('refuses a revoked method', async () => {
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

  it('reaches back to a notAfter in the past, by what is known now', async () => {
    const owner = await r.register(`past ${method}`)
    const start = await r.chain.now()
    const key = await addKey(owner, `past key ${method}`, ['assertionMethod'])
    await r.chain.setTime(start + 100)
    await r.done(owner, method, owner.did, key.vMethodId, start + 50)
    expect(await usesAt(owner.did, key.vMethodId, start + 50)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, key.vMethodId, start + 51)).toBeUndefined()
  })

  it('never moves an end to later, not its own either', async () => {
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

  it('takes a window that has not begun with it', async () => {
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

  it('needs a method that is there', async () => {
    const owner = await r.register(`none ${method}`)
    const { reverted } = await r.write(owner, method, owner.did, id('none'), 1)
    const args = [owner.did, id('none')]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodNotAdded', args })
  })
})

it('takes the key of a revoked method under another vMethodId, and leaves the method revoked', async () => {
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
  it('lets the new key take over each use, with both valid during the overlap', async () => {
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

  it('hands each of the five uses over', async () => {
    const owner = await r.register('five uses')
    const old = await addKey(owner, 'five uses old', relationshipNames)
    const next = createDidKey('five uses next')
    const now = await r.chain.now()
    await roll(owner, old, next, { notBefore: now })
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(relationshipNames)
  })

  it('hands control over', async () => {
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

  it('leaves an end of the old key that comes before the overlap is over', async () => {
    const owner = await r.register('short roller')
    const now = await r.chain.now()
    const old = await addKey(owner, 'short', ['assertionMethod'], { notAfter: now + 20 })
    await roll(owner, old, createDidKey('short next'), { notBefore: now, duration: 1000 })
    expect(await usesAt(owner.did, old.vMethodId, now + 20)).toEqual(['assertionMethod'])
    expect(await usesAt(owner.did, old.vMethodId, now + 21)).toEqual([])
  })

  it('revives no use that has ended', async () => {
    const owner = await r.register('reviver')
    const now = await r.chain.now()
    const old = await addKey(owner, 'partly ended', ['assertionMethod'], { notAfter: now - 5 })
    const use = [relationship.authentication, old.vMethodId, 1, always.notAfter]
    await r.done(owner, 'addVerificationRelationship', owner.did, ...use)
    const next = createDidKey('partly revived')
    await roll(owner, old, next, { notBefore: now, duration: 10 })
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(['authentication'])
  })

  it('revives no use that was ended before it began', async () => {
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

  it('takes over a use in its last second', async () => {
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

  it('takes over a use that has not begun yet', async () => {
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

  it('survives an overlap beyond all times', async () => {
    const owner = await r.register('eternal roller')
    const duration = 2n ** 64n - 1n
    const { events, reverted } = await roll(owner, owner, createDidKey('eternal'), { duration })
    expect(reverted).toBeUndefined()
    expect(events[0]?.args.at(-1)).toBe(duration)
  })

  it('reverts where the overlap would end in the past', async () => {
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

  it('reverts where the new key has ended already', async () => {
    const owner = await r.register('dead roller')
    const now = await r.chain.now()
    await r.chain.setTime(now + 10)
    const options = { notBefore: now, notAfter: now + 9, duration: 100 }
    const { reverted } = await roll(owner, owner, createDidKey('dead next'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now + 9, now + 10] })
  })

  it('reverts where every use of the old key has ended', async () => {
    const owner = await r.register('expired roller')
    const now = await r.chain.now()
    const window = { notAfter: now - 1 }
    const old = await addKey(owner, 'all ended', ['assertionMethod', 'keyAgreement'], window)
    await r.chain.setTime(now)
    const options = { notBefore: now, duration: 10 }
    const { reverted } = await roll(owner, old, createDidKey('expired next'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now - 1, now] })
  })

  it('reverts where the old key has expired without a use', async () => {
    const owner = await r.register('idle and over')
    const now = await r.chain.now()
    const old = await addKey(owner, 'idle until its end', [])
    await r.done(owner, 'expireVerificationMethod', owner.did, old.vMethodId, now + 10)
    await r.chain.setTime(now + 11)
    const options = { notBefore: now, duration: 100 }
    const { reverted } = await roll(owner, old, createDidKey('after an idle key'), options)
    expect(reverted).toEqual({ name: 'DidRegistryRollInThePast', args: [now + 10, now + 11] })
  })

  it('refuses a JWK as successor of a control key', async () => {
    const owner = await r.register('jwk roller')
    const next = { ...createDidKey('jwk successor'), publicKey: jwk }
    const options = { publicKeyType: keyType.jsonWebKey2020, notBefore: await r.chain.now() }
    const { reverted } = await roll(owner, owner, next, options)
    const args = [owner.did, next.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryNotControlKey', args })
  })

  it('takes a JWK as successor of a key that does not control', async () => {
    const owner = await r.register('mixed roller')
    const old = await addKey(owner, 'raw issuer', ['assertionMethod'])
    const now = await r.chain.now()
    const next = { ...createDidKey('jwk issuer'), publicKey: jwk }
    const options = { publicKeyType: keyType.jsonWebKey2020, notBefore: now }
    expect((await roll(owner, old, next, options)).reverted).toBeUndefined()
    expect(await usesAt(owner.did, next.vMethodId, now)).toEqual(['assertionMethod'])
  })

  it('refuses to roll from a revoked key', async () => {
    const owner = await r.register('revoked roller')
    const old = await addKey(owner, 'revoked old', ['assertionMethod'])
    await r.done(owner, 'revokeVerificationMethod', owner.did, old.vMethodId, always.notAfter)
    const options = { notBefore: await r.chain.now() }
    const { reverted } = await roll(owner, old, createDidKey('revoked next'), options)
    const args = [owner.did, old.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodIsRevoked', args })
  })

  it('refuses to roll from a key that is not there', async () => {
    const owner = await r.register('empty roller')
    const { reverted } = await roll(owner, createDidKey('nothing'), createDidKey('something'))
    const args = [owner.did, createDidKey('nothing').vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodNotAdded', args })
  })

  it('refuses a successor whose identifier is taken, its own included', async () => {
    const owner = await r.register('taken roller')
    const other = await addKey(owner, 'taken', [])
    for (const next of [owner, other]) {
      const { reverted } = await roll(owner, owner, next, { notBefore: await r.chain.now() })
      const args = [owner.did, next.vMethodId]
      expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
    }
  })

  it('refuses a validity that ends before it begins, and a key that is none', async () => {
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
  it.each(['stranger', 'operator', 'node'] as const)('is not for the %s', async (who) => {
    const key = await r.register(`${method} ${who}`)
    const { reverted } = await r.write(r[who], method, ...argumentsOf(key))
    const args = [key.did, r[who].address]
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
  })

  it('needs a registered DID', async () => {
    const key = createDidKey(`never ${method}`)
    const { reverted } = await r.write(key, method, ...argumentsOf(key))
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: [key.did] })
  })
})
