import { z } from 'zod'
import { zWalletAdapter } from '../../targets/adapters/z-verb.ts'
import { targetMembers } from '../../targets/target-members.ts'

/** A third-party wallet; the kit plays issuers, verifiers and the registries. */
export const zWalletTarget = z.strictObject({
  ...targetMembers('wallet'),
  adapter: zWalletAdapter
    .describe('How the kit operates the wallet.')
    .meta({ example: '{ type: person }' }),
  curves: z
    .array(z.enum(['secp256k1', 'Ed25519']))
    .min(1)
    .optional()
    .describe('Curves of the wallet’s keys, if the verb reset accepts {curve}.')
    .meta({ example: '[secp256k1, Ed25519]' }),
  deferralPatienceSeconds: z
    .number()
    .positive()
    .max(600)
    .optional()
    .describe('Maximum time that the wallet waits for a deferred credential, in seconds.')
    .meta({ example: '20' }),
})

export type WalletTarget = z.infer<typeof zWalletTarget>
