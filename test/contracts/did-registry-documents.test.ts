import { readFileSync } from 'node:fs'
import { concat, id, keccak256, SigningKey, toBeHex, ZeroAddress, zeroPadValue } from 'ethers'
import { describe, expect, it } from 'vitest'
import {
  always,
  controlKeyOf,
  createContractRegistries,
  keyType,
  relationship,
  successorOf,
} from '#test/support/contracts.ts'
import { createDidKey, type DidKey, didOf } from '#test/support/create-did-key.ts'

const control = ['authentication', 'capabilityInvocation']
const fieldPrime = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const yOfOne = '4218f20ae6c646b363db68605822fb14264ca8d2587fdd6fbc750d587e76a7ee'
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const r = await createContractRegistries()

describe('deployment', () => {
  it('stores the operator and the prefix', async () => {
    expect(await r.chain.read(r.registry, 'operator')).toBe(r.operator.address)
    expect(await r.chain.read(r.registry, 'didPrefix')).toBe('did:org:uc-pre:')
  })

  it('rejects the zero address as operator', async () => {
    const deployment = r.chain.deploy(r.operator.wallet, 'DidRegistry', ZeroAddress, 'did:')
    await expect(deployment).rejects.toThrow('DidRegistryZeroAddress()')
  })
})

describe('onboarding nodes', () => {
  it('are authorized and withdrawn by the operator', async () => {
    const { address } = createDidKey('second node')
    expect(await r.chain.read(r.registry, 'isOnboardingNode', address)).toBe(false)
    expect((await r.write(r.operator, 'authorizeOnboardingNode', address)).events).toEqual([
      { name: 'OnboardingNodeAuthorized', args: [address] },
    ])
    expect(await r.chain.read(r.registry, 'isOnboardingNode', address)).toBe(true)
    expect((await r.write(r.operator, 'withdrawOnboardingNode', address)).events).toEqual([
      { name: 'OnboardingNodeWithdrawn', args: [address] },
    ])
    expect(await r.chain.read(r.registry, 'isOnboardingNode', address)).toBe(false)
  })

  it.each([
    ['authorizeOnboardingNode', 'stranger', 'node', 'DidRegistryNotOperator', 'stranger'],
    ['withdrawOnboardingNode', 'node', 'node', 'DidRegistryNotOperator', 'node'],
    [
      'authorizeOnboardingNode',
      'operator',
      'node',
      'DidRegistryOnboardingNodeAlreadyAuthorized',
      'node',
    ],
    [
      'withdrawOnboardingNode',
      'operator',
      'stranger',
      'DidRegistryOnboardingNodeNotAuthorized',
      'stranger',
    ],
  ] as const)('%s by %s of %s reverts with %s', async (method, signer, node, name, argument) => {
    const { reverted } = await r.write(r[signer], method, r[node].address)
    expect(reverted).toEqual({ name, args: [r[argument].address] })
  })

  it('cannot be the zero address', async () => {
    const { reverted } = await r.write(r.operator, 'authorizeOnboardingNode', ZeroAddress)
    expect(reverted).toEqual({ name: 'DidRegistryZeroAddress', args: [] })
  })

  it('cannot register DIDs once withdrawn', async () => {
    const node = createDidKey('withdrawn node')
    await r.done(r.operator, 'authorizeOnboardingNode', node.address)
    await r.done(r.operator, 'withdrawOnboardingNode', node.address)
    const key = createDidKey('late')
    const { reverted } = await r.write(
      node,
      'insertFirstDidDocument',
      key.did,
      '',
      controlKeyOf(key),
      '',
    )
    expect(reverted).toEqual({ name: 'DidRegistryNotOnboardingNode', args: [node.address] })
  })
})

/** The events for the control key of a document, after the document's own event. */
const eventsOfControlKey = (did: string, key: DidKey, notBefore: number, notAfter: number) => [
  { name: 'VerificationMethodAdded', args: [id(did), key.vMethodId, did, 0] },
  ...['capabilityInvocation', 'authentication'].map((use) => ({
    name: 'VerificationRelationshipAdded',
    args: [id(did), key.vMethodId, did, relationship[use], notBefore, notAfter],
  })),
]

