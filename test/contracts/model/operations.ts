import type { VerificationRelationship } from '#core/did/did-document.ts'
import { controlKeyOf, keyType, relationship } from '#test/support/contracts.ts'
import type { DidKey } from '#test/support/create-did-key.ts'

interface OnDid {
  readonly did: string
  readonly signer: DidKey
}

interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

/** A write to the DID registry, in the words of the document. */
export type Operation = OnDid &
  (
    | ({
        readonly name: 'insertFirstDidDocument' | 'insertDidDocument'
        readonly vMethodId: string
        readonly key: DidKey
        readonly proof: string
        readonly text: string
      } & Validity)
    | { readonly name: 'updateBaseDocument' | 'updateAlsoKnownAs'; readonly text: string }
    | { readonly name: 'addController' | 'revokeController'; readonly controller: string }
    | {
        readonly name: 'addControllerByAccount' | 'revokeControllerByAccount'
        readonly account: string
      }
    | {
        readonly name: 'addVerificationMethod'
        readonly vMethodId: string
        readonly key: DidKey | string
      }
    | ({
        readonly name: 'addVerificationRelationship'
        readonly vMethodId: string
        readonly use: VerificationRelationship
      } & Validity)
    | {
        readonly name: 'revokeVerificationMethod' | 'expireVerificationMethod'
        readonly vMethodId: string
        readonly notAfter: number
      }
    | ({
        readonly name: 'rollVerificationMethod'
        readonly oldVMethodId: string
        readonly vMethodId: string
        readonly key: DidKey | string
        readonly duration: number
      } & Validity)
  )

export type OperationOf<Name extends Operation['name']> = Operation & { readonly name: Name }

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
