import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { jsonAsPremise } from '../../../kit/json-as-premise.ts'
import { accreditationAddress } from '../flow/accreditation-address.ts'
import { allHeld } from '../flow/all-held.ts'
import { judgeCredential } from '../flow/judge-credential.ts'
import { obtainCredential } from '../flow/obtain-credential.ts'
import type { IssuerContext } from '../issuer-context.ts'

/** That the accreditation covers the type is I65. */
const isAboutChain = (rule: string) =>
  /^(accreditation|attribute|trust)\./.test(rule) && rule !== 'trust.accredited-for'

export const check = defineCheck<IssuerContext>({
  id: 'I61',
  title: 'The accreditation of the issuer holds, up to the root',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.8'],
  description:
    'An issuer whose accreditation ended goes on in good faith, and every login with what it gave out fails.',
  sends: 'Takes an offer as documented, with a key that was never used before.',
  decides:
    "The attribute's did is the DID that kid names, and it is not REVOKED. What else is wrong with it is a WARN, since the documents do not say how a chain is walked: its body is signed by the TAO above it, and so on to one of the target's root DIDs. What types it covers is I65.",
  needs: ['trust'],
  async run(context) {
    const credential = await obtainCredential(context)
    const address = accreditationAddress(context, credential)
    const reading = context.httpAs('verifier').request(address)
    const { did, attribute } = await jsonAsPremise('The accreditation', reading)
    const issuerType = (attribute as { issuerType?: unknown } | undefined)?.issuerType
    const verdictSource = 'the attribute in the TIR'
    const issuer = String(credential.jws.header.kid).split('#')[0]
    if (did !== issuer) {
      const details = { expected: issuer, actual: did, verdictSource }
      return broken('The attribute is of another DID.', details)
    }
    if (issuerType === 'REVOKED') {
      return broken('The accreditation is revoked.', { actual: issuerType, verdictSource })
    }
    const chain = await judgeCredential(context, credential, isAboutChain)
    if (chain.kind !== 'held') return { ...chain, level: 'practice' }
    return allHeld([held(`It is ${issuerType}.`, { verdictSource }), chain])
  },
})
