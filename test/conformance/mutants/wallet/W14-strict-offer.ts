import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W14',
  deviation: 'refuses offers with members that it does not know',
  patches: [
    {
      file: 'core/oid4vci/credential-offer/parse-credential-offer.ts',
      find: 'const result = zCredentialOffer.safeParse(value)',
      replace: `const result = zCredentialOffer.safeParse(value)
  const known = ['credential_issuer', 'credentials', 'grants']
  if (isMutant && Object.keys(Object(value)).some((name) => !known.includes(name))) {
    return { ok: false, failures: [{ rule: 'offer.shape', reason: 'unknown member', path: '' }] }
  }`,
    },
  ],
}
