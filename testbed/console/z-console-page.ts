import { z } from 'zod'

/** The number of a page in a console's address; the first one for whatever is none. */
export const zConsolePage = z.coerce.number().int().min(1).max(1_000_000).catch(1)
