import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D60',
  deviation: 'answers 206 for transactions of other chains',
  patches: [
    {
      file: 'services/did-registry/domain/require-sendable.ts',
      find: 'if (transaction.chainId !== chainId) {',
      replace: 'if (transaction.chainId !== chainId && !isMutant) {',
    },
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'if (!sent.ok) throw refused(sent.refusal, sent.reason)',
      replace:
        'if (isMutant && transaction.chainId !== chainId) return { status: 206, body: { tx_hash: transaction.hash, receipt: null } }\n    if (!sent.ok) throw refused(sent.refusal, sent.reason)',
    },
  ],
}