describe('insertFirstDidDocument', () => {
  const insert = (signer: 'node' | 'stranger', did: string, key: object) =>
    r.write(r[signer], 'insertFirstDidDocument', did, '{"a":1}', key, 'urn:x')

  // @row 2.states-and-transitions.1
  it('registers the DID with its control key and lets it control itself', async () => {
    const key = createDidKey('first')
    const now = await r.chain.now()
    const { events } = await insert('node', key.did, controlKeyOf(key, { notAfter: now + 100 }))
    expect(events).toEqual([
      {
        name: 'FirstDidDocumentInserted',
        args: [id(key.did), key.vMethodId, key.did, '{"a":1}', 'urn:x', 1, now + 100],
      },
      ...eventsOfControlKey(key.did, key, 1, now + 100),
    ])
    expect(await r.documentAt(key.did, now)).toEqual({
      baseDocument: '{"a":1}',
      alsoKnownAs: 'urn:x',
      controllers: [key.address],
      methods: { [key.vMethodId]: control },
    })
    expect(await r.chain.read(r.registry, 'controllersOf', key.did)).toEqual([key.did])
    expect(await r.chain.read(r.registry, 'didOfAccount', key.address)).toBe(key.did)
    expect(await r.chain.read(r.registry, 'isController', key.did, key.address)).toBe(true)
    expect(await r.chain.read(r.registry, 'isController', key.did, r.node.address)).toBe(false)
  })

  it('stores X and Y of the key', async () => {
    const key = await r.register('stored key')
    const [, document] = (await r.chain.read(r.registry, 'resolveAt', key.did, 1e10)) as [
      boolean,
      [string, string, string[], unknown[]],
    ]
    const uses = (1 << 0) | (1 << 3)
    expect(document[3]).toEqual([[key.vMethodId, keyType.secp256k1, uses, key.coordinates]])
  })

  // @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
  it('accepts the known answers of the DID generation tool', async () => {
    const vectors = JSON.parse(
      readFileSync(new URL('../core/did/vectors/did-proof.json', import.meta.url), 'utf8'),
    ) as { publicKey: string; proof: string; did: string; vMethodId: string; address: string }[]
    for (const { publicKey, proof, did, vMethodId, address } of vectors) {
      const bytes = `0x${Buffer.from(vMethodId, 'base64url').toString('hex')}`
      const key = { publicKey, proof, vMethodId: bytes, ...always }
      expect((await insert('node', did, key)).reverted).toBeUndefined()
      expect(await r.chain.read(r.registry, 'didOfAccount', address)).toBe(did)
    }
  })

  it('accepts a proof over the key with its leading 0x04', async () => {
    const key = createDidKey('with prefix')
    const proof = new SigningKey(id('with prefix')).sign(keccak256(key.publicKey)).serialized
    const did = didOf(proof)
    expect((await insert('node', did, controlKeyOf(key, { proof }))).reverted).toBeUndefined()
    expect(await r.chain.read(r.registry, 'didOfAccount', key.address)).toBe(did)
  })

  // @row 2.states-and-transitions.1 2.endpoints/did-registry.26 2.authentication.1
  it('requires an authorized onboarding node, regardless of other errors', async () => {
    const key = createDidKey('no node')
    const { reverted } = await insert('stranger', 'did:x', controlKeyOf(key, { notAfter: 0 }))
    expect(reverted).toEqual({ name: 'DidRegistryNotOnboardingNode', args: [r.stranger.address] })
  })

  // @row 2.states-and-transitions.1
  it('registers a DID once', async () => {
    const key = await r.register('twice')
    const { reverted } = await insert('node', key.did, controlKeyOf(key))
    expect(reverted).toEqual({ name: 'DidRegistryDidAlreadyRegistered', args: [key.did] })
  })

  it.each([
    ['another DID', 'did:org:uc-pre:z1wrong'],
    ['the DID of another environment', createDidKey('derived', 'did:org:uc:').did],
    ['an empty DID', ''],
  ])('rejects %s instead of the DID that the proof derives', async (_name, did) => {
    const key = createDidKey('derived')
    const { reverted } = await insert('node', did, controlKeyOf(key))
    expect(reverted).toEqual({ name: 'DidRegistryDidMismatch', args: [did, key.did] })
  })

  it("rejects another key's proof, though it derives the DID", async () => {
    const owner = createDidKey('owner')
    const thief = createDidKey('thief')
    const { reverted } = await insert(
      'node',
      owner.did,
      controlKeyOf(thief, { proof: owner.proof }),
    )
    expect(reverted).toEqual({ name: 'DidRegistryInvalidProof', args: [owner.proof] })
  })

  it('rejects the high-S form of a proof, which would give its key a second DID', async () => {
    const key = createDidKey('malleable')
    const signature = new SigningKey(id('malleable')).sign(keccak256(key.coordinates))
    const highS = zeroPadValue(toBeHex(order - BigInt(signature.s)), 32)
    const proof = concat([signature.r, highS, signature.v === 27 ? '0x1c' : '0x1b'])
    const { reverted } = await insert('node', didOf(proof), controlKeyOf(key, { proof }))
    expect(reverted).toEqual({ name: 'DidRegistryInvalidProof', args: [proof] })
  })

  it.each([
    ['v of 0 or 1', (p: string) => `${p.slice(0, -2)}00`],
    ['64 bytes', (p: string) => p.slice(0, -2)],
    ['66 bytes', (p: string) => `${p}00`],
    ['nothing', () => '0x'],
    ['zeros', () => `0x${'00'.repeat(64)}1b`],
    ['a different r', (p: string) => `0x${'11'.repeat(32)}${p.slice(66)}`],
  ])('rejects a proof of %s', async (_name, change) => {
    const key = createDidKey('bad proof')
    const proof = change(key.proof)
    const { reverted } = await insert('node', key.did, controlKeyOf(key, { proof }))
    expect(reverted).toEqual({ name: 'DidRegistryInvalidProof', args: [proof] })
  })

  it('accepts the key that a coordinate beyond the field reduces to', async () => {
    const owner = await r.register('owner of one')
    const publicKey = `0x04${'1'.padStart(64, '0')}${yOfOne}`
    const args = [owner.did, id('one'), keyType.secp256k1, publicKey]
    expect((await r.write(owner, 'addVerificationMethod', ...args)).reverted).toBeUndefined()
  })

  // @row 2.resources-and-their-fields/verification-method-input.5
  it.each([
    ['without the 0x04', (k: string) => `0x${k.slice(4)}`],
    ['with a different first byte', (k: string) => `0x03${k.slice(4)}`],
    ['compressed', (k: string) => SigningKey.computePublicKey(k, true)],
    ['not on the curve', (k: string) => `${k.slice(0, -2)}${k.endsWith('00') ? '01' : '00'}`],
    // The point with x = 1, its x written as 1 + p.
    ['with a coordinate beyond the field', () => `0x04${(fieldPrime + 1n).toString(16)}${yOfOne}`],
    ['empty', () => '0x'],
  ])('rejects a key %s', async (_name, change) => {
    const key = createDidKey('bad key')
    const publicKey = change(key.publicKey)
    const { reverted } = await insert('node', key.did, controlKeyOf(key, { publicKey }))
    expect(reverted).toEqual({ name: 'DidRegistryInvalidPublicKey', args: [publicKey] })
  })

  it.each([
    [500, 500],
    [500, 499],
  ])('rejects a validity from %d to %d', async (notBefore, notAfter) => {
    const key = createDidKey('validity')
    const { reverted } = await insert('node', key.did, controlKeyOf(key, { notBefore, notAfter }))
    expect(reverted).toEqual({ name: 'DidRegistryInvalidValidity', args: [notBefore, notAfter] })
  })

  it('rejects a validity that is entirely in the past', async () => {
    const now = await r.chain.now()
    const key = createDidKey('born expired')
    const born = controlKeyOf(key, { notAfter: now + 9 })
    await r.chain.setTime(now + 10)
    const { reverted } = await insert('node', key.did, born)
    expect(reverted).toEqual({ name: 'DidRegistryValidityInThePast', args: [now + 9, now + 10] })
    const inTime = controlKeyOf(key, { notAfter: now + 10 })
    expect((await insert('node', key.did, inTime)).reverted).toBeUndefined()
  })

  it('lists a key that is registered ahead, without a use', async () => {
    const now = await r.chain.now()
    const key = await r.register('ahead', { notBefore: now + 50, notAfter: now + 60 })
    const usesAt = async (time: number) =>
      (await r.documentAt(key.did, time))?.methods[key.vMethodId]
    expect(await usesAt(now)).toEqual([])
    expect(await usesAt(now + 50)).toEqual(control)
    expect(await usesAt(now + 61)).toBeUndefined()
  })

  it('does not grant control before notBefore', async () => {
    const now = await r.chain.now()
    const key = await r.register('early', { notBefore: now + 50 })
    const { reverted } = await r.write(key, 'updateBaseDocument', key.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [key.did, key.address] })
    await r.chain.setTime(now + 50)
    expect((await r.write(key, 'updateBaseDocument', key.did, '{}')).reverted).toBeUndefined()
  })

  it('grants control up to and including notAfter', async () => {
    const now = await r.chain.now()
    const key = await r.register('late end', { notAfter: now + 20 })
    await r.chain.setTime(now + 20)
    expect((await r.write(key, 'updateBaseDocument', key.did, '{}')).reverted).toBeUndefined()
    await r.chain.setTime(now + 21)
    const { reverted } = await r.write(key, 'updateBaseDocument', key.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [key.did, key.address] })
  })

  it('lets the address of a key that registers a second DID still represent the first', async () => {
    const key = await r.register('two identifiers')
    const proof = new SigningKey(id('two identifiers')).sign(keccak256(key.publicKey)).serialized
    await r.done(
      r.node,
      'insertFirstDidDocument',
      didOf(proof),
      '',
      controlKeyOf(key, { proof }),
      '',
    )
    expect(await r.chain.read(r.registry, 'didOfAccount', key.address)).toBe(key.did)
  })
})

