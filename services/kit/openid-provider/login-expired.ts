import { TestbedError } from '#core/errors/testbed-error.ts'

/** The answer to a browser that has no such sign-in under way: over, expired, or somebody else's. */
export function loginExpired(): TestbedError {
  return new TestbedError({
    code: 'login_expired',
    status: 400,
    message: 'This sign-in is over, has expired, or was begun in another browser.',
  })
}
