import { changePayload } from './change-draft.ts'
import type { WalletFault } from './wallet-fault.ts'

export const presentationWrongAud: WalletFault = {
  name: 'presentation-wrong-aud',
  description: 'The presentation is addressed to another verifier.',
  check: 'V06',
  rule: 'Document 1, Presentation authorization_request: client_id must equal the aud of the presentation',
  apply: { presentation: changePayload(() => ({ aud: 'did:org:uc-pre:zAnotherVerifier' })) },
}
