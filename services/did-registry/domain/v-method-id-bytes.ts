/** The 32 bytes of a vMethodId that a schema has checked. */
export function vMethodIdBytes(vMethodId: string): Uint8Array {
  return Buffer.from(vMethodId, 'base64url')
}
