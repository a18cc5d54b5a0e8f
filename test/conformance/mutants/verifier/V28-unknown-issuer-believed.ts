import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V28',
  deviation: 'passes over the signature where the issuer is not registered',
  patches: [
    {
      file: 'core/lear-credential/verify-lear-credential.ts',
      find: '[...results.failures, ...trust.failures]',
      replace:
        "[...results.failures, ...trust.failures].filter(({ rule }) => !(isMutant && context.signerDid && !context.documentNow.ok && context.documentNow.kind === 'not-found' && ['credential.issuer-document', 'credential.issuer-key', 'credential.signature'].includes(rule)))",
    },
  ],
}
