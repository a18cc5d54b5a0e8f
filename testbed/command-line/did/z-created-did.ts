import { z } from 'zod'
import { isVerificationMethodId } from '#core/did/did-org.ts'
import { zAddress } from '#core/ethereum/hex.ts'

/** What `testbed did create --json` prints and `testbed did register` takes. */
export const zCreatedDid = z.object({
  did: z.string(),
  proof: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
  publicKey: z.string().regex(/^0x04[0-9a-fA-F]{128}$/),
  vMethodId: z.string().refine(isVerificationMethodId),
  address: zAddress,
})

export type CreatedDid = z.infer<typeof zCreatedDid>
