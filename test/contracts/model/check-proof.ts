import { concat, dataSlice, keccak256, recoverAddress, Signature } from 'ethers'
import { didOf } from '#test/support/create-did-key.ts'

/** What A-01 finds in a proof: whose key made it, and which DID it derives. */
export interface ProofVerdict {
  /** True if the proof belongs to the key. */
  readonly isOfKey: boolean
  /** True if it derives the DID too. */
  readonly isOfDid: boolean
}

const halfOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n / 2n

/**
 * The proof rule a second time, from the words of A-01 and with ethers: 65 bytes r, s, v with v 27 or
 * 28 and a low s, over keccak256 of the public key as X, Y or as 0x04, X, Y; prefix, z and base58btc
 * of a zero byte and the last 19 bytes make the DID.
 * @param publicKey 0x-hex of 65 bytes 0x04, X, Y
 */
export function checkProof(proof: string, publicKey: string, did: string): ProofVerdict {
  const bytes = Buffer.from(proof.slice(2), 'hex')
  const v = bytes.at(-1)
  const isFormed = bytes.length === 65 && (v === 27 || v === 28)
  if (!isFormed || BigInt(dataSlice(proof, 32, 64)) > halfOrder) {
    return { isOfKey: false, isOfDid: false }
  }
  const coordinates = dataSlice(publicKey, 1)
  const address = `0x${keccak256(coordinates).slice(-40)}`
  const isOfKey = [coordinates, concat(['0x04', coordinates])].some((message) => {
    try {
      const signature = Signature.from(proof)
      return recoverAddress(keccak256(message), signature).toLowerCase() === address
    } catch {
      return false
    }
  })
  return { isOfKey, isOfDid: isOfKey && didOf(proof) === did }
}
