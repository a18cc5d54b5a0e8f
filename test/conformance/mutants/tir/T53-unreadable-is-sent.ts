import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T53',
  deviation: 'answers a hash for bytes that are no transaction',
  patches: [
    {
      file: 'services/tir/methods/send-signed-transaction.ts',
      find: 'if (!verdict.ok) {',
      replace:
        "if (isMutant && input.signedRawTransaction.length === 242) return `0x${'0'.repeat(64)}`\n  if (!verdict.ok) {",
    },
  ],
}
