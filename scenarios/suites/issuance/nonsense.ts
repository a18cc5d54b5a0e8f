import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { type BearerEndpoint, listRecords } from '#scenarios/fixtures/portal.ts'
import { defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

const endpoints: readonly BearerEndpoint[] = [
  'representative',
  'employee',
  'identifiers',
  'credential',
  'credential/revoke',
]

/** Each sent as it is, with the content type. */
const bodies: readonly (readonly [
  what: string,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
])[] = [
  ['nothing', 'application/json', ''],
  ['half a text', 'application/json', '{"power": [{"type": "dom'],
  ['a list', 'application/json', '[[[]]]'],
  ['a number', 'application/json', '7'],
  ['null', 'application/json', 'null'],
  ['a name twice', 'application/json', '{"power":[],"power":[]}'],
  ['no UTF-8', 'application/json', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['a prototype', 'application/json', '{"__proto__":{"power":[]},"constructor":{}}'],
  ['deep nests', 'application/json', `{"power":${'['.repeat(150)}${']'.repeat(150)}}`],
  ['too much', 'application/json', `{"power":"${'x'.repeat(300_000)}"}`],
  ['a form', 'application/x-www-form-urlencoded', 'power=all'],
  ['XML', 'application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
]

export const scenarios = endpoints.map((endpoint, index) =>
  defineScenario({
    id: `issuance/nonsense-${endpoint.replace('/', '-')}`,
    title: `Nothing that a portal sends to /issuance/${endpoint} is a 5xx`,
    category: 'Issuance',
    algorithms: oneAlgorithm(index),
    description: `
A portal with a good token sends nonsense: half a JSON text, a name twice, a nest a hundred and fifty
deep, three hundred kilobytes, a form, XML with an entity. A client's mistake is a **4xx**, never a 500; the
answer shows nothing of the inside, and nothing was issued. The issuer is as well as before.`,
    references: [
      { document: 'Document 1', section: 'Endpoints, row 1 (all bodies are JSON)' },
      { document: 'Document 1', section: 'Errors, rows 2, 4' },
    ],

    async run(context) {
      const { step, environment, httpAs } = context
      const organization = await step('A representative of an organization', () =>
        foundOrganization(context),
      )
      const url = `${environment.issuerBaseUrl}/issuance/${endpoint}`
      const authorization = `Bearer ${organization.bearerToken}`
      for (const [what, contentType, body] of bodies) {
        await step(`The portal sends ${what}: a 4xx`, async () => {
          const headers = { authorization, 'content-type': contentType }
          const answer = await httpAs('portal').request(url, { method: 'POST', body, headers })
          const { status, text } = answer
          expectTrue('it is a 4xx', status >= 400 && status < 500, `${status} ${text}`)
          expectTrue('it shows no stack', !/\bat .*:\d+:\d+|node_modules/.test(text), text)
        })
      }
      await step('Nothing was issued', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
    },
  }),
)
