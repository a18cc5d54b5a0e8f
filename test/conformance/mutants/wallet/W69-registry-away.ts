import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W69',
  deviation: 'answers signed requests unverified while the DID registry is down',
  patches: [
    {
      file: 'core/oid4vp/authorization-request/verify-signed-request.ts',
      find: 'lack(document)',
      replace: "if (!isMutant || document.kind === 'not-found') lack(document)",
    },
  ],
}
