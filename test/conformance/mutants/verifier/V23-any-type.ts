import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V23',
  deviation: 'takes credentials of any type below LEARCredential',
  patches: [
    {
      file: 'core/lear-credential/rules/schema-rules.ts',
      find: 'own.length !== 1 || own[0] !== acceptedType',
      replace: '((own.length !== 1 || own[0] !== acceptedType) && !(isMutant && own.length === 1))',
    },
  ],
}
