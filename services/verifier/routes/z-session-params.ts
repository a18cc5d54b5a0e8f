import { z } from 'zod'

/** Ids are base64url; what is not can't be one, and not every database takes it as text. */
export const zSessionParams = z.object({ id: z.string().regex(/^[\w-]{1,128}$/) })
