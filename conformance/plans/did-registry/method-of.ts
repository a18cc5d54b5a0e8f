import type { DidDocument, VerificationMethod } from '#core/did/did-document.ts'
import { broken, endCheck } from '../../kit/finding.ts'

/** The verification method of a vMethodId, however the document writes its id. */
export function methodOf(document: DidDocument, vMethodId: string): VerificationMethod {
  const found = document.verificationMethod.find(({ id }) => id.endsWith(vMethodId))
  if (found !== undefined) return found
  const actual = document.verificationMethod.map(({ id }) => id)
  endCheck(
    broken('The verification method is not in the document', { expected: vMethodId, actual }),
  )
}
