import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { endCheck, held, inconclusive } from '../../../kit/finding.ts'
import { redeem } from '../flow/redeem.ts'
import { requireControl } from '../flow/require-control.ts'
import type { IssuerContext } from '../issuer-context.ts'

export const check = defineCheck<IssuerContext>({
  id: 'I94',
  title: 'A proof is as good with the high one of the two numbers s',
  level: 'practice',
  expectation: 'accept',
  clauses: ['RFC 8812, 3.2'],
  description:
    'Half of what OpenSSL signs has it. Libraries made for Ethereum refuse it, and holders get a credential every other time.',
  sends: 'The credential request with a proof by ES256K whose s is above half of the order.',
  decides: 'The credential endpoint issues, as for a proof with the low one.',
  async run(context) {
    await requireControl(context)
    const wallet = context.createWallet({ curve: 'secp256k1', faults: ['proof-high-s'] })
    const { resolved, token } = await redeem(context, { wallet })
    const { metadata, offered } = resolved
    const [entry] = offered
    if (entry === undefined) endCheck(inconclusive('The offer holds no credential.'))
    await requestCredential(wallet, { metadata, entry, ...token })
    return held('It is taken.', { verdictSource: 'HTTP status of the credential endpoint' })
  },
})