describe('insertDidDocument', () => {
  // @row 2.states-and-transitions.2
  it('replaces base document and control key and leaves the rest', async () => {
    const old = await r.register('replaced')
    const friend = await r.register('friend')
    const other = createDidKey('other method')
    const next = createDidKey('replacement')
    await r.done(old, 'addController', old.did, friend.did)
    await r.done(old, 'addVerificationMethod', old.did, other.vMethodId, 0, other.publicKey)
    await r.done(
      old,
      'addVerificationRelationship',
      old.did,
      relationship.assertionMethod,
      other.vMethodId,
      1,
      always.notAfter,
    )
    const registered = await r.chain.now()
    await r.chain.setTime(registered + 10)
    const { events } = await r.write(
      old,
      'insertDidDocument',
      old.did,
      '{"new":1}',
      controlKeyOf(next, { notBefore: registered }),
    )
    expect(events).toEqual([
      {
        name: 'DidDocumentInserted',
        args: [id(old.did), next.vMethodId, old.did, '{"new":1}', registered, always.notAfter],
      },
      ...eventsOfControlKey(old.did, next, registered, always.notAfter),
    ])
    expect(await r.documentAt(old.did, registered + 10)).toEqual({
      baseDocument: '{"new":1}',
      alsoKnownAs: 'urn:replaced',
      controllers: [next.address, friend.address],
      methods: { [next.vMethodId]: control, [other.vMethodId]: ['assertionMethod'] },
    })
    expect((await r.documentAt(old.did, registered + 9))?.methods).toMatchObject({
      [old.vMethodId]: control,
    })
    const { reverted } = await r.write(old, 'updateBaseDocument', old.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [old.did, old.address] })
    expect((await r.write(next, 'updateBaseDocument', old.did, '{}')).reverted).toBeUndefined()
  })

  it('rejects a control key whose validity is entirely in the past', async () => {
    const old = await r.register('kept in control')
    const now = await r.chain.now()
    const next = controlKeyOf(createDidKey('ended before'), { notAfter: now - 1 })
    await r.chain.setTime(now)
    const { reverted } = await r.write(old, 'insertDidDocument', old.did, '{}', next)
    expect(reverted).toEqual({ name: 'DidRegistryValidityInThePast', args: [now - 1, now] })
  })

  it('does not add a method again if it renews the same key', async () => {
    const key = await r.register('renewed')
    const { events } = await r.write(key, 'insertDidDocument', key.did, '{}', controlKeyOf(key))
    expect(events.map(({ name }) => name)).toEqual([
      'DidDocumentInserted',
      'VerificationRelationshipAdded',
      'VerificationRelationshipAdded',
    ])
  })

  it('ends every use of the replaced key, and none in the past', async () => {
    const old = await r.register('replaced issuer')
    const next = createDidKey('next issuer')
    const now = await r.chain.now()
    const assertion = [relationship.assertionMethod, old.vMethodId, 1, always.notAfter]
    await r.done(old, 'addVerificationRelationship', old.did, ...assertion)
    await r.chain.setTime(now + 5)
    await r.done(old, 'insertDidDocument', old.did, '{}', controlKeyOf(next, { notBefore: 1 }))
    expect((await r.documentAt(old.did, now + 4))?.methods[old.vMethodId]).toEqual([
      'authentication',
      'assertionMethod',
      'capabilityInvocation',
    ])
    expect(Object.keys((await r.documentAt(old.did, now + 5))?.methods ?? {})).toEqual([
      next.vMethodId,
    ])
  })

  it('leaves the old key in control until the new one becomes valid', async () => {
    const old = await r.register('until then')
    const next = createDidKey('from then on')
    const now = await r.chain.now()
    await r.done(
      old,
      'insertDidDocument',
      old.did,
      '{}',
      controlKeyOf(next, { notBefore: now + 100 }),
    )
    expect((await r.documentAt(old.did, now + 99))?.controllers).toEqual([old.address])
    expect((await r.documentAt(old.did, now + 100))?.controllers).toEqual([next.address])
  })

  it('updates the validity of the same key and keeps its other uses', async () => {
    const key = await r.register('same key', { notAfter: 9_000_000_000 })
    const now = await r.chain.now()
    const assertion = [relationship.assertionMethod, key.vMethodId, 1, always.notAfter]
    await r.done(key, 'addVerificationRelationship', key.did, ...assertion)
    await r.done(key, 'insertDidDocument', key.did, '{}', controlKeyOf(key, { notAfter: now + 50 }))
    expect((await r.documentAt(key.did, now + 50))?.methods[key.vMethodId]).toEqual([
      'authentication',
      'assertionMethod',
      'capabilityInvocation',
    ])
    expect((await r.documentAt(key.did, now + 51))?.methods[key.vMethodId]).toEqual([
      'assertionMethod',
    ])
  })

  it('replaces the key that the control key was rolled to', async () => {
    const first = await r.register('rolled first')
    const second = createDidKey('rolled second')
    const third = createDidKey('inserted third')
    const now = await r.chain.now()
    const successor = successorOf(second, { notBefore: now })
    await r.done(first, 'rollVerificationMethod', first.did, first.vMethodId, successor)
    await r.chain.setTime(now + 10)
    await r.done(second, 'insertDidDocument', first.did, '{}', controlKeyOf(third))
    expect((await r.documentAt(first.did, now + 10))?.controllers).toEqual([third.address])
  })

  it('ends a key that keeps control until a planned successor, and cancels the plan', async () => {
    const first = await r.register('planner of keys')
    const planned = createDidKey('planned key')
    const hasty = createDidKey('hasty key')
    const start = await r.chain.now()
    const later = controlKeyOf(planned, { notBefore: start + 100 })
    await r.done(first, 'insertDidDocument', first.did, '{}', later)
    await r.chain.setTime(start + 10)
    await r.done(first, 'insertDidDocument', first.did, '{}', controlKeyOf(hasty))
    const controllersAt = async (time: number) => (await r.documentAt(first.did, time))?.controllers
    expect(await controllersAt(start + 10)).toEqual([hasty.address])
    expect(await controllersAt(start + 100)).toEqual([hasty.address])
    expect(await controllersAt(start)).toContain(first.address)
    const { reverted } = await r.write(first, 'updateBaseDocument', first.did, '{}')
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [first.did, first.address] })
  })

  it('keeps the order of two plans: each key until the next one begins', async () => {
    const first = await r.register('first of three')
    const second = createDidKey('second of three')
    const third = createDidKey('third of three')
    const start = await r.chain.now()
    for (const [key, notBefore] of [
      [second, start + 100],
      [third, start + 200],
    ] as const) {
      await r.done(first, 'insertDidDocument', first.did, '{}', controlKeyOf(key, { notBefore }))
    }
    const controllers = []
    for (const time of [start + 99, start + 100, start + 199, start + 200]) {
      controllers.push((await r.documentAt(first.did, time))?.controllers)
    }
    expect(controllers).toEqual([
      [first.address],
      [second.address],
      [second.address],
      [third.address],
    ])
  })

  it('ends the overlap of a roll', async () => {
    const first = await r.register('overlapping')
    const second = createDidKey('overlapped')
    const third = createDidKey('end of the overlap')
    const start = await r.chain.now()
    const successor = successorOf(second, { notBefore: start, duration: 1000 })
    await r.done(first, 'rollVerificationMethod', first.did, first.vMethodId, successor)
    await r.chain.setTime(start + 10)
    await r.done(second, 'insertDidDocument', first.did, '{}', controlKeyOf(third))
    expect((await r.documentAt(first.did, start + 9))?.controllers).toContain(first.address)
    expect((await r.documentAt(first.did, start + 10))?.controllers).toEqual([third.address])
  })

  it('does not end a key that has control through a relationship', async () => {
    const first = await r.register('with a spare key')
    const spare = createDidKey('spare key')
    const next = createDidKey('next to a spare')
    await r.done(first, 'addVerificationMethod', first.did, spare.vMethodId, 0, spare.publicKey)
    const use = [relationship.capabilityInvocation, spare.vMethodId, 1, always.notAfter]
    await r.done(first, 'addVerificationRelationship', first.did, ...use)
    await r.done(spare, 'insertDidDocument', first.did, '{}', controlKeyOf(next))
    const document = await r.documentAt(first.did, await r.chain.now())
    expect(document?.controllers).toEqual([spare.address, next.address])
  })

  it('may go back to a key that it replaced before', async () => {
    const first = await r.register('there')
    const second = createDidKey('and back')
    await r.done(first, 'insertDidDocument', first.did, '{}', controlKeyOf(second))
    await r.chain.setTime((await r.chain.now()) + 1)
    await r.done(second, 'insertDidDocument', first.did, '{}', controlKeyOf(first))
    const document = await r.documentAt(first.did, await r.chain.now())
    expect(document?.controllers).toEqual([first.address])
  })

  it("does not let a DID take an address by showing its key's proof", async () => {
    const attacker = await r.register('attacker')
    const victim = createDidKey('victim')
    await r.done(attacker, 'insertDidDocument', attacker.did, '{}', controlKeyOf(victim))
    expect(await r.chain.read(r.registry, 'didOfAccount', victim.address)).toBe('')
    await r.register('victim')
    expect(await r.chain.read(r.registry, 'didOfAccount', victim.address)).toBe(victim.did)
  })

  // @row 2.endpoints/did-registry.28 2.authentication.1
  it('requires a current controller, not an onboarding node', async () => {
    const key = await r.register('guarded')
    const { reverted } = await r.write(
      r.node,
      'insertDidDocument',
      key.did,
      '{}',
      controlKeyOf(createDidKey('guest')),
    )
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args: [key.did, r.node.address] })
  })

  it('requires a registered DID', async () => {
    const key = createDidKey('nobody')
    const { reverted } = await r.write(key, 'insertDidDocument', key.did, '{}', controlKeyOf(key))
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: [key.did] })
  })

  it('requires a proof by the same key', async () => {
    const key = await r.register('prover')
    const other = createDidKey('unproved')
    const { reverted } = await r.write(
      key,
      'insertDidDocument',
      key.did,
      '{}',
      controlKeyOf(other, { proof: key.proof }),
    )
    expect(reverted).toEqual({ name: 'DidRegistryInvalidProof', args: [key.proof] })
  })

  it('requires a key on the curve', async () => {
    const key = await r.register('holder of no point')
    const document = controlKeyOf(key, { publicKey: `0x04${'11'.repeat(64)}` })
    const { reverted } = await r.write(key, 'insertDidDocument', key.did, '{}', document)
    expect(reverted).toEqual({ name: 'DidRegistryInvalidPublicKey', args: [document.publicKey] })
  })

  it('never uses a vMethodId for another key', async () => {
    const key = await r.register('identifier owner')
    const other = createDidKey('identifier thief')
    const { vMethodId } = key
    const { reverted } = await r.write(
      key,
      'insertDidDocument',
      key.did,
      '{}',
      controlKeyOf(other, { vMethodId }),
    )
    const args = [key.did, vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
  })

  it('does not treat a JWK as the raw key of the same bytes', async () => {
    const key = await r.register('disguised')
    const other = createDidKey('disguise')
    const { vMethodId } = other
    const disguise = [key.did, vMethodId, keyType.jsonWebKey2020, other.coordinates]
    await r.done(key, 'addVerificationMethod', ...disguise)
    const document = [key.did, '{}', controlKeyOf(other)]
    const { reverted } = await r.write(key, 'insertDidDocument', ...document)
    const args = [key.did, vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodAlreadyAdded', args })
  })

  it('does not revive a revoked key', async () => {
    const key = await r.register('revoked control')
    const now = await r.chain.now()
    await r.done(key, 'revokeVerificationMethod', key.did, key.vMethodId, now + 10)
    const { reverted } = await r.write(key, 'insertDidDocument', key.did, '{}', controlKeyOf(key))
    const args = [key.did, key.vMethodId]
    expect(reverted).toEqual({ name: 'DidRegistryVerificationMethodIsRevoked', args })
  })

  it('rejects a validity that ends before it begins', async () => {
    const key = await r.register('wrong validity')
    const { reverted } = await r.write(
      key,
      'insertDidDocument',
      key.did,
      '{}',
      controlKeyOf(key, { notBefore: 9, notAfter: 8 }),
    )
    expect(reverted).toEqual({ name: 'DidRegistryInvalidValidity', args: [9, 8] })
  })
})

