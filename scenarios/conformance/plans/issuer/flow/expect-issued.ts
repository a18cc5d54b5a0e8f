import { parseCredentialResponse } from '#core/oid4vci/credential-response/parse-credential-response.ts'
import { requireJson } from '../../../classify-answer.ts'
import { broken, type Finding, held } from '../../../finding.ts'
import type { IssuerContext, KitWalletOptions } from '../issuer-context.ts'
import { askForCredential } from './ask.ts'
import { redeem } from './redeem.ts'

/** A wallet with such a key asks as documented: the issuer has to give it a credential. */
export async function expectIssued(
  context: IssuerContext,
  account: Required<Pick<KitWalletOptions, 'curve' | 'didMethod'>>,
): Promise<Finding> {
  const wallet = context.createWallet(account)
  const session = await redeem(context, { wallet })
  const { algorithm, did } = wallet.account
  const answer = await askForCredential(context, { ...session, wallet })
  const what = `The credential request with ${algorithm} by ${did.slice(0, 24)}…`
  const json = requireJson(answer, what, [200, 202])
  const result = parseCredentialResponse(json)
  const verdictSource = 'the answer of the credential endpoint'
  if (!result.ok) {
    const { failures } = result
    const actual = Object.keys(json)
    return broken('The answer holds no credential.', { failures, actual, verdictSource })
  }
  return held(`${what} brought a credential (${result.response.kind}).`, { verdictSource })
}
