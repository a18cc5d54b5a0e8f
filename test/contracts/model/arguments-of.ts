import { controlKeyOf, keyType, relationship } from '#test/support/contracts.ts'
import type { DidKey } from '#test/support/create-did-key.ts'
import type { Operation } from './operations.ts'

const keyArguments = (key: DidKey | string) =>
  typeof key === 'string' ? [keyType.jsonWebKey2020, key] : [keyType.secp256k1, key.publicKey]

/** The contract's arguments of an operation. */
export const argumentsOf = (op: Operation): unknown[] => [op.did, ...argumentsAfterDid(op)]

function argumentsAfterDid(op: Operation): unknown[] {
  switch (op.name) {
    case 'insertFirstDidDocument':
    case 'insertDidDocument': {
      const { vMethodId, proof, notBefore, notAfter, text } = op
      const key = controlKeyOf(op.key, { vMethodId, proof, notBefore, notAfter })
      return op.name === 'insertDidDocument' ? [text, key] : [text, key, text]
    }
    case 'updateBaseDocument':
    case 'updateAlsoKnownAs':
      return [op.text]
    case 'addController':
    case 'revokeController':
      return [op.controller]
    case 'addControllerByAccount':
    case 'revokeControllerByAccount':
      return [op.account]
    case 'addVerificationMethod':
      return [op.vMethodId, ...keyArguments(op.key)]
    case 'addVerificationRelationship':
      return [relationship[op.use], op.vMethodId, op.notBefore, op.notAfter]
    case 'rollVerificationMethod': {
      const { vMethodId, notBefore, notAfter, duration } = op
      const [publicKeyType, publicKey] = keyArguments(op.key)
      const validity = { notBefore, notAfter, duration }
      return [op.oldVMethodId, { vMethodId, publicKeyType, publicKey, ...validity }]
    }
    default:
      return [op.vMethodId, op.notAfter]
  }
}
