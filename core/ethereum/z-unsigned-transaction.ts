import { z } from 'zod'
import { zAddress, zHexBytes, zHexQuantity } from './z-hex.ts'

/**
 * What the registries build and clients sign (Document 2, Unsigned transaction).
 *
 * @row 2.resources-and-their-fields/unsigned-transaction.1..9
 */
export const zUnsignedTransaction = z.object({
  to: zAddress.describe('Address of the registry contract'),
  data: zHexBytes.describe('Call data'),
  gasLimit: zHexQuantity,
  gasPrice: zHexQuantity,
  chainId: zHexQuantity,
  nonce: zHexQuantity,
  value: zHexQuantity,
  from: zAddress.describe('Address of the signer'),
})

export type UnsignedTransaction = z.infer<typeof zUnsignedTransaction>
