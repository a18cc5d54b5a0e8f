import type { DidKey } from '#test/support/create-did-key.ts'
import type { Relationship } from './did-registry-model.ts'

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
        readonly use: Relationship
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