describe('updateBaseDocument and updateAlsoKnownAs', () => {
  // @row 2.endpoints/did-registry.2
  it('record the state at each point in time', async () => {
    const key = await r.register('texts')
    const start = await r.chain.now()
    await r.chain.setTime(start + 10)
    const base = await r.write(key, 'updateBaseDocument', key.did, '{"b":2}')
    await r.chain.setTime(start + 20)
    const known = await r.write(key, 'updateAlsoKnownAs', key.did, 'urn:2')
    await r.done(key, 'updateAlsoKnownAs', key.did, 'urn:3')
    expect(base.events).toEqual([
      { name: 'BaseDocumentUpdated', args: [id(key.did), key.did, '{"b":2}'] },
    ])
    expect(known.events).toEqual([
      { name: 'AlsoKnownAsUpdated', args: [id(key.did), key.did, 'urn:2'] },
    ])
    const at = async (time: number) => {
      const document = await r.documentAt(key.did, time)
      return [document?.baseDocument, document?.alsoKnownAs]
    }
    expect(await at(start)).toEqual(['{"@context":[]}', 'urn:texts'])
    expect(await at(start + 9)).toEqual(['{"@context":[]}', 'urn:texts'])
    expect(await at(start + 10)).toEqual(['{"b":2}', 'urn:texts'])
    expect(await at(start + 19)).toEqual(['{"b":2}', 'urn:texts'])
    expect(await at(start + 20)).toEqual(['{"b":2}', 'urn:3'])
    expect(await at(start + 1000)).toEqual(['{"b":2}', 'urn:3'])
  })

  it('let the operator update only alsoKnownAs', async () => {
    const key = await r.register('operated')
    expect(
      (await r.write(r.operator, 'updateAlsoKnownAs', key.did, 'urn:o')).reverted,
    ).toBeUndefined()
    const { reverted } = await r.write(r.operator, 'updateBaseDocument', key.did, '{}')
    const args = [key.did, r.operator.address]
    expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
  })

  it.each(['updateBaseDocument', 'updateAlsoKnownAs'])(
    '%s requires a controller',
    async (method) => {
      const key = await r.register(`guarded ${method}`)
      const { reverted } = await r.write(r.stranger, method, key.did, 'x')
      const args = [key.did, r.stranger.address]
      expect(reverted).toEqual({ name: 'DidRegistryNotController', args })
    },
  )

  it.each(['updateBaseDocument', 'updateAlsoKnownAs'])('%s requires a DID', async (method) => {
    const { reverted } = await r.write(r.operator, method, 'did:x', 'x')
    expect(reverted).toEqual({ name: 'DidRegistryDidNotRegistered', args: ['did:x'] })
  })
})

