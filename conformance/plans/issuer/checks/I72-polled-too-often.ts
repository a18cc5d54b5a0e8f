import { classifyStatus, errorOf } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { defer } from '../flow/defer.ts'
import type { IssuerContext } from '../issuer-context.ts'

const polls = 5

/** What an issuer may say to whoever asks too often. */
const patience = ['slow_down', 'issuance_pending']

export const check = defineCheck<IssuerContext>({
  id: 'I72',
  title: 'Who polls without a pause loses nothing',
  level: 'practice',
  expectation: 'advice',
  rows: ['1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.12'],
  description:
    'The documents name no interval. A wallet that is impatient is told to wait, and not that its token is bad.',
  sends: `POST /deferred_credential ${polls} times without a pause, before the credential is ready.`,
  decides: 'Each is answered 202, or that it came too soon (429, slow_down).',
  needs: ['deferred'],
  async run(context) {
    const deferred = await defer(context)
    for (let poll = 1; poll <= polls; poll++) {
      const answer = await deferred.poll()
      const { status } = answer
      const verdictSource = 'HTTP status of the deferred endpoint'
      if (status === 202 || status === 429 || patience.includes(errorOf(answer) ?? '')) continue
      const kind = classifyStatus(status)
      const told = `Poll ${poll} was answered ${status}`
      return kind === 'refused'
        ? broken(`${told}.`, { expected: 202, actual: status, verdictSource })
        : inconclusive(`${told}, which is no verdict: see I68.`, { verdictSource })
    }
    return held(`All ${polls} were told to wait.`, {
      verdictSource: 'HTTP status of the deferred endpoint',
    })
  },
})
