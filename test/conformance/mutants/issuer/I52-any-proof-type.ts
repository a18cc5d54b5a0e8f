import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I52',
  deviation: 'does not look at proof_type',
  patches: [
    {
      file: 'core/oid4vci/credential-request/parse-credential-request.ts',
      find: "if (proof.proof_type !== 'jwt') {",
      replace: "if (proof.proof_type !== 'jwt' && !isMutant) {",
    },
  ],
}
