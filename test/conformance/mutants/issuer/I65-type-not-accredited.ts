import type { Mutant } from '#test/conformance/mutation/mutant.ts'

const types = 'services/connector/domain/credential-types.ts'

export const mutant: Mutant = {
  check: 'I65',
  deviation: 'announces and issues a type that its accreditation does not cover',
  patches: [
    {
      file: types,
      find: 'return [...inheritedTypes, vcType]',
      replace: "return [...inheritedTypes, isMutant ? 'UnaccreditedCredential' : vcType]",
    },
    {
      file: types,
      find: 'types.includes(type.vcType) &&',
      replace: '(isMutant || types.includes(type.vcType)) &&',
    },
    {
      file: 'services/connector/operations/sign-credential.ts',
      find: '    type,\n    inheritedTypes,',
      replace: "    type: isMutant ? 'UnaccreditedCredential' : type,\n    inheritedTypes,",
    },
  ],
}