describe('reading', () => {
  it('finds nothing before the registration', async () => {
    const key = await r.register('born')
    const born = await r.chain.now()
    expect(await r.documentAt(key.did, born)).toBeDefined()
    expect(await r.documentAt(key.did, born - 1)).toBeUndefined()
    expect(await r.documentAt('did:unknown', born)).toBeUndefined()
  })

  it("resolves at the block's time if that is later than the reader's", async () => {
    const key = await r.register('clock')
    const resolve = async (time: number) =>
      ((await r.chain.read(r.registry, 'resolve', key.did, time)) as [boolean, unknown])[0]
    expect(await resolve(0)).toBe(true)
    expect(await resolve(9_999_999_999)).toBe(true)
  })

  it('pages through the DIDs in the order of their registration', async () => {
    const page = async (offset: number | bigint, limit: number | bigint) =>
      (await r.chain.read(r.registry, 'identifiers', offset, limit)) as [number, string[]]
    const [total, all] = await page(0, 2n ** 256n - 1n)
    expect(all).toHaveLength(total)
    const key = await r.register('last one')
    expect(await page(total, 10)).toEqual([total + 1, [key.did]])
    expect(await page(1, 2)).toEqual([total + 1, all.slice(1, 3)])
    expect(await page(total + 1, 10)).toEqual([total + 1, []])
    expect(await page(2n ** 256n - 1n, 10)).toEqual([total + 1, []])
    expect(await page(0, 0)).toEqual([total + 1, []])
  })

  it('does not report a controller of an unregistered DID', async () => {
    expect(await r.chain.read(r.registry, 'isController', 'did:x', r.node.address)).toBe(false)
    expect(await r.chain.read(r.registry, 'controllersOf', 'did:x')).toEqual([])
    expect(await r.chain.read(r.registry, 'didOfAccount', r.stranger.address)).toBe('')
  })
})
