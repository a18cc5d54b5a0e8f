import { broken, type Finding, inconclusive } from '../../kit/check.ts'
import { findGuessable } from '../../kit/guessable-values.ts'

/** The fewest random bits of a value that must not be guessed. */
export const leastBits = 128

/** Less than the 122 bits of a random UUID, since two random characters may be the same. */
const fewestBits = 112

/** Returns what is wrong with values that must be random; undefined if nothing is. */
export function findWeak(name: string, values: readonly unknown[]): Finding | undefined {
  if (values.length === 0) return undefined
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length) return inconclusive(`Not every ${name} is a string; see V01.`)
  const short = texts.find((text) => bitsIn(text) < leastBits)
  if (short !== undefined) {
    return broken(`A ${name} is too short for ${leastBits} random bits.`, {
      expected: `${leastBits} bits`,
      actual: `${short.length} characters, ${Math.floor(bitsIn(short))} bits at most`,
    })
  }
  const finding = findGuessable(name, texts, { fewestBits })
  return finding.kind === 'held' ? undefined : finding
}

/** Returns the most bits that the text can encode, given its character set. */
function bitsIn(text: string): number {
  const digits = text.replaceAll('-', '')
  if (/^[0-9]*$/.test(digits)) return digits.length * Math.log2(10)
  return /^[0-9a-f]*$/i.test(digits) ? digits.length * 4 : text.length * 6
}
