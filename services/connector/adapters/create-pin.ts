import { randomInt } from 'node:crypto'

// Without 0, O, 1, I and l, which people mix up.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A random PIN of the given length: digits, or letters and digits. */
export function createPin(inputMode: 'numeric' | 'text', length: number): string {
  const alphabet = inputMode === 'numeric' ? '0123456789' : letters
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}
