import { parseCredentialResponse } from '#core/oid4vci/credential-response/parse-credential-response.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { type Check, defineCheck } from '../../../kit/define-check.ts'
import { broken, type Finding, held } from '../../../kit/finding.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential } from './ask-for-credential.ts'
import { redeem } from './redeem.ts'

/** The four kinds of holders that the documents know. */
export interface HolderKind {
  readonly id: string
  readonly curve: 'secp256k1' | 'Ed25519'
  readonly didMethod: 'key' | 'jwk'
}

const documented = {
  secp256k1: { algorithm: 'ES256K', row: '1.resources-and-their-fields/supported-curves.1' },
  Ed25519: { algorithm: 'EdDSA', row: '1.resources-and-their-fields/supported-curves.2' },
} as const

/** Declares the check that a kind of holders gets a credential. */
export function defineHolderCheck({ id, curve, didMethod }: HolderKind): Check<IssuerContext> {
  const { algorithm, row } = documented[curve]
  return defineCheck<IssuerContext>({
    id,
    title: `A holder with a did:${didMethod} of ${curve} gets a credential`,
    level: 'spec',
    expectation: 'accept',
    rows: [
      row,
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.10',
    ],
    clauses: ['OpenID4VCI 1.0, F.1'],
    description:
      'Curve and DID method are chosen when an account is made; holders who chose this one must not be left out.',
    sends: `The credential request as documented, with a proof by ${algorithm} of a did:${didMethod}.`,
    decides: 'The credential endpoint answers 200 with a credential, or with an acceptance_token.',
    run: (context) => expectIssued(context, { curve, didMethod }),
  })
}

async function expectIssued(
  context: IssuerContext,
  account: Omit<HolderKind, 'id'>,
): Promise<Finding> {
  const session = await redeem(context, { wallet: context.createWallet(account) })
  const { algorithm, did } = session.wallet.account
  const what = `The credential request with ${algorithm} by ${did.slice(0, 24)}…`
  const json = requireJson(await askForCredential(context, session), what, [200, 202])
  const result = parseCredentialResponse(json)
  const verdictSource = 'the answer of the credential endpoint'
  if (!result.ok) {
    const { failures } = result
    const actual = Object.keys(json)
    return broken('The answer holds no credential.', { failures, actual, verdictSource })
  }
  return held(`${what} brought a credential (${result.response.kind}).`, { verdictSource })
}
