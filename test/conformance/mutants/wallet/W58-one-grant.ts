import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W58',
  deviation: 'takes no offer with several grants',
  patches: [
    {
      file: 'core/oid4vci/credential-offer/parse-credential-offer.ts',
      find: 'const grant = grants?.[preAuthorizedCodeGrant]',
      replace: `const isAlone = Object.keys(grants ?? {}).length === 1
  const grant = isMutant && !isAlone ? undefined : grants?.[preAuthorizedCodeGrant]`,
    },
  ],
}
