import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I05',
  deviation: 'encodes the offer in its link twice',
  patches: [
    {
      file: 'core/oid4vci/credential-offer/create-credential-offer-uri.ts',
      find: '`${scheme}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`',
      replace:
        '`${scheme}?credential_offer=${(isMutant ? encodeURIComponent : String)(encodeURIComponent(JSON.stringify(offer)))}`',
    },
  ],
}
