import { z } from 'zod'

/** What an offer can be made with, whatever stands behind it (interfaces, section 4). */
export const zOfferOptions = z.object({
  tx_code: z
    .object({
      length: z.int().min(1).max(64).optional(),
      input_mode: z.enum(['numeric', 'text']).optional(),
      description: z.string().min(1).max(300).optional(),
    })
    .optional()
    .describe('Asks the wallet for a PIN'),
  deferred_seconds: z.int().min(0).max(86_400).optional(),
  by: z.enum(['value', 'reference']).default('value'),
  expires_in: z.int().min(1).max(86_400).optional().describe('Seconds'),
})
