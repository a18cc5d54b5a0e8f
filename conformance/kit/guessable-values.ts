import { broken, type Finding, type FindingDetails, held } from './check.ts'

interface Samples extends Pick<FindingDetails, 'verdictSource'> {
  /**
   * Default: those of random values of 128 bits, of which a version number or a short list of
   * samples hides some, are above it. A counter or a time is far below.
   */
  readonly fewestBits?: number
}

/** Values that must be impossible to guess, as far as a few samples show it. */
export function findGuessable(
  name: string,
  values: readonly string[],
  { fewestBits = 100, ...details }: Samples = {},
): Finding {
  if (new Set(values).size < values.length) {
    return broken(`Two of ${values.length} values of ${name} are the same.`, details)
  }
  const bits = Math.floor(varyingBits(values))
  const observed = `Between ${values.length} values of ${name}, about ${bits} bits vary.`
  return bits < fewestBits
    ? broken(observed, { expected: `at least ${fewestBits}`, actual: bits, ...details })
    : held(observed, details)
}

/** The number of positions whose characters differ, times the bits of a character there. */
function varyingBits(values: readonly string[]): number {
  const length = Math.min(...values.map((value) => value.length))
  const positions = Array.from({ length }, (_, index) => values.map((value) => value.charAt(index)))
  const varying = positions.filter((characters) => new Set(characters).size > 1)
  return varying.length * Math.log2(Math.max(1, new Set(varying.flat()).size))
}
