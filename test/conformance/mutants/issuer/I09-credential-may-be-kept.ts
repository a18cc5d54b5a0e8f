import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I09',
  deviation: 'lets caches keep credentials',
  patches: [
    {
      file: 'services/connector/routes/post-credential.ts',
      find: `...nonce,
      }),
      headers: noStore,`,
      replace: `...nonce,
      }),
      headers: isMutant ? {} : noStore,`,
    },
  ],
}
