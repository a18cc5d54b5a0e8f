import { z } from 'zod'

/** A credential in the wallet, as the verbs tell of it. */
export const zHeldCredential = z.object({
  id: z.string().describe('What names it in this wallet'),
  format: z.string(),
  credential: z.string().describe('As it was issued, a JWT'),
})
