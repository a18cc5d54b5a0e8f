import { concat, dataSlice, keccak256, recoverAddress, Signature } from 'ethers'
import { didOf } from '#test/support/create-did-key.ts'
import {
  controlAddresses,
  type Method,
  type Registration,
  type Registry,
  type Span,
  valueAt,
} from './did-registry-model.ts'
import type { Operation, OperationOf } from './operations.ts'

/** A rule that an operation breaks, named as the contract's error. */
export interface BrokenRule {
  readonly name: string
  readonly args: readonly unknown[]
}

const broken = (isBroken: boolean, name: string, ...args: unknown[]): BrokenRule[] =>
  isBroken ? [{ name: `DidRegistry${name}`, args }] : []

/** Returns every rule of that the operation breaks at `now`; none if it must pass. */
export function findBrokenRules(registry: Registry, op: Operation, now: number): BrokenRule[] {
  if (op.name === 'insertFirstDidDocument') return rulesOfFirstDocument(registry, op, now)
  const registration = registry.dids.get(op.did)
  if (registration === undefined) return broken(true, 'DidNotRegistered', op.did)
  const { address } = op.signer
  const isController = controlAddresses(registry, op.did, now).includes(address)
  const isOperator = op.name === 'updateAlsoKnownAs' && address === registry.operator
  return [
    ...broken(!isController && !isOperator, 'NotController', op.did, address),
    ...rulesOfChange(registry, registration, op, now),
  ]
}

function rulesOfChange(
  registry: Registry,
  registration: Registration,
  op: Operation,
  now: number,
): BrokenRule[] {
  switch (op.name) {
    case 'insertDidDocument':
      return rulesOfDocument(registration, op, now)
    case 'addController':
    case 'revokeController':
      return rulesOfController(registry, registration, op, op.controller)
    case 'addControllerByAccount':
    case 'revokeControllerByAccount': {
      const controller = registry.accounts.get(op.account)
      if (controller === undefined) return broken(true, 'AccountNotRegistered', op.account)
      return rulesOfController(registry, registration, op, controller)
    }
    case 'addVerificationMethod': {
      const isTaken = methodOf(registration, op.vMethodId) !== undefined
      return broken(isTaken, 'VerificationMethodAlreadyAdded', op.did, op.vMethodId)
    }
    case 'addVerificationRelationship':
      return rulesOfRelationship(registration, op)
    case 'revokeVerificationMethod':
    case 'expireVerificationMethod': {
      const isMissing = methodOf(registration, op.vMethodId) === undefined
      return broken(isMissing, 'VerificationMethodNotAdded', op.did, op.vMethodId)
    }
    case 'rollVerificationMethod':
      return rulesOfRoll(registration, op, now)
    default:
      return []
  }
}

type Document = OperationOf<'insertFirstDidDocument' | 'insertDidDocument'>

function rulesOfFirstDocument(registry: Registry, op: Document, now: number): BrokenRule[] {
  const { isOfKey } = checkProof(op.proof, op.key.publicKey, op.did)
  const derived = isOfKey ? didOf(op.proof) : op.did
  return [
    ...broken(op.signer.address !== registry.node, 'NotOnboardingNode', op.signer.address),
    ...broken(registry.dids.has(op.did), 'DidAlreadyRegistered', op.did),
    ...rulesOfValidity(op),
    ...rulesOfEnd(op, now),
    ...broken(!isOfKey, 'InvalidProof', op.proof),
    ...broken(derived !== op.did, 'DidMismatch', op.did, derived),
  ]
}

function rulesOfDocument(registration: Registration, op: Document, now: number): BrokenRule[] {
  const method = methodOf(registration, op.vMethodId)
  const isOtherKey =
    method !== undefined &&
    (typeof method.key === 'string' || method.key.address !== op.key.address)
  const { isOfKey } = checkProof(op.proof, op.key.publicKey, op.did)
  return [
    ...rulesOfValidity(op),
    ...rulesOfEnd(op, now),
    ...broken(!isOfKey, 'InvalidProof', op.proof),
    ...broken(isOtherKey, 'VerificationMethodAlreadyAdded', op.did, op.vMethodId),
    ...rulesOfRevoked(op.did, method),
  ]
}

function rulesOfController(
  registry: Registry,
  registration: Registration,
  op: Operation,
  controller: string,
): BrokenRule[] {
  const present = valueAt(registration.controllers, Number.POSITIVE_INFINITY) ?? []
  const isPresent = present.includes(controller)
  if (op.name.startsWith('add')) {
    return [
      ...broken(!registry.dids.has(controller), 'DidNotRegistered', controller),
      ...broken(isPresent, 'ControllerAlreadyAdded', op.did, controller),
    ]
  }
  const isLast = isPresent && present.length === 1
  return [
    ...broken(!isPresent, 'ControllerNotAdded', op.did, controller),
    ...broken(isLast, 'LastController', op.did, controller),
  ]
}

