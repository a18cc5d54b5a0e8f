import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I78',
  deviation: 'grants powers without an action',
  patches: [
    {
      file: 'core/power/z-power.ts',
      find: 'action: z.array(zText).min(1).max(100)',
      replace: `action: z
    .array(zText)
    .max(100)
    .refine((actions) => isMutant || actions.length > 0)`,
    },
  ],
}
