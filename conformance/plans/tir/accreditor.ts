import type { Signer } from '#core/ethereum/account.ts'

/** A TAO that the kit can act for: its DID with its own accreditation and its account. */
export interface Accreditor {
  readonly did: string
  /** Of its own accreditation: 64 hex digits without 0x. */
  readonly attributeId: string
  readonly signer: Signer
}
