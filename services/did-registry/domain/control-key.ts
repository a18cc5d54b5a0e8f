import { z } from 'zod'
import { parseControlKey } from './parse-public-key.ts'
import { vMethodIdBytes } from './v-method-id-bytes.ts'
import { zProof, zPublicKey, zPublicKeyType, zUnixTime, zVMethodId } from './z-fields.ts'

/** The members that bring a control key with its proof (Document 2, insertFirstDidDocument body). */
export const controlKeyMembers = {
  vMethodId: zVMethodId,
  proof: zProof,
  publicKeyType: zPublicKeyType,
  publicKey: zPublicKey,
  notBefore: zUnixTime.describe('Unix time from which the key is valid'),
  notAfter: zUnixTime.describe('Unix time of expiry'),
}

const zControlKey = z.object(controlKeyMembers)

/**
 * The contract's struct ControlKey.
 * @throws TestbedError `UNSUPPORTED`, `validation_error`
 */
export function createControlKey(input: z.output<typeof zControlKey>) {
  return {
    vMethodId: vMethodIdBytes(input.vMethodId),
    proof: Buffer.from(input.proof.slice(2), 'hex'),
    publicKey: parseControlKey(input),
    notBefore: BigInt(input.notBefore),
    notAfter: BigInt(input.notAfter),
  }
}
