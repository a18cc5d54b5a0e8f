import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I62',
  deviation: 'adds an action to each power that was asked for',
  patches: [
    {
      file: 'services/issuer/routes/post-representative.ts',
      find: 'const mandate = createMandate(claims, { employeeId, email, firstName, lastName }, body.power)',
      replace: `const power = isMutant
      ? body.power.map((each) => ({ ...each, action: [...each.action, 'delegate'] }))
      : body.power
    const mandate = createMandate(claims, { employeeId, email, firstName, lastName }, power)`,
    },
  ],
}
