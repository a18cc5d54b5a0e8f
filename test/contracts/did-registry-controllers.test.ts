import { id } from 'ethers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  always,
  type ContractRegistries,
  controlKeyOf,
  createContractRegistries,
  relationship,
} from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'

let r: ContractRegistries

beforeAll(async () => {
  r = await createContractRegistries()
})
afterAll(() => r.chain.close())

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

  it('knows no address of a key that another DID merely added', async () => {
    const a = await r.register('a of nobody')
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
      expect(reverted).toEqual({ name: 'DidRegistryAccountNotRegistered', args: [stolen.address] })
    }
  })

  it('means the DID and not its first key: a replaced key loses control everywhere', async () => {
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

  it('does not reach through a controller to its controllers', async () => {
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

  it('comes back after it was revoked, with the gap in the history', async () => {
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

  it('reverts where the controller is there already', async () => {
    const a = await r.register('a twice')
    const expected = { name: 'DidRegistryControllerAlreadyAdded', args: [a.did, a.did] }
    expect((await r.write(a, 'addController', a.did, a.did)).reverted).toEqual(expected)
    const byAccount = await r.write(a, 'addControllerByAccount', a.did, a.address)
    expect(byAccount.reverted).toEqual(expected)
  })

  it('needs a registered controller', async () => {
    const a = await r.register('a alone')
    const { reverted } = await r.write(a, 'addController', a.did, 'did:x')
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: ['did:x'] })
  })
})

describe('revokeController', () => {
  it('reverts where the controller is not there', async () => {
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

  it('leaves the last one, whichever it is', async () => {
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
  it('needs a controller', async () => {
    const a = await r.register(`a ${method}`)
    const { reverted } = await r.write(r.stranger, method, ...argumentsOf(a))
    const args = [a.did, r.stranger.address]
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
  })

  it('is not for the operator', async () => {
    const a = await r.register(`a operator ${method}`)
    const { reverted } = await r.write(r.operator, method, ...argumentsOf(a))
    const args = [a.did, r.operator.address]
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
  })

  it('needs a registered DID', async () => {
    const a = createDidKey(`never ${method}`)
    const { reverted } = await r.write(a, method, ...argumentsOf(a))
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: [a.did] })
  })
})
