import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V46',
  deviation: 'fetches whatever termsOfUse.id names',
  patches: [
    {
      file: 'core/lear-credential/verify-lear-credential.ts',
      find: 'const resolveDidDocument = remember(options.resolveDidDocument)',
      replace: `if (isMutant && vc.termsOfUse?.id) await fetch(vc.termsOfUse.id).catch(() => undefined)
  const resolveDidDocument = remember(options.resolveDidDocument)`,
    },
  ],
}
