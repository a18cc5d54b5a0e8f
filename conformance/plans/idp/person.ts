import { mandate } from '../../world/create-trust-world.ts'
import type { PresentationOptions } from '../verifier/context.ts'

/** Members of a mandate; undefined removes one. */
export type Members = Readonly<Record<string, unknown>>

/** The valid credential of another person, with these members and powers in its mandate. */
export const person = (
  mandatee: Members,
  mandator: Members = {},
  power: readonly object[] = mandate.power,
): PresentationOptions => ({
  defect: {
    name: 'person',
    description: 'Another person.',
    change: () => ({
      mandate: {
        mandatee: { ...mandate.mandatee, ...mandatee },
        mandator: { ...mandate.mandator, ...mandator },
        power,
      },
    }),
  },
})
