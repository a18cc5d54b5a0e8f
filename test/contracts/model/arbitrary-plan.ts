import fc from 'fast-check'
import { relationships } from './did-registry-model.ts'
import type { Operation } from './operations.ts'

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
  use: fc.constantFrom(...relationships, 'capabilityInvocation' as const),
  start: fc.integer({ min: -40, max: 40 }),
  length: fc.constantFrom(-3, 0, 1, 20, 60, 200, 200, ...Array<number>(8).fill(1000)),
  duration: fc.constantFrom(0, 1, 40, 1000, 1000),
  text: fc.string({ maxLength: 8 }),
})

export type Plan = typeof arbitraryPlan extends fc.Arbitrary<infer Value> ? Value : never
