import { z } from 'zod'

/** Schema and limits of a form's body. */
export const formRequest = {
  contentTypes: ['application/x-www-form-urlencoded'],
  limit: 64 * 1024,
  // What is missing or sent twice is the form's own matter, after its sender has been looked at.
  body: z.record(z.string(), z.unknown()).default({}),
}
