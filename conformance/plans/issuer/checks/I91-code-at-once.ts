import { classifyStatus } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held, inconclusive } from '../../../kit/finding.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { readOffer } from '../flow/read-offer.ts'
import { requireControl } from '../flow/require-control.ts'
import type { IssuerContext } from '../issuer-context.ts'

const attempts = 5

export const check = defineCheck<IssuerContext>({
  id: 'I91',
  title: 'Of several that redeem a code at the same time one gets a token',
  level: 'final',
  expectation: 'refuse',
  clauses: ['OpenID4VCI 1.0, 4.1.1'],
  description: 'Who looks whether a code was used, and notes it later, is open to two at once.',
  sends: `The same token request ${attempts} times at once.`,
  decides: 'One is answered 200, the others 4xx.',
  async run(context) {
    await requireControl(context)
    const { resolved } = await readOffer(context)
    const answers = await Promise.all(
      Array.from({ length: attempts }, () => askForToken(context, resolved)),
    )
    const statuses = answers.map(({ status }) => status)
    const kinds = statuses.map(classifyStatus)
    const verdictSource = 'HTTP statuses of the token endpoint'
    const accepted = kinds.filter((kind) => kind === 'accepted').length
    const told = `Answered ${statuses.join(', ')}.`
    if (accepted > 1) return broken(told, { expected: 'one 200', actual: statuses, verdictSource })
    const isDecided =
      accepted === 1 && kinds.every((kind) => kind === 'accepted' || kind === 'refused')
    return isDecided ? held(told, { verdictSource }) : inconclusive(told, { verdictSource })
  },
})
