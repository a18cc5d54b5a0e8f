/** Encodes bytes, or a string in UTF-8, as base64url without padding (RFC 7515, section 2). */
export function encodeBase64url(value: Uint8Array | string): string {
  return Buffer.from(value as Uint8Array).toString('base64url')
}

/** Encodes a value as JSON in base64url, as each part of a JWT. */
export const encodeJson = (value: unknown): string => encodeBase64url(JSON.stringify(value))

/**
 * Decodes base64url without padding, strictly: returns undefined for a character outside the
 * alphabet, padding, or non-zero leftover bits, so that each value has exactly one encoding.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // The decoder skips what is not in the alphabet, and leftover bits.
  return bytes.toString('base64url') === text ? bytes : undefined
}
