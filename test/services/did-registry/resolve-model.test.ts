import { expect, it } from 'vitest'
import { relationshipNames } from '#core/did/did-document.ts'
import { applyOperation } from '#test/contracts/model/apply-operation.ts'
import {
  type ModelDocument,
  type Registry,
  resolveInModel,
} from '#test/contracts/model/did-registry-model.ts'
import { findBrokenRules } from '#test/contracts/model/find-broken-rules.ts'
import {
  arbitraryPlan,
  emptyRegistry,
  firstDocuments,
  modelKeys,
  operationOfPlan,
} from '#test/contracts/model/operation-of-plan.ts'
import type { Operation } from '#test/contracts/model/operations.ts'
import { argumentsOf } from '#test/contracts/model/operations.ts'
import { callRpc, startRegistryChain } from '#test/support/chain.ts'
import { fc } from '#test/support/fast-check.ts'
import { startDidRegistry } from '#test/support/registries.ts'

const chain = await startRegistryChain()
const client = await startDidRegistry(chain)

async function chainTime(): Promise<number> {
  const { result } = await callRpc(chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)
  return Number((result as { timestamp: string }).timestamp)
}

/** Sends an operation directly to the contract and returns the registry afterwards. */
async function carryOut(registry: Registry, op: Operation): Promise<Registry> {
  const sent = chain.sendDirectly(op.signer, chain.registry, op.name, ...argumentsOf(op))
  const isDone = await sent.then(
    () => true,
    () => false,
  )
  const time = await chainTime()
  expect(isDone).toBe(findBrokenRules(registry, op, time).length === 0)
  return isDone ? applyOperation(registry, op, time) : registry
}

/** The public key as 64 bytes (X, Y), or the stored JWK. */
function jwkOf(publicKey: string): unknown {
  const bytes = Buffer.from(publicKey.slice(2), 'hex')
  if (bytes.length !== 64) return JSON.parse(bytes.toString())
  const coordinate = (from: number) => bytes.subarray(from, from + 32).toString('base64url')
  return { kty: 'EC', crv: 'secp256k1', x: coordinate(0), y: coordinate(32) }
}

/** The document that the API must return for the model, by the profile and A-09. */
function printed(did: string, document: ModelDocument) {
  const idOf = (vMethodId: string) =>
    `${did}#${Buffer.from(vMethodId.slice(2), 'hex').toString('base64url')}`
  const arrays = relationshipNames.map((name) => [
    name,
    document.methods.filter(({ uses }) => uses.includes(name)).map((each) => idOf(each.vMethodId)),
  ])
  return {
    id: did,
    verificationMethod: document.methods.map(({ vMethodId, publicKey }) => ({
      id: idOf(vMethodId),
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk: jwkOf(publicKey),
    })),
    ...Object.fromEntries(
      arrays.filter(([name, ids]) => name === 'assertionMethod' || ids?.length !== 0),
    ),
    alsoKnownAs: document.alsoKnownAs === '' ? [] : [document.alsoKnownAs],
  }
}

// @row 2.endpoints/did-registry.2 2.resources-and-their-fields/did-document.1
it('matches a model after any sequence of operations', async () => {
  const start = await chainTime()
  let registry = emptyRegistry(chain)
  for (const first of firstDocuments(chain.node, start)) registry = await carryOut(registry, first)
  for (const plan of fc.sample(arbitraryPlan, 50)) {
    registry = await carryOut(registry, operationOfPlan(plan, registry, chain, await chainTime()))
  }
  const now = await chainTime()
  for (const { did } of modelKeys) {
    for (const time of [start - 5, start, now, now + 5, now + 20, now + 60, now + 400]) {
      const { status, body } = await client.resolve(did, `?valid-at=${time}`)
      const expected = resolveInModel(registry, did, time)
      expect(status).toBe(expected === undefined ? 404 : 200)
      if (expected === undefined) continue
      const { '@context': _context, controller, ...rest } = body
      expect(rest).toEqual(printed(did, expected))
      expect([...controller].sort()).toEqual(expected.controllers)
    }
  }
})
