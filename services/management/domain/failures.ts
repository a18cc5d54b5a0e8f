import { z } from 'zod'

/** Failures of a real management API. */
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
      'slow: late response; down: connection closed; error: 500; not-found: 404 for every organization; malformed: invalid JSON; wrong-shape: wrong members; wrong-organization: data of another organization',
    ),
  organization_identifier: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Organization whose requests fail; default: all'),
  seconds: z.number().min(0).max(600).default(30).describe('Delay of the failure slow, in seconds'),
})

export type Failure = z.infer<typeof zFailure>

/** The active failure, if any. */
export interface FailureSwitch {
  read(): Failure | undefined
  set(failure: Failure | undefined): void
  /** The failure of requests for an organization. */
  of(organizationIdentifier: string): Failure | undefined
  /** Saves the current failure, to restore it later. */
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
