import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W80',
  deviation: 'takes all that the metadata has where an offer names no credentials',
  patches: [
    {
      file: 'core/oid4vci/credential-offer/z-credential-offer.ts',
      find: 'credentials: z.array(z.string().min(1)).min(1)',
      replace:
        'credentials: z.array(z.string().min(1)).refine((list) => isMutant || list.length > 0)',
    },
    {
      file: 'wallet-emulator/actions/resolve-credential-offer.ts',
      find: 'const offered = offer.credentials.map(',
      replace: `const offered = (
    isMutant && offer.credentials.length === 0
      ? metadata.credentialsSupported.map((supported) => supported.id)
      : offer.credentials
  ).map(`,
    },
  ],
}
