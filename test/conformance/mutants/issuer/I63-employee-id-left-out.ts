import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I63',
  deviation: 'leaves employeeId out',
  patches: [
    {
      file: 'core/lear-credential/create-lear-credential.ts',
      find: `  const { credentialStatus, credentialSchemaUrl } = options
`,
      replace: `  const { credentialStatus, credentialSchemaUrl } = options
  if (isMutant) delete mandate.mandatee.employeeId
`,
    },
  ],
}
