import { defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W13',
  title: 'After invalid_nonce the wallet tries again with the fresh c_nonce',
  level: 'practice',
  expectation: 'accept',
  control: 'offers',
  description:
    'A c_nonce expires while the holder looks for the PIN. The issuer hands out a fresh one with its refusal; giving up then uses up the code. OpenID4VCI 1.0 has wallets fetch it at a nonce endpoint (8.3.1.2), which the documents do not have.',
  sends:
    'A credential endpoint that refuses the first proof with invalid_nonce and a fresh c_nonce.',
  decides: 'The wallet sends a second proof, and the credential is handed out.',
  async run(context) {
    const { session } = await takeCredential(context, { behaviour: { refusedNonces: 1 } })
    return held(`The wallet sent ${session.proofs.length} proofs and got the credential.`, {
      verdictSource: 'credential requests',
    })
  },
})
