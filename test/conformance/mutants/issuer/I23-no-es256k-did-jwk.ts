import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I23',
  deviation: 'takes no did:jwk of secp256k1',
  patches: [
    {
      file: 'core/oid4vci/proof-of-possession/verify-proof-of-possession.ts',
      find: 'const failures: VerificationFailure[] = []',
      replace: `const failures: VerificationFailure[] = []
  if (isMutant && holder?.did.startsWith('did:jwk:') && jws.header.alg === 'ES256K') {
    failures.push({ rule: 'proof.did-method', reason: 'this one is not supported', path: '' })
  }`,
    },
  ],
}
