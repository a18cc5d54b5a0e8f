import { concat, dataSlice, encodeBase58, id, keccak256, SigningKey, Wallet } from 'ethers'

/** A secp256k1 key with everything that A-01 derives from it, computed only with ethers. */
export interface DidKey {
  readonly wallet: Wallet
  readonly address: string
  /** 0x04, X and Y. */
  readonly publicKey: string
  /** X and Y. */
  readonly coordinates: string
  readonly proof: string
  readonly did: string
  /** 32 bytes as 0x-hex, as in the contract. */
  readonly vMethodId: string
}

/** The DID derived from a proof, implemented from A-01 without core. */
export function didOf(proof: string, prefix = 'did:org:uc-pre:'): string {
  const tail = dataSlice(proof, 65 - 19)
  const zeros = /^0x((?:00)*)/.exec(tail)?.[1]?.length ?? 0
  return `${prefix}z1${'1'.repeat(zeros / 2)}${encodeBase58(tail).replace(/^1+/, '')}`
}

/** Creates a separate key for each label, the same in every run. */
export function createDidKey(label: string, prefix?: string): DidKey {
  return didKeyOf(id(label), prefix)
}

/** Derives the values of A-01 from a private key in 0x-hex. */
export function didKeyOf(privateKey: string, prefix?: string): DidKey {
  const signingKey = new SigningKey(privateKey)
  const wallet = new Wallet(signingKey)
  const publicKey = signingKey.publicKey
  const coordinates = dataSlice(publicKey, 1)
  const proof = signingKey.sign(keccak256(coordinates)).serialized
  return {
    wallet,
    address: wallet.address,
    publicKey,
    coordinates,
    proof,
    did: didOf(proof, prefix),
    vMethodId: keccak256(concat([id('vMethodId'), coordinates])),
  }
}
