import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W67',
  deviation: 'takes alg none for a signature',
  patches: [
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: 'if (!algorithms.some(',
      replace: "if (!(isMutant && jws.header.alg === 'none') && !algorithms.some(",
    },
    {
      file: 'core/lear-credential/rules/issuer-rules.ts',
      find: 'else if (!verifyJws(',
      replace: "else if (!(isMutant && context.jws.header.alg === 'none') && !verifyJws(",
    },
  ],
}
