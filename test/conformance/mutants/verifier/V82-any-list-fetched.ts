import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V82',
  deviation: 'fetches status lists from anywhere',
  patches: [
    {
      file: 'core/lear-credential/prepare-credential.ts',
      find: 'if (!policy.credentialIssuerUrls.some((base) => isBelow(base, url))) {',
      replace: `if (isMutant) await fetch(url).catch(() => undefined)
  if (!policy.credentialIssuerUrls.some((base) => isBelow(base, url))) {`,
    },
  ],
}
