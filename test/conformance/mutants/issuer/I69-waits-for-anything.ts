import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I69',
  deviation: 'tells whoever comes with an unknown acceptance_token to wait',
  patches: [
    {
      file: 'services/connector/routes/post-deferred-credential.ts',
      find: "if (!found) throw invalidAcceptanceToken('is unknown')",
      replace: `if (isMutant && !found) {
      return { status: 202, body: { acceptance_token: acceptanceToken } }
    }
    if (!found) throw invalidAcceptanceToken('is unknown')`,
    },
  ],
}
