import { fc } from './fast-check.ts'

const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code))

/**
 * Strings of any code points, also of halves of surrogate pairs. fast-check takes two seconds to
 * prepare its own unit `binary`.
 */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCodePoint })
