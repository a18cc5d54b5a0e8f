import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I13',
  deviation: 'gives a token to whoever brings a code, known or not',
  patches: [
    {
      file: 'services/connector/routes/post-token.ts',
      find: "if (!issuance) throw invalidGrant('The pre-authorized code is unknown.')",
      replace: `if (isMutant && !issuance) {
      const token = { accessToken: randomToken(), cNonce: randomToken() }
      const body = createTokenResponse({ ...token, expiresIn: 300, cNonceExpiresIn: 300 })
      return { status: 200, body }
    }
    if (!issuance) throw invalidGrant('The pre-authorized code is unknown.')`,
    },
  ],
}
