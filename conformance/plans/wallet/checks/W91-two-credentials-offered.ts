import { broken, defineCheck, held } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { takeCredential } from '../findings/take-credential.ts'

export const check = defineCheck<WalletContext>({
  id: 'W91',
  title: 'Each offered credential is asked for',
  level: 'practice',
  expectation: 'accept',
  control: 'offers',
  description:
    'credentials is a list: a wallet that takes the first one leaves the others with the issuer. No sentence obliges it to take them all, and a holder may choose.',
  sends: 'An offer of two ids that the metadata both has.',
  decides: 'Two credentials are handed out, and the wallet says that it has them.',
  async run(context) {
    const ids = ['OrgPortalLearCredential', 'OrgPortalLearCredential-2']
    const { session } = await takeCredential(context, {
      behaviour: {
        offer: { credentials: ids },
        metadata: { credentials_supported: ids.map((id) => ({ ...entry, id })) },
      },
    })
    const { length } = session.delivered
    const verdictSource = 'credential requests'
    return length === 2
      ? held('The wallet asked for both credentials.', { verdictSource })
      : broken(`The wallet took ${length} of two credentials and said that it was done.`, {
          verdictSource,
          expected: 2,
          actual: length,
        })
  },
})

const entry = {
  format: 'jwt_vc_json',
  types: ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential'],
  cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
  cryptographic_suites_supported: ['ES256K', 'EdDSA'],
}
