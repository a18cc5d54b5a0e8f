import { z } from 'zod'

/** What goes wrong with a real management API. */
const failureNames = [
  'slow',
  'down',
  'error',
  'not-found',
  'malformed',
  'wrong-shape',
  'wrong-organization',
] as const

export const zFailure = z.strictObject({
  failure: z
    .enum(failureNames)
    .describe(
      'slow answers late, down hangs up, error is a 500, not-found a 404 for everybody, malformed is no JSON, wrong-shape has other members, wrong-organization tells of another one',
    ),
  organization_identifier: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Whose requests fail; default: all of them'),
  seconds: z.number().min(0).max(600).default(30).describe('How late slow answers'),
})

export type Failure = z.infer<typeof zFailure>

/** The failure that is on, if one is. */
export interface FailureSwitch {
  read(): Failure | undefined
  set(failure: Failure | undefined): void
  /** The failure that meets requests for an organization. */
  of(organizationIdentifier: string): Failure | undefined
  /** What is on now, to be put back later. */
  save(): { restore(): void }
}

export function createFailureSwitch(): FailureSwitch {
  let current: Failure | undefined
  return {
    read: () => current,
    set(failure) {
      current = failure
    },
    of(organizationIdentifier) {
      const isMeant = [undefined, organizationIdentifier].includes(current?.organization_identifier)
      return isMeant ? current : undefined
    },
    save() {
      const before = current
      return {
        restore() {
          current = before
        },
      }
    },
  }
}
