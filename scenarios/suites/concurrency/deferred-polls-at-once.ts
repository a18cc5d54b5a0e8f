import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { askForDeferred, deferCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { atOnce, eventually } from '#scenarios/harness/waiting.ts'

const polls = 4

export const scenario = defineScenario({
  id: 'concurrency/deferred-polls-at-once',
  title: 'However many poll for a deferred credential, there is only one',
  category: 'Concurrency',
  algorithms: ['ES256K'],
  description: `
A wallet polls for a deferred credential ${polls} times at once, round after round, until it is there.
Each answer is 202, 200, or a refusal of a token that has been used up; none is a server's fault, and
whatever credential is handed out is one and the same.`,
  references: [
    { document: 'Document 1', section: 'States and transitions, rows 8, 9' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { acceptanceToken } = await step('A wallet is told to come back in a second', () =>
      deferCredential(context, wallet, { deferredSeconds: 1 }),
    )
    const round = () => atOnce(polls, () => askForDeferred(context, acceptanceToken))
    const answers = await step(`It polls ${polls} times at once until it is there`, () =>
      eventually(
        'the credential',
        async () => {
          const all = await round()
          const faults = all.filter(({ status }) => status >= 500)
          expectEqual('the faults', faults.length, 0)
          return all.some(({ status }) => status === 200) ? all : undefined
        },
        context,
      ),
    )
    await step('There is one credential', () => {
      const credentials = new Set(
        answers
          .filter(({ status }) => status === 200)
          .map(({ json }) => (json as { credential: string }).credential),
      )
      expectEqual('the number of different credentials', credentials.size, 1)
      const { vc } = readCredential([...credentials][0] ?? '')
      expectEqual('the holder', vc.credentialSubject.id, wallet.account.did)
      const statuses = answers.map(({ status }) => status)
      expectTrue(
        'the others are 202, 200 or 400',
        statuses.every((s) => [200, 202, 400].includes(s)),
        statuses,
      )
    })
  },
})
