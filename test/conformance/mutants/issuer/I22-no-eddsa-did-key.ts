import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I22',
  deviation: 'takes no did:key of Ed25519',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const failures: VerificationFailure[] = []',
      replace: `const failures: VerificationFailure[] = []
  if (isMutant && holder?.did.startsWith('did:key:z6Mk')) {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }`,
    },
  ],
}
