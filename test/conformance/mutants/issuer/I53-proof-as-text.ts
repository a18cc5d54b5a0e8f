import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I53',
  deviation: 'takes the proof JWT where an object is due',
  patches: [
    {
      file: 'core/oid4vci/credential-request/parse-credential-request.ts',
      find: 'const { format, types, proof } = body',
      replace: `const { format, types, proof: sent } = body
  const proof = isMutant && typeof sent === 'string' ? { proof_type: 'jwt', jwt: sent } : sent`,
    },
  ],
}
