import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I56',
  deviation: 'leaves a type of the chain out',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: 'inheritedTypes.filter((inherited) => inherited !== type)',
      replace: `inheritedTypes.filter(
        (inherited) => inherited !== type && !(isMutant && inherited === 'LEARCredential'),
      )`,
    },
  ],
}
