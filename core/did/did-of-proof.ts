import { base58 } from '@scure/base'
import { type DidEnvironment, didPrefixes } from './did-org.ts'

/**
 * The DID that a proof stands for: the environment's prefix, `z`, and base58btc of a zero byte and
 * the proof's last 19 bytes. Throws a TypeError where the proof is not 65 bytes of 0x-hex.
 *
 * @assumption A-01
 */
export function didOfProof(proof: string, environment: DidEnvironment): string {
  if (!/^0x[0-9a-fA-F]{130}$/.test(proof)) throw new TypeError('a proof is 0x and 130 hex digits')
  const tail = Buffer.from(proof.slice(-38), 'hex')
  return `${didPrefixes[environment]}z${base58.encode(Buffer.concat([Buffer.of(0), tail]))}`
}
