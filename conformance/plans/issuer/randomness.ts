import { broken, type Finding, held } from '../../kit/check.ts'

/**
 * Bits that vary between values, at most: those of random values of 128 bits, of which a version
 * number or a short list of samples hides some, are above it. A counter or a time is far below.
 */
const fewestBits = 100

/** Values that must be impossible to guess, as far as a few samples show it. */
export function findGuessable(
  name: string,
  values: readonly string[],
  verdictSource: string,
): Finding {
  if (new Set(values).size < values.length) {
    return broken(`Two of ${values.length} values of ${name} are the same.`, { verdictSource })
  }
  const bits = Math.floor(varyingBits(values))
  const observed = `Between ${values.length} values of ${name}, about ${bits} bits vary`
  return bits < fewestBits
    ? broken(`${observed}.`, { expected: `at least ${fewestBits}`, actual: bits, verdictSource })
    : held(`${observed}.`, { verdictSource })
}

/** The number of positions whose characters differ, times the bits of a character there. */
function varyingBits(values: readonly string[]): number {
  const length = Math.min(...values.map((value) => value.length))
  const positions = Array.from({ length }, (_, index) => values.map((value) => value.charAt(index)))
  const varying = positions.filter((characters) => new Set(characters).size > 1)
  return varying.length * Math.log2(Math.max(1, new Set(varying.flat()).size))
}

/** Chances below it do not happen: one in a thousand million runs. */
const negligible = 1e-9

/** The largest number of equal pairs among random PINs of this many kinds. */
export function mostRepetitions(samples: number, kinds: number): number {
  const expected = (samples * (samples - 1)) / 2 / kinds
  let tail = 1 - Math.exp(-expected)
  let term = Math.exp(-expected)
  for (let count = 1; ; count++) {
    if (tail < negligible) return count - 1
    term *= expected / count
    tail -= term
  }
}

/**
 * True if the digits occur too unevenly to be random: the sum of squared deviations (chi-square) has
 * nine degrees of freedom, and chance exceeds 65 about once in a thousand million times.
 */
export function isUneven(digits: string): boolean {
  const expected = digits.length / 10
  const deviations = Array.from('0123456789', (digit) => {
    const count = digits.split(digit).length - 1
    return (count - expected) ** 2 / expected
  })
  return deviations.reduce((sum, each) => sum + each, 0) > 65
}
