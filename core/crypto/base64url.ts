const alphabet = /^[A-Za-z0-9_-]*$/

/** Encodes bytes, or the UTF-8 form of a text, as base64url without padding (RFC 7515, section 2). */
export function encodeBase64url(value: Uint8Array | string): string {
  return Buffer.from(value as Uint8Array).toString('base64url')
}

/**
 * Decodes base64url without padding, strictly: a character outside the alphabet, padding, or
 * left-over bits that are not zero give undefined, so that one value has exactly one spelling.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!alphabet.test(text) || text.length % 4 === 1) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
