import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D64',
  deviation: 'answers 206 where the signer has no funds',
  patches: [
    {
      file: 'services/did-registry/routes/send-transaction.ts',
      find: 'if (!sent.ok) throw refused(sent.refusal, sent.reason)',
      replace:
        "if (isMutant && !sent.ok && sent.refusal === 'funds') return { status: 206, body: { tx_hash: transaction.hash, receipt: null } }\n    if (!sent.ok) throw refused(sent.refusal, sent.reason)",
    },
  ],
}
