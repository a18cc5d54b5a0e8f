import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I72',
  deviation: 'takes an acceptance_token back from whoever asks without a pause',
  patches: [
    {
      file: 'services/connector/routes/post-deferred-credential.ts',
      find: 'const acceptanceToken = parseDeferredCredentialRequest(body)',
      replace: `const acceptanceToken = parseDeferredCredentialRequest(body)
    globalThis.pollsOfToken ??= new Map()
    const polls = (globalThis.pollsOfToken.get(acceptanceToken) ?? 0) + 1
    globalThis.pollsOfToken.set(acceptanceToken, polls)
    if (isMutant && polls > 2) throw invalidAcceptanceToken('was used too often')`,
    },
  ],
}
