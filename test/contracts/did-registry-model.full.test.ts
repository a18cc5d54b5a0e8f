import { readFileSync } from 'node:fs'
import { concat, dataSlice, hexlify, id, keccak256, SigningKey, toBeHex } from 'ethers'
import { describe, expect, it } from 'vitest'
import { checkProof, findBrokenRules } from '#test/contracts/model/find-broken-rules.ts'
import { controlKeyOf, createContractRegistries } from '#test/support/contracts.ts'
import { createDidKey, didOf } from '#test/support/create-did-key.ts'
import { fc } from '#test/support/fast-check.ts'
import { verifyDidProof } from '#test/support/verify-did-proof.ts'
import { applyOperation } from './model/apply-operation.ts'
import {
  controlAddresses,
  type ModelDocument,
  type Registry,
  resolveInModel,
} from './model/did-registry-model.ts'
import {
  arbitraryPlan,
  emptyRegistry,
  firstDocuments,
  modelKeys,
  operationOfPlan,
  type Plan,
} from './model/operation-of-plan.ts'
import { argumentsOf } from './model/operations.ts'

const r = await createContractRegistries()

/** The contract's answer in the form of the model's. */
async function resolve(did: string, time: number): Promise<ModelDocument | undefined> {
  const document = await r.resolveAt(did, time)
  return document && { ...document, controllers: [...document.controllers].sort() }
}

/** A registry in which the first two keys have a DID, in the contract and in the model. */
async function begin(): Promise<Registry> {
  const start = await r.chain.now()
  let registry = emptyRegistry(r)
  for (const first of firstDocuments(r.node, start)) {
    await r.done(first.signer, first.name, ...argumentsOf(first))
    registry = applyOperation(registry, first, start)
  }
  return registry
}

/** The first and last seconds of all spans of a DID's methods, and the adjacent seconds. */
const edgesOf = (registry: Registry, did: string) =>
  (registry.dids.get(did)?.methods ?? [])
    .flatMap(({ registered, windows }) => [...registered, ...windows])
    .filter(({ notAfter }) => Number.isFinite(notAfter))
    .flatMap(({ notBefore, notAfter }) => [notBefore - 1, notBefore, notAfter, notAfter + 1])

/** Carries the plans out on both sides and gives the model's registry and the time at the end. */
async function carryOut(plans: readonly Plan[], tally: { done: number; refused: number }) {
  let registry = await begin()
  let now = await r.chain.now()
  for (const plan of plans) {
    now += plan.pause
    const op = operationOfPlan(plan, registry, r, now)
    const broken = findBrokenRules(registry, op, now)
    await r.chain.setTime(now)
    const { reverted } = await r.write(op.signer, op.name, ...argumentsOf(op))
    if (broken.length > 0) {
      expect(broken).toContainEqual(reverted)
      tally.refused += 1
    } else {
      expect(reverted).toBeUndefined()
      registry = applyOperation(registry, op, now)
      tally.done += 1
    }
  }
  return { registry, now }
}

describe('any sequence of operations', () => {
  // @row 2.states-and-transitions.1..6 2.endpoints/did-registry.2 2.endpoints/did-registry.28
  it('resolves as the model does at any time, and reverts with the same errors', async () => {
    const tally = { done: 0, refused: 0 }
    const property = fc.asyncProperty(
      fc.array(arbitraryPlan, { minLength: 10, maxLength: 30, size: 'max' }),
      fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      async (plans, instants) => {
        const restore = await r.chain.snapshot()
        try {
          const start = await r.chain.now()
          const { registry, now } = await carryOut(plans, tally)
          for (const { did } of modelKeys) {
            const edges = edgesOf(registry, did)
            const times = instants.map((n, index) =>
              index % 2 === 0 ? start - 5 + (n % 300) : (edges[n % edges.length] ?? start),
            )
            for (const time of [now, ...times]) {
              expect(await resolve(did, time)).toEqual(resolveInModel(registry, did, time))
            }
            const expected = controlAddresses(registry, did, now)
            for (const { address } of modelKeys) {
              const isController = await r.chain.read(r.registry, 'isController', did, address)
              expect(isController).toBe(expected.includes(address))
            }
          }
        } finally {
          await restore()
        }
      },
    )
    await fc.assert(property, { numRuns: 30, interruptAfterTimeLimit: 60_000 })
    // Sequences that are rejected throughout would not prove anything.
    expect(tally.done).toBeGreaterThan(tally.refused / 2)
  })
})

