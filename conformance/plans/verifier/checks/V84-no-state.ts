import { held } from '../../../kit/finding.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { findNotAccepted } from '../expect-verdict.ts'
import { withFaults } from '../presentation-case.ts'

export const check = defineVerifierCheck({
  id: 'V84',
  title: 'A form without state is accepted',
  level: 'spec',
  expectation: 'accept',
  control: 'presentation',
  rows: ['1.endpoints/endpoint-a-verifier-exposes-to-the-wallet.1'],
  description:
    "The documents' wallets send two fields, vp_token and presentation_submission; a verifier that waits for a third one never hears of them.",
  sends: 'A good presentation whose form has no state.',
  decides:
    'It has to be accepted. Where the request had a state, refusing it is a WARN: OpenID4VP has wallets send it back.',
  async run({ openRequest, present, observe }) {
    const opened = await openRequest()
    const answer = await present(opened, withFaults('response-missing-state')[0])
    const observation = await observe(opened, answer)
    const finding = findNotAccepted('A good presentation without state.', observation)
    if (finding === undefined) {
      return held(`Accepted. ${observation.reason}`, { verdictSource: observation.source })
    }
    const hadState = opened.parameters.state !== undefined
    return finding.kind === 'broken' && hadState ? { ...finding, level: 'final' } : finding
  },
})
