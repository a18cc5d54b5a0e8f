/**
 * Reads an attributeId with or without 0x and gives its one spelling: 64 lower-case hex digits
 * without 0x, as `hash` has it. Undefined for anything else.
 */
export function parseAttributeId(text: string): string | undefined {
  return /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]?.toLowerCase()
}
