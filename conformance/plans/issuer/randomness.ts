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
