import { privateJwkFromHex } from '#core/crypto/create-private-jwk.ts'
import { addressOfPublicKey } from '#core/crypto/ethereum-address.ts'

/** An account that pays nothing and signs: address (EIP-55) and private key as 0x-hex. */
export interface Signer {
  readonly address: string
  readonly privateKey: string
}

/** The account of a private key (0x-hex). Throws a TypeError for a key that is none. */
export function signerOf(privateKey: string): Signer {
  return { privateKey, address: addressOfPublicKey(privateJwkFromHex(privateKey)) }
}
