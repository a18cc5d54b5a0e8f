import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { beginLogin, completeLogin, type LoginAttempt } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import {
  type CheckedFault,
  describeOthers,
  oneFaultPerCheck,
  referencesOf,
} from '#scenarios/fixtures/wallet-faults.ts'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import {
  defineScenario,
  oneAlgorithm,
  type Scenario,
  type ScenarioContext,
  scenarioAlgorithms,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { presentationFaults } from '#wallet-emulator/faults/find-faults.ts'
import { presentationSignatureFaults } from '#wallet-emulator/faults/presentation-faults.ts'
import type {
  ExpectedOutcome,
  FailedSession,
  RefusedRequest,
  UnchangedSession,
  WalletFault,
} from '#wallet-emulator/faults/wallet-fault.ts'

interface Attempt extends LoginAttempt {
  readonly context: ScenarioContext
  readonly deviating: Wallet
  readonly correct: Wallet
}

const entailedBy = ({ entails = [] }: FailedSession) =>
  entails.length === 0
    ? ''
    : `, with ${entails.map((rule) => `\`${rule}\``).join(', ')} that fail as a consequence`

function describeOutcome({ expected }: WalletFault): string {
  switch (expected.at) {
    case 'verdict':
      return `The session ends as \`FAILED\` only because of \`${expected.rule}\`${entailedBy(expected)}, and the
relying party gets no code.`
    case 'session':
      return expected.status === 'PENDING'
        ? 'The post has no effect: the session stays open, and the same wallet logs in without the deviation.'
        : 'The repetition has no effect: the first post has logged the holder in.'
    case 'nowhere':
      return `${expected.because}: the login succeeds.`
    default:
      return `The verifier answers ${expected.status}. The session stays open, and the same wallet
logs in without the deviation.`
  }
}

async function expectSuccess({ login, relyingParty }: LoginAttempt): Promise<void> {
  const { idToken } = await completeLogin({ login, relyingParty })
  expectTrue('there is an id_token', idToken !== '')
}

/** The session fails by exactly this rule, which its page shows, and does not lead to the relying party. */
async function expectVerdict(
  { context, deviating, login }: Attempt,
  { rule, entails = [] }: FailedSession,
): Promise<void> {
  const { step } = context
  await step('The wallet presents it with the deviation', () =>
    presentCredential(context, deviating, login.link),
  )
  await step('The login fails, and the page gives the reason', async () => {
    await login.awaitEnd('FAILED')
    const page = await login.reload()
    expectEqual(
      'the broken rules',
      [...new Set(brokenRulesOf(page))].sort(),
      [rule, ...entails].sort(),
    )
    expectTrue('the browser stays at the IDP', page.status === 200, `${page.status} ${page.url}`)
  })
}

/** The post is answered and has no effect. */
async function expectNoEffect(attempt: Attempt, { status }: UnchangedSession): Promise<void> {
  const { context, deviating, correct, login } = attempt
  const { step } = context
  await step('The wallet presents it with the deviation', async () => {
    const { redirectUri } = await presentCredential(context, deviating, login.link)
    expectEqual('the address for the wallet', redirectUri, undefined)
    expectEqual('the session', await readSessionStatus(context, login.sessionCode), status)
  })
  if (status === 'PENDING') {
    await step('It presents it again, correctly', () =>
      presentCredential(context, correct, login.link),
    )
  }
  await step('The login succeeds', () => expectSuccess(attempt))
}

/** The verifier rejects the post. */
async function expectRefusal(attempt: Attempt, { status, error }: RefusedRequest): Promise<void> {
  const { context, deviating, correct, login } = attempt
  const { step } = context
  await step('The verifier rejects the post of the wallet', async () => {
    const work = presentCredential(context, deviating, login.link)
    const code = 'presentation_refused'
    await expectWalletRefusal('the post', work, { code, status, error })
    expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
  })
  await step('It presents it again, correctly, and logs in', async () => {
    await presentCredential(context, correct, login.link)
    await expectSuccess(attempt)
  })
}

async function expectAcceptance(attempt: Attempt): Promise<void> {
  const { context, deviating, login } = attempt
  await context.step('The wallet presents it with the deviation and logs in', async () => {
    await presentCredential(context, deviating, login.link)
    await expectSuccess(attempt)
  })
}

function expectOutcome(attempt: Attempt, expected: ExpectedOutcome): Promise<void> {
  switch (expected.at) {
    case 'verdict':
      return expectVerdict(attempt, expected)
    case 'session':
      return expectNoEffect(attempt, expected)
    case 'nowhere':
      return expectAcceptance(attempt)
    default:
      return expectRefusal(attempt, expected)
  }
}

function scenarioFor(checked: CheckedFault, index: number): Scenario {
  const { fault, check, rule } = checked
  const { name, description, expected } = fault
  const isAboutAlgorithms = presentationSignatureFaults.includes(fault)
  return defineScenario({
    id: `login/deviating-wallet-${name}`,
    title: `${expected.at === 'nowhere' ? 'Accepted' : 'Rejected'}: ${description.replace(/\.$/, '')}`,
    algorithms: fault.algorithms ?? (isAboutAlgorithms ? scenarioAlgorithms : oneAlgorithm(index)),
    description: `
${description} Everything else is correct (check ${check}, fault \`${name}\`).

Rule: ${rule}.

${describeOutcome(fault)}${describeOthers(checked)}`,
    references: referencesOf(checked),

    async run(context) {
      const { step } = context
      const deviating = context.createWallet({ faults: [fault] })
      const correct = { ...deviating, faults: [] }
      await step('A wallet holds a credential', () => collectCredential(context, correct))
      const login = await step('A relying party begins a login', beginLogin)
      await expectOutcome({ ...login, context, deviating, correct }, expected)
    },
  })
}

export const scenarios = oneFaultPerCheck(presentationFaults).map(scenarioFor)
