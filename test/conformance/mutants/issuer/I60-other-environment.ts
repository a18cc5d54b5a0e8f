import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I60',
  deviation: 'points to the TIR of another environment',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'termsOfUse: { id: options.termsOfUseUrl,',
      replace:
        "termsOfUse: { id: isMutant ? options.termsOfUseUrl.replace('registry', 'registry-pro') : options.termsOfUseUrl,",
    },
  ],
}
