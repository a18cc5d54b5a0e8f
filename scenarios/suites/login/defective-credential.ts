import { type CredentialDefect, credentialDefects } from '#scenarios/fixtures/credential-defects.ts'
import { holdCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginFailure, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf } from '#scenarios/fixtures/login-page.ts'
import { presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectMatch, expectPresent, expectTrue } from '#scenarios/harness/expectations.ts'

const failing = (rule: string) => `
The wallet presents it correctly in every other way, whatever the request asks for. The verifier
answers its post with 200, as every presentation's, and the session ends as \`FAILED\`: the relying
party gets no code, and the page says why: its details name the rule \`${rule}\` first.`

const passing = `
Odd as it looks, nothing is wrong with it: the login has to succeed.`

function scenarioFor(defect: CredentialDefect, index: number): Scenario {
  const { name, check, what, rule, document, section } = defect
  const subject = `A credential ${what}`.replace(/,$/, '')
  return defineScenario({
    id: `login/defective-credential-${name}`,
    title: `${subject.replaceAll('`', '')} logs ${rule ? 'nobody' : 'its holder'} in`,
    category: 'Login',
    algorithms: oneAlgorithm(index),
    description: `
A wallet holds a credential ${what.replace(/,$/, '')} (check ${check}).
${rule ? failing(rule) : passing}`,
    references: [
      { document, section },
      { document: 'Document 1', section: 'States and transitions, rows 6, 7' },
    ],

    async run(context) {
      const { step, control } = context
      const wallet = context.createWallet()
      await step('A wallet holds such a credential', async () => {
        const holderDid = wallet.account.did
        const { credential } = await control.createDefectiveCredential({ defect: name, holderDid })
        await holdCredential(context, wallet, expectPresent('the credential', credential))
      })
      if (rule === undefined) {
        const tokens = await step('It logs its holder in', () => logIn(context, wallet))
        expectTrue('there is an id_token', tokens.idToken !== '')
        return
      }
      const page = await step('A login with it fails', () =>
        expectLoginFailure(context, wallet, presentRegardless),
      )
      await step('The page says why', () => {
        expectMatch('the page', page.text, /id="reason" role="alert">\s*\w/)
        const broken = brokenRulesOf(page)
        expectTrue(`${rule} is the first of the broken rules`, broken[0] === rule, broken)
      })
    },
  })
}

export const scenarios = credentialDefects.map(scenarioFor)
