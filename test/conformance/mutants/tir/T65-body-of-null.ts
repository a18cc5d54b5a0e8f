import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T65',
  deviation: 'has a body of “undefined” where there are no data',
  patches: [
    {
      file: 'services/tir/adapters/tir-contract.ts',
      find: 'body: toText(attribute.data),',
      replace:
        "body: isMutant && attribute.data.length === 0 ? 'undefined' : toText(attribute.data),",
    },
  ],
}
