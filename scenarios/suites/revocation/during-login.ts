import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { createOwnIssuer, revokeAccreditation } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import {
  defineScenario,
  type Scenario,
  type ScenarioAlgorithm,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectMatch, expectTrue } from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

interface Revocation {
  readonly name: string
  readonly title: string
  readonly what: string
  readonly rule: string
  readonly why: RegExp
  readonly section: string
  readonly algorithm: ScenarioAlgorithm
  /** Gives the wallet its credential, and what revokes it. */
  readonly prepare: (context: ScenarioContext, wallet: Wallet) => Promise<() => Promise<void>>
}

const revocations: readonly Revocation[] = [
  {
    name: 'credential',
    title: 'A credential that is revoked while its holder reads the consent logs nobody in',
    what: 'the organization **revokes the credential**',
    rule: 'credential.status',
    why: /was revoked/,
    section: 'A-23',
    algorithm: 'ES256K',
    async prepare(context, wallet) {
      const { credentialId } = await collectCredential(context, wallet)
      return () => revokeCredential(context, credentialId)
    },
  },
  {
    name: 'accreditation',
    title: 'A credential whose issuer loses its accreditation during a login logs nobody in',
    what: "the TAO **revokes the accreditation** of the issuer, an issuer of the scenario's own",
    rule: 'trust.not-revoked',
    why: /not accredited/,
    section: 'A-18',
    algorithm: 'EdDSA',
    async prepare(context, wallet) {
      const { tao } = context.environment.trustChain
      const issuer = await createOwnIssuer(context)
      await giveOwnCredential(context, issuer, wallet)
      return () => revokeAccreditation(context, issuer, tao)
    },
  },
]

function scenarioFor({
  name,
  title,
  what,
  rule,
  why,
  section,
  algorithm,
  prepare,
}: Revocation): Scenario {
  return defineScenario({
    id: `revocation/during-login-${name}`,
    title,
    category: 'Revocation',
    algorithms: [algorithm],
    description: `
A wallet has scanned the code and verified the request; its holder is still reading what will be
shared. In that very moment ${what}. Then the holder approves.

What counts is how it stands **when the presentation is judged**, not when the code was shown: the
session ends as \`FAILED\` for \`${rule}\`, and the browser gets no code.`,
    references: [
      { document: 'Document 1', section: 'States and transitions, row 7' },
      { document: 'Assumptions', section },
    ],

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const revoke = await step('A wallet holds a credential', () => prepare(context, wallet))
      const { login } = await step('A relying party begins a login', () => beginLogin(context))
      await step('It is revoked between scan and approval', async () => {
        await presentCredential(context, wallet, login.link, async () => {
          await revoke()
          expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
        })
      })
      await step('The login fails, and the page says why', async () => {
        await login.awaitEnd('FAILED')
        const page = await login.reload()
        expectMatch('the page', page.text, why)
        const broken = brokenRulesOf(page)
        expectTrue(`${rule} alone is broken`, broken.join() === rule, broken)
      })
    },
  })
}

export const scenarios = revocations.map(scenarioFor)
