import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { requestOwnOffer } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/service-endpoints',
  title: 'Health, metrics and documentation of the issuer are there for everybody',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
Whoever runs an issuer looks at three addresses that need **no authentication**: \`/health\` with
\`{status: ok}\`, \`/metrics\` as text that collectors of metrics read, in which the request of a
moment ago is **counted**, and \`/swagger\` with the interactive documentation.`,
  references: [
    { document: 'Document 1', section: 'What the service does, rows 4, 5' },
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, rows 1 to 3' },
    { document: 'Document 1', section: 'Authentication, row 5' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    await step('A representative asks for a credential', async () => {
      const { bearerToken, power } = await foundOrganization(context)
      await requestOwnOffer(context, bearerToken, power)
    })
    const get = (path: string) => httpAs('operator').request(`${environment.issuerBaseUrl}${path}`)

    await step('GET /health says ok', async () => {
      expectEqual('the status', expectJson(await get('/health'), 200).status, 'ok')
    })
    await step('GET /metrics is text that counts requests', async () => {
      const { contentType, text } = expectStatus(await get('/metrics'), 200)
      expectMatch('its type', contentType, /^text\/plain\b/)
      expectMatch('a line of it', text, /^# TYPE issuer_\w+ \w+$/m)
      const sample = /^issuer_\w+\{[^}]*"\/issuance\/representative"[^}]*\} [1-9][0-9.e+]*$/m
      expectMatch('a sample about the request', text, sample)
    })
    await step('GET /swagger is a page, and what it loads is there', async () => {
      const first = await get('/swagger')
      const location = first.headers.get('location')
      const page =
        first.status >= 300 && first.status < 400 && location !== null
          ? await httpAs('operator').request(new URL(location, first.url).href)
          : first
      expectMatch('its type', expectStatus(page, 200).contentType, /^text\/html\b/)
      const base = page.url.endsWith('/') ? page.url : `${page.url}/`
      const script = page.text.match(/<script[^>]* src="([^"]+)"/)?.[1] ?? ''
      expectStatus(await httpAs('operator').request(new URL(script, base).href), 200)
    })
  },
})
