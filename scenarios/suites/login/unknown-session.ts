import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/unknown-session',
  title: 'Whoever polls a session that there is not learns nothing',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
The state of a session is public for whoever has its code: the answer is **exactly** \`{status}\`.
A code that was never given, one that can be none, and none at all are all 404 with the same body, so
that nobody learns how codes look by asking. Codes are random: two logins have two that share no
beginning.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'Document 1', section: 'Authentication, row 5' },
    { document: 'Assumptions', section: 'A-31, A-36' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const poll = (query: Record<string, string>) =>
      httpAs('stranger').request(
        `${environment.idpBaseUrl}/idp/api/auth/requests?${new URLSearchParams(query)}`,
      )
    const sessionCode = await step('Two logins have a session code each', async () => {
      const [one, other] = [await beginLogin(context), await beginLogin(context)]
      // 128 bits in base64url.
      const code = expectMatch('the code', one.login.sessionCode, /^[\w-]{22,}$/)
      const start = other.login.sessionCode.slice(0, 4)
      expectEqual('whether they begin alike', code.startsWith(start), false)
      return code
    })
    await step('With a code there is the state and nothing else', async () => {
      expectEqual('the answer', expectJson(await poll({ session: sessionCode }), 200), {
        status: 'PENDING',
      })
    })
    await step('Every other code is 404, with one body for all of them', async () => {
      const [first = '', ...rest] = sessionCode
      const queries: readonly Record<string, string>[] = [
        { session: [first === 'A' ? 'B' : 'A', ...rest].join('') },
        { session: sessionCode.slice(0, -1) },
        { session: 'unknown' },
        { session: "' OR 1=1 --" },
        { session: '' },
        { session: 'x'.repeat(2000) },
        {},
      ]
      const bodies: string[] = []
      for (const query of queries) {
        bodies.push(expectStatus(await poll(query), 404).text)
      }
      expectEqual('the number of different bodies', new Set(bodies).size, 1)
    })
  },
})
