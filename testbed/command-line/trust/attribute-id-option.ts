import { InvalidArgumentError } from 'commander'
import { parseAttributeId } from '#core/trust/tir-attribute.ts'

/** Parses an option or argument that is an attributeId: 64 hex digits, with or without 0x. */
export function attributeIdOf(text: string): string {
  const attributeId = parseAttributeId(text)
  if (attributeId !== undefined) return attributeId
  throw new InvalidArgumentError('An attributeId has 64 hex digits.')
}
