import { createSignature } from '#core/crypto/create-signature.ts'
import type { WalletFault } from './wallet-fault.ts'

export const holderMismatch: WalletFault = {
  name: 'holder-mismatch',
  description:
    'Somebody else presents the credential, with a good signature of a key of their own.',
  check: 'V12',
  rule: 'Document 1, Presentation token: iss is the holder, whom the credential was issued to',
  apply: {
    presentation: ({ header, payload }, { otherAccount }) => ({
      header: { ...header, kid: otherAccount.kid },
      payload: { ...payload, iss: otherAccount.did },
      sign: (signingInput) =>
        createSignature(otherAccount.algorithm, otherAccount.privateKey, Buffer.from(signingInput)),
    }),
  },
}