function rulesOfRelationship(
  registration: Registration,
  op: OperationOf<'addVerificationRelationship'>,
): BrokenRule[] {
  const method = methodOf(registration, op.vMethodId)
  const isJwkInControl = typeof method?.key === 'string' && op.use === 'capabilityInvocation'
  return [
    ...broken(method === undefined, 'VerificationMethodNotAdded', op.did, op.vMethodId),
    ...rulesOfRevoked(op.did, method),
    ...broken(isJwkInControl, 'NotControlKey', op.did, op.vMethodId),
    ...rulesOfValidity(op),
  ]
}

function rulesOfRoll(
  registration: Registration,
  op: OperationOf<'rollVerificationMethod'>,
  now: number,
): BrokenRule[] {
  const { did, vMethodId, oldVMethodId, notBefore, notAfter, duration } = op
  const old = methodOf(registration, oldVMethodId)
  const isTaken = methodOf(registration, vMethodId) !== undefined
  const overlapEnd = notBefore + duration
  const alive = old === undefined ? [] : usesFrom(old, now)
  // The end of a method that no relationship ever named is that of its registration.
  const spans = (old?.windows.length ? old.windows : old?.registered) ?? []
  const isOver = spans.length > 0 && !spans.some((span) => isAliveFrom(span, now))
  const isJwkInControl = typeof op.key === 'string' && alive.includes('capabilityInvocation')
  return [
    ...broken(old === undefined, 'VerificationMethodNotAdded', did, oldVMethodId),
    ...rulesOfRevoked(did, old),
    ...rulesOfValidity(op),
    ...broken(isTaken, 'VerificationMethodAlreadyAdded', did, vMethodId),
    ...broken(notAfter < now, 'RollInThePast', notAfter, now),
    ...broken(overlapEnd < now, 'RollInThePast', overlapEnd, now),
    ...broken(isOver, 'RollInThePast', Math.max(...spans.map((span) => span.notAfter)), now),
    ...broken(isJwkInControl, 'NotControlKey', did, vMethodId),
  ]
}

const rulesOfValidity = ({ notBefore, notAfter }: { notBefore: number; notAfter: number }) =>
  broken(notAfter <= notBefore, 'InvalidValidity', notBefore, notAfter)

const rulesOfEnd = ({ notAfter }: { notAfter: number }, now: number) =>
  broken(notAfter < now, 'ValidityInThePast', notAfter, now)

const rulesOfRevoked = (did: string, method: Method | undefined) =>
  broken(method?.isRevoked === true, 'VerificationMethodIsRevoked', did, method?.vMethodId)

const methodOf = (registration: Registration, vMethodId: string) =>
  registration.methods.find((method) => method.vMethodId === vMethodId)

/** The uses that a method has at `now` or will have later. */
export const usesFrom = (method: Method, now: number) =>
  method.windows.filter((window) => isAliveFrom(window, now)).map(({ use }) => use)

const isAliveFrom = ({ notBefore, notAfter }: Span, now: number) =>
  notAfter >= now && notAfter >= notBefore

/** What A-01 finds in a proof: whose key made it, and which DID it derives. */
export interface ProofVerdict {
  /** True if the proof belongs to the key. */
  readonly isOfKey: boolean
  /** True if it derives the DID too. */
  readonly isOfDid: boolean
}

const halfOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n

/**
 * The proof rule a second time, from the words of A-01 and with ethers: 65 bytes r, s, v with v 27 or
 * 28 and a low s, over keccak256 of the public key as X, Y or as 0x04, X, Y; prefix, z and base58btc
 * of a zero byte and the last 19 bytes make the DID.
 * @param publicKey 0x-hex of 65 bytes 0x04, X, Y
 */
export function checkProof(proof: string, publicKey: string, did: string): ProofVerdict {
  const bytes = Buffer.from(proof.slice(2), 'hex')
  const v = bytes.at(-1)
  const isFormed = bytes.length === 65 && (v === 27 || v === 28)
  if (!isFormed || BigInt(dataSlice(proof, 32, 64)) > halfOrder) {
    return { isOfKey: false, isOfDid: false }
  }
  const coordinates = dataSlice(publicKey, 1)
  const address = `0x${keccak256(coordinates).slice(-40)}`
  const isOfKey = [coordinates, concat(['0x04', coordinates])].some((message) => {
    try {
      const signature = Signature.from(proof)
      return recoverAddress(keccak256(message), signature).toLowerCase() === address
    } catch {
      return false
    }
  })
  return { isOfKey, isOfDid: isOfKey && didOf(proof) === did }
}
