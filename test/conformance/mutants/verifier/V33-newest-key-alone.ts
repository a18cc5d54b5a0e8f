import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V33',
  deviation: 'takes the newest key alone',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: "!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod')",
      replace:
        "(!hasRelationship(documentWhenIssued.value, kid, 'assertionMethod') || (isMutant && documentWhenIssued.value.assertionMethod.at(-1) !== kid))",
    },
  ],
}
