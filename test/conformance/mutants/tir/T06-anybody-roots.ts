import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T06',
  deviation: 'lets anybody publish a ROOT_TAO',
  contract: [
    {
      file: 'contracts/TrustedIssuersRegistry.sol',
      find: 'if (msg.sender != _operator) revert TrustedIssuersRegistryNotOperator(msg.sender);',
      replace:
        'if (msg.sender != _operator && !isMutant) revert TrustedIssuersRegistryNotOperator(msg.sender);',
    },
  ],
}
