import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I21',
  deviation: 'takes no did:key of secp256k1',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const failures: VerificationFailure[] = []',
      replace: `const failures: VerificationFailure[] = []
  if (isMutant && holder?.did.startsWith('did:key:zQ3s')) {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }`,
    },
  ],
}
