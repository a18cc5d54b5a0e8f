import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W07',
  deviation: 'does not compare credential_issuer of the metadata',
  ignoresRules: ['metadata.issuer'],
}
