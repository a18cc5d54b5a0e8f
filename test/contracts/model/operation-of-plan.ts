import { hexlify, id, keccak256, SigningKey, toUtf8Bytes } from 'ethers'
import { relationshipNames } from '#core/did/did-document.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import { fc } from '#test/support/fast-check.ts'
import { controlAddresses, type Registry } from './did-registry-model.ts'
import type { Operation } from './operations.ts'

/** The first two have a DID when the operations begin, the third may get one, the fourth never does. */
export const modelKeys: readonly DidKey[] = ['a', 'b', 'c', 'd'].map((name) =>
  createDidKey(`model ${name}`),
)
const jwk = hexlify(
  toUtf8Bytes(
    JSON.stringify({
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }),
  ),
)

interface People {
  readonly operator: DidKey
  readonly node: DidKey
}

export const emptyRegistry = ({ operator, node }: People): Registry => ({
  operator: operator.address,
  node: node.address,
  dids: new Map(),
  accounts: new Map(),
})

/** The operations that give the first two keys their DIDs. */
export const firstDocuments = (node: DidKey, now: number): Operation[] =>
  modelKeys.slice(0, 2).map((key) => ({
    name: 'insertFirstDidDocument',
    did: key.did,
    signer: node,
    vMethodId: key.vMethodId,
    key,
    proof: key.proof,
    text: 'first',
    notBefore: now - 10,
    notAfter: now + 10_000,
  }))

const keyAt = (index: number): DidKey => modelKeys[index % modelKeys.length] as DidKey

/** Turns a plan into the operation that it means at `now`, with a signer that may be allowed to send it. */
export function operationOfPlan(
  plan: Plan,
  registry: Registry,
  people: People,
  now: number,
): Operation {
  const did = keyAt(plan.did).did
  const key = keyAt(plan.key)
  const base = {
    did,
    signer: signerOf(plan, registry, people, did, now),
    vMethodId: freeVMethodId(plan, registry, did),
    notBefore: now + plan.start,
    notAfter: now + plan.start + plan.length,
  }
  const present = presentVMethodId(plan, registry, did)
  switch (plan.name) {
    case 'insertFirstDidDocument': {
      // Most often for the DID's own key: hardly another one is accepted.
      const holder = plan.proof === 0 ? keyAt(plan.did) : key
      const proof = proofOf(plan, holder)
      return { ...base, name: plan.name, key: holder, proof, text: plan.text }
    }
    case 'insertDidDocument': {
      const method = renewedMethod(plan, registry, did) ?? { ...base, key }
      const proof = proofOf(plan, method.key)
      return { ...base, ...method, name: plan.name, proof, text: plan.text }
    }
    case 'addController':
    case 'revokeController':
      return { ...base, name: plan.name, controller: keyAt(plan.controller).did }
    case 'addControllerByAccount':
    case 'revokeControllerByAccount':
      return { ...base, name: plan.name, account: keyAt(plan.controller).address }
    case 'addVerificationMethod':
      return { ...base, name: plan.name, key: plan.isJwk ? jwk : key }
    case 'addVerificationRelationship':
      return { ...base, name: plan.name, vMethodId: present, use: plan.use }
    case 'rollVerificationMethod':
      return {
        ...base,
        name: plan.name,
        key: plan.isJwk ? jwk : key,
        oldVMethodId: present,
        duration: plan.duration,
      }
    case 'updateBaseDocument':
    case 'updateAlsoKnownAs':
      return { ...base, name: plan.name, text: plan.text }
    default:
      return { ...base, name: plan.name, vMethodId: present, notAfter: base.notAfter }
  }
}

/** Six identifiers for every DID, as a vMethodId is never used for another key. */
const vMethodIds = [0, 1, 2, 3, 4, 5].map((number) => id(`model method ${number}`))

const pick = (candidates: readonly string[], index: number): string =>
  candidates[index % candidates.length] ?? id('unregistered model method')

const presentIn = (registry: Registry, did: string) =>
  registry.dids.get(did)?.methods.map(({ vMethodId }) => vMethodId) ?? []

const presentVMethodId = (plan: Plan, registry: Registry, did: string) =>
  pick(plan.isAnyMethod ? vMethodIds : presentIn(registry, did), plan.vMethodId)

function freeVMethodId(plan: Plan, registry: Registry, did: string): string {
  const taken = presentIn(registry, did)
  const free = vMethodIds.filter((vMethodId) => !taken.includes(vMethodId))
  return pick(plan.isAnyMethod ? vMethodIds : free, plan.vMethodId)
}

/** For some plans a raw key that the DID has already, which the document is to renew. */
function renewedMethod(plan: Plan, registry: Registry, did: string) {
  const methods = plan.isRenewal ? (registry.dids.get(did)?.methods ?? []) : []
  const method = methods[plan.vMethodId % methods.length]
  if (method === undefined || typeof method.key === 'string') return undefined
  return { vMethodId: method.vMethodId, key: method.key }
}

function proofOf(plan: Plan, key: DidKey): string {
  if (plan.proof === 0) return key.proof
  if (plan.proof === 2) return keyAt(plan.controller).proof
  return new SigningKey(key.wallet.privateKey).sign(keccak256(key.publicKey)).serialized
}

function signerOf(
  plan: Plan,
  registry: Registry,
  { operator, node }: People,
  did: string,
  now: number,
): DidKey {
  if (plan.signer < modelKeys.length) return keyAt(plan.signer)
  if (plan.signer === modelKeys.length) return operator
  if (plan.name === 'insertFirstDidDocument') return node
  const addresses = controlAddresses(registry, did, now)
  return modelKeys.find(({ address }) => addresses.includes(address)) ?? keyAt(plan.signer)
}

const names: readonly Operation['name'][] = [
  'insertFirstDidDocument',
  'insertDidDocument',
  'insertDidDocument',
  'updateBaseDocument',
  'updateAlsoKnownAs',
  'addController',
  'addControllerByAccount',
  'revokeController',
  'revokeControllerByAccount',
  'addVerificationMethod',
  'addVerificationMethod',
  'addVerificationRelationship',
  'addVerificationRelationship',
  'addVerificationRelationship',
  'revokeVerificationMethod',
  'expireVerificationMethod',
  'rollVerificationMethod',
  'rollVerificationMethod',
]

const anyOf = (count: number) => fc.nat({ max: count - 1 })

/**
 * An operation before anything is known of the registry: numbers that stand for keys, identifiers
 * and DIDs, and times in seconds from the moment in which it is sent.
 */
export const arbitraryPlan = fc.record({
  name: fc.constantFrom(...names),
  /** Seconds that pass before it; none leaves it in the second of the one before. */
  pause: fc.constantFrom(0, 0, 1, 7, 20),
  /** Most often a DID that is registered when the operations begin. */
  did: fc.constantFrom(...Array<number>(6).fill(0), ...Array<number>(5).fill(1), 2),
  controller: anyOf(4),
  /** Below the number of keys: that key. Above it: most often a signer in control. */
  signer: anyOf(30),
  key: anyOf(4),
  /** 0 for the key's own proof, 1 for one over its 65 bytes, else another key's. */
  proof: fc.constantFrom(0, 0, 0, 0, 1, 2),
  isJwk: fc.constantFrom(false, false, false, true),
  /** Whether a document contains a key that the DID already has. */
  isRenewal: fc.boolean(),
  /** A method that is there, or an identifier that is free, as the operation needs it; at times any. */
  vMethodId: anyOf(64),
  isAnyMethod: fc.constantFrom(...Array<boolean>(9).fill(false), true),
  use: fc.constantFrom(...relationshipNames, 'capabilityInvocation' as const),
  start: fc.integer({ min: -40, max: 40 }),
  length: fc.constantFrom(-3, 0, 1, 20, 60, 200, 200, ...Array<number>(8).fill(1000)),
  duration: fc.constantFrom(0, 1, 40, 1000, 1000),
  text: fc.string({ maxLength: 8 }),
})

export type Plan = typeof arbitraryPlan extends fc.Arbitrary<infer Value> ? Value : never
