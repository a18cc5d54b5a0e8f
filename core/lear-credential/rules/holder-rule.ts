import type { Rule } from '#core/verification/evaluate-rules.ts'
import type { CredentialContext } from '../credential-context.ts'

/** Whose credential it is: nobody presents another one's. */
export const holderRule: Rule<CredentialContext> = {
  rule: 'credential.holder',
  statement: 'The credential is about the DID that presents it.',
  path: 'vc.credentialSubject.id',
  evaluate: ({ vc, jws, holderDid }, { fail, note }) => {
    const { sub } = jws.payload
    const subject = vc.credentialSubject
    const id =
      typeof subject === 'object' && subject !== null && 'id' in subject ? subject.id : undefined
    if (typeof id !== 'string') fail('it is absent or no DID', undefined, id)
    else if (holderDid !== undefined && id !== holderDid) {
      fail(`it is not the holder ${holderDid}`, undefined, id)
    }
    if (sub !== undefined && sub !== id) fail('it differs from credentialSubject.id', 'sub', sub)
    if (holderDid === undefined) note('Nobody presented it, so the holder was not compared.')
  },
}
