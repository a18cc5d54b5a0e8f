import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I61',
  deviation: 'goes on issuing after its accreditation was revoked',
  patches: [
    {
      file: 'services/tir/routes/read-attribute.ts',
      find: 'issuerType: shownIssuerTypes[attribute.issuerType],',
      replace: `issuerType:
            isMutant && shownIssuerTypes[attribute.issuerType] === 'TI'
              ? 'REVOKED'
              : shownIssuerTypes[attribute.issuerType],`,
    },
  ],
}
