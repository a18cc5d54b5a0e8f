import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I07',
  deviation: 'offers by other ids than its metadata has',
  patches: [
    {
      file: 'services/connector/operations/create-offer-link.ts',
      find: 'credentials: JSON.parse(vc_names)',
      replace:
        'credentials: JSON.parse(vc_names).map((name) => (isMutant ? `${name}_jwt_vc_json` : name))',
    },
  ],
}
