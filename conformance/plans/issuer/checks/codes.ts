import { broken, defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForToken, reachAnswer, readOffer } from '../redeeming.ts'
import { findWalletRefusal } from '../refusals.ts'

const attempts = 5

export const checks = defineChecks<IssuerContext>({
  'I14-code-reused': {
    title: 'A code works once',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 4.1.1', 'RFC 6749, 5.2'],
    description:
      'Whoever read the QR code over the shoulder of its holder redeems it as well, and nobody notices.',
    sends: 'The same token request twice.',
    decides: 'The first brings a token; the second is answered 4xx with invalid_grant.',
    async run(context) {
      const { resolved } = await readOffer(context)
      await reachAnswer('the first token request', askForToken(context, resolved))
      return findWalletRefusal(await askForToken(context, resolved), {
        what: 'The second token request with the same code',
        errors: ['invalid_grant'],
      })
    },
  },
  'I15-code-expired': {
    title: 'A code ends after its time',
    level: 'spec',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.states-and-transitions.5', '1.limits.1'],
    clauses: ['OpenID4VCI 1.0, 6.3'],
    description: 'A QR code on a screenshot or in a mailbox must not be worth anything days later.',
    sends:
      'Lets the lifetime of codes and a second more pass after an offer was read, then the token request.',
    decides:
      'The token endpoint answers 4xx, by OpenID4VCI with invalid_grant; a new offer works at the same time.',
    needs: ['clock'],
    async run(context) {
      const { resolved } = await readOffer(context)
      await context.advanceClock(context.offerLifetimeSeconds + 1)
      return findWalletRefusal(await askForToken(context, resolved), {
        what: `The token request ${context.offerLifetimeSeconds + 1} seconds after the offer was made`,
        errors: ['invalid_grant'],
      })
    },
  },
  'I91-code-at-once': {
    title: 'Of several that redeem a code at the same time one gets a token',
    level: 'final',
    expectation: 'refuse',
    control: 'offer',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description: 'Who looks whether a code was used, and notes it later, is open to two at once.',
    sends: `The same token request ${attempts} times at once.`,
    decides: 'One is answered 200, the others 4xx.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const answers = await Promise.all(
        Array.from({ length: attempts }, () => askForToken(context, resolved)),
      )
      const statuses = answers.map(({ status }) => status)
      const kinds = statuses.map(classifyStatus)
      const verdictSource = 'HTTP statuses of the token endpoint'
      const accepted = kinds.filter((kind) => kind === 'accepted').length
      const told = `Answered ${statuses.join(', ')}.`
      if (accepted > 1)
        return broken(told, { expected: 'one 200', actual: statuses, verdictSource })
      const isDecided =
        accepted === 1 && kinds.every((kind) => kind === 'accepted' || kind === 'refused')
      return isDecided ? held(told, { verdictSource }) : inconclusive(told, { verdictSource })
    },
  },
})
