import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createContractRegistries } from '#test/support/contracts.ts'
import { applyOperation } from './model/apply-operation.ts'
import {
  controlAddresses,
  type ModelDocument,
  type Registry,
  relationships,
  resolveInModel,
} from './model/did-registry-model.ts'
import { findBrokenRules } from './model/find-broken-rules.ts'
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
  const [found, document] = (await r.chain.read(r.registry, 'resolveAt', did, time)) as [
    boolean,
    [string, string, string[], [string, number, number, string][]],
  ]
  if (!found) return undefined
  const [baseDocument, alsoKnownAs, controllers, methods] = document
  return {
    baseDocument,
    alsoKnownAs,
    controllers: [...controllers].sort(),
    methods: methods.map(([vMethodId, _type, mask, publicKey]) => ({
      vMethodId,
      publicKey,
      uses: relationships.filter((_name, index) => (mask & (1 << index)) !== 0),
    })),
  }
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
