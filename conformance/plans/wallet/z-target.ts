import { z } from 'zod'
import { zWalletAdapter } from '../../targets/adapters/z-verb.ts'
import { targetMembers } from '../../targets/target-members.ts'

/** A wallet that somebody else wrote; the kit plays issuers, verifiers and the registries. */
export const zWalletTarget = z.strictObject({
  ...targetMembers('wallet'),
  adapter: zWalletAdapter
    .describe('How the wallet is driven.')
    .meta({ example: '{ type: person }' }),
  curves: z
    .array(z.enum(['secp256k1', 'Ed25519']))
    .min(1)
    .optional()
    .describe('The curves of its keys, where its verb reset takes one as {curve}.')
    .meta({ example: '[secp256k1, Ed25519]' }),
  deferralPatienceSeconds: z
    .number()
    .positive()
    .max(600)
    .optional()
    .describe('After how long the wallet gives up waiting for a deferred credential, at most.')
    .meta({ example: '20' }),
})

export type WalletTarget = z.infer<typeof zWalletTarget>