describe('the proof rule of A-01', async () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

  const r = await createContractRegistries()

  /** Ways to make, change and spoil a proof of the key. */
  const changes: Record<string, (proof: string, key: SigningKey, random: number) => string> = {
    none: (proof) => proof,
    'over the 65 bytes': (_proof, key) => key.sign(keccak256(key.publicKey)).serialized,
    'over the 64 bytes, with the message prefix of wallets': (_proof, key) => {
      const message = keccak256(dataSlice(key.publicKey, 1))
      const prefixed = concat([Buffer.from('\x19Ethereum Signed Message:\n32'), message])
      return key.sign(keccak256(prefixed)).serialized
    },
    'over the compressed key': (_proof, key) =>
      key.sign(keccak256(key.compressedPublicKey)).serialized,
    'of another key': (_proof, key, random) =>
      new SigningKey(id(`${random}`)).sign(keccak256(dataSlice(key.publicKey, 1))).serialized,
    'in the high form': (proof) => {
      const s = toBeHex(order - BigInt(dataSlice(proof, 32, 64)), 32)
      return concat([dataSlice(proof, 0, 32), s, proof.endsWith('1b') ? '0x1c' : '0x1b'])
    },
    'with v as 0 or 1': (proof) =>
      concat([dataSlice(proof, 0, 64), proof.endsWith('1b') ? '0x00' : '0x01']),
    'with the other v': (proof) =>
      concat([dataSlice(proof, 0, 64), proof.endsWith('1b') ? '0x1c' : '0x1b']),
    'with a changed bit': (proof, _key, random) => {
      const bytes = Buffer.from(proof.slice(2), 'hex')
      const position = random % 520
      bytes[position >> 3] = (bytes[position >> 3] ?? 0) ^ (1 << (position & 7))
      return hexlify(bytes)
    },
    'cut off': (proof, _key, random) => dataSlice(proof, 0, random % 65),
    'with more bytes': (proof, _key, random) => concat([proof, toBeHex(random % 256, 1)]),
  }

  // @row 2.endpoints/did-registry.17 2.endpoints/did-registry.20
  it('is the same in the contract and in two more versions, with and without ethers', async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(...Object.keys(changes)),
      fc.nat(),
      fc.boolean(),
      async (seed, change, random, isOtherDid) => {
        const label = hexlify(seed)
        const key = createDidKey(label)
        const proof = changes[change]?.(key.proof, new SigningKey(id(label)), random) ?? ''
        const derived = proof.length === 132 ? didOf(proof) : key.did
        const did = isOtherDid ? createDidKey('other').did : derived
        const verdict = checkProof(proof, key.publicKey, did)
        expect(verifyDidProof(proof, key.publicKey)).toBe(verdict.isOfKey)

        const restore = await r.chain.snapshot()
        const document = [did, '', controlKeyOf(key, { proof }), '']
        const { reverted } = await r.write(r.node, 'insertFirstDidDocument', ...document)
        await restore()
        if (!verdict.isOfKey) {
          expect(reverted).toEqual({ name: 'DidRegistryInvalidProof', args: [proof] })
        } else if (!verdict.isOfDid) {
          expect(reverted).toEqual({ name: 'DidRegistryDidMismatch', args: [did, derived] })
        } else {
          expect(reverted).toBeUndefined()
        }
      },
    )
    await fc.assert(property, { numRuns: 100, interruptAfterTimeLimit: 8_000 })
  })

  it('gives the results of the operator’s tool', () => {
    const vectors: { publicKey: string; proof: string; did: string }[] = JSON.parse(
      readFileSync(new URL('../core/did/vectors/did-proof.json', import.meta.url), 'utf8'),
    )
    expect(vectors.length).toBeGreaterThan(0)
    for (const { proof, publicKey, did } of vectors) {
      expect(checkProof(proof, publicKey, did)).toEqual({ isOfKey: true, isOfDid: true })
    }
  })
})
