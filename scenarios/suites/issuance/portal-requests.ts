import { credentialTypeOf, foundOrganization } from '#scenarios/fixtures/organizations.ts'
import {
  askIssuer,
  type BearerEndpoint,
  documentedMessages,
  expectIssuerRefusal,
  listRecords,
  requestOwnOffer,
} from '#scenarios/fixtures/portal.ts'
import { cite, defineScenario, oneAlgorithm } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectTrue } from '#scenarios/harness/expectations.ts'

const power = { type: 'domain', domain: 'ORG', function: 'Onboarding', action: ['execute'] }

const cases: readonly { name: string; title: string; power: unknown }[] = [
  { name: 'no-actions', title: 'a power without an action', power: [{ ...power, action: [] }] },
  { name: 'no-powers', title: 'an empty list of powers', power: [] },
  { name: 'power-missing', title: 'a missing power', power: undefined },
  { name: 'power-no-list', title: 'a power that is not a list', power },
  {
    name: 'action-a-text',
    title: 'an action that is a string',
    power: [{ ...power, action: 'execute' }],
  },
  { name: 'type-missing', title: 'a power without a type', power: [{ ...power, type: undefined }] },
  {
    name: 'domain-missing',
    title: 'a power without a domain',
    power: [{ ...power, domain: undefined }],
  },
  {
    name: 'function-a-number',
    title: 'a power whose function is a number',
    power: [{ ...power, function: 7 }],
  },
  { name: 'one-of-two-broken', title: 'a valid power and an invalid one', power: [power, {}] },
]

const malformedRequest = cases.map(({ name, title, power: requested }, index) =>
  defineScenario({
    id: `issuance/malformed-request-${name}`,
    title: `A request with ${title} is rejected`,
    algorithms: oneAlgorithm(index),
    description: `
A portal sends ${title}. A Power object requires a type, a domain, a function and **at least one action**,
and a mandate requires at least one power. Otherwise both endpoints return 400 with the documented
message, before the issuer asks which powers the organization may grant, and never with a 500.`,
    references: cite(
      'Profile: 1.resources-and-their-fields/power-object.1..4',
      'Profile: 1.errors.2',
      'Profile: 1.limits.4, 1.limits.5',
    ),

    async run(context) {
      const { step, uniqueName } = context
      const organization = await step('A representative of an organization', foundOrganization)
      const { bearerToken } = organization
      for (const [endpoint, json] of [
        ['representative', { power: requested }],
        ['employee', { email: `nobody.${uniqueName}@example.org`, power: requested }],
      ] as const) {
        await step(`POST /issuance/${endpoint} with ${title}: 400`, async () => {
          const answer = await askIssuer(context, endpoint, bearerToken, json)
          expectIssuerRefusal(answer, 400, documentedMessages.missingData)
        })
      }
      await step('The issuer has no record', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
      await step('The corrected request yields a QR code', () =>
        requestOwnOffer(context, bearerToken, organization.power),
      )
    },
  }),
)

const endpoints: readonly BearerEndpoint[] = [
  'representative',
  'employee',
  'identifiers',
  'credential',
  'credential/revoke',
]

/** Each body is sent unchanged, with its content type. */
const bodies: readonly (readonly [
  what: string,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
])[] = [
  ['nothing', 'application/json', ''],
  ['incomplete JSON', 'application/json', '{"power": [{"type": "dom'],
  ['a list', 'application/json', '[[[]]]'],
  ['a number', 'application/json', '7'],
  ['null', 'application/json', 'null'],
  ['a duplicate name', 'application/json', '{"power":[],"power":[]}'],
  ['invalid UTF-8', 'application/json', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
  ['a prototype', 'application/json', '{"__proto__":{"power":[]},"constructor":{}}'],
  ['deep nesting', 'application/json', `{"power":${'['.repeat(150)}${']'.repeat(150)}}`],
  ['a large body', 'application/json', `{"power":"${'x'.repeat(300_000)}"}`],
  ['a form', 'application/x-www-form-urlencoded', 'power=all'],
  ['XML', 'application/xml', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
]

const nonsense = endpoints.map((endpoint, index) =>
  defineScenario({
    id: `issuance/nonsense-${endpoint.replace('/', '-')}`,
    title: `/issuance/${endpoint} rejects invalid requests without a server error`,
    algorithms: oneAlgorithm(index),
    description: `
A portal with a valid token sends invalid requests: incomplete JSON, a duplicate name, a hundred and fifty
levels of nesting, three hundred kilobytes, a form, XML with an entity. A client's mistake is a **4xx**,
never a 500. The response does not reveal internals, nothing is issued, and the issuer still works.`,
    references: cite('Profile: 1.endpoints.1', 'Profile: 1.errors.2, 1.errors.4'),

    async run(context) {
      const { step, environment, httpAs } = context
      const organization = await step('A representative of an organization', foundOrganization)
      const url = `${environment.issuerBaseUrl}/issuance/${endpoint}`
      const authorization = `Bearer ${organization.bearerToken}`
      for (const [what, contentType, body] of bodies) {
        await step(`The portal sends ${what}: a 4xx`, async () => {
          const headers = { authorization, 'content-type': contentType }
          const answer = await httpAs('portal').request(url, { method: 'POST', body, headers })
          const { status, text } = answer
          expectTrue('it is a 4xx', status >= 400 && status < 500, `${status} ${text}`)
          expectTrue(
            'it does not contain a stack trace',
            !/\bat .*:\d+:\d+|node_modules/.test(text),
            text,
          )
        })
      }
      await step('Nothing was issued', async () => {
        expectEqual('the records', await listRecords(context, organization), [])
      })
    },
  }),
)

const identifiers = defineScenario({
  id: 'issuance/identifiers',
  title: 'A portal asks which credential types can be issued to a subject',
  algorithms: ['ES256K'],
  description: `
Before it shows a form, a portal asks which credential types can be issued to a subject. The response is
the list of types that the issuer is **configured** for. Each of them is in the metadata for wallets too.
A request without a subject is a 400.`,
  references: cite(
    'Profile: 1.endpoints/credential-issuer.6',
    'Profile: 1.resources-and-their-fields/issuedcredential.3',
    'Assumptions: A-43',
  ),

  async run(context) {
    const { step, environment, httpAs, uniqueName } = context
    const { bearerToken } = await step('A representative of an organization', foundOrganization)
    const ask = (json: unknown) => askIssuer(context, 'identifiers', bearerToken, json)

    const types = await step('Their portal asks for a subject', async () => {
      const { vc_types, ...others } = expectJson(await ask({ subject_id: uniqueName }), 200)
      expectTrue('vc_types is a list of strings', Array.isArray(vc_types), vc_types)
      expectEqual('further members', others, {})
      return vc_types as unknown[]
    })
    await step(
      "The LEAR credential is among them, and each is in the issuer's metadata",
      async () => {
        expectTrue('it is there', types.includes(credentialTypeOf(environment).vcType), types)
        const url = `${environment.credentialIssuerUrl}/.well-known/openid-credential-issuer`
        const metadata = expectJson(await httpAs('wallet').request(url), 200)
        const offered = (metadata.credentials_supported as { id: unknown }[]).map(({ id }) => id)
        const unknown = types.filter((type) => !offered.includes(type))
        expectEqual('types that are missing in the metadata', unknown, [])
      },
    )
    await step('Without a subject it is a 400', async () => {
      for (const json of [{}, { subject_id: '' }, { subject_id: 7 }, { subject_id: null }, []]) {
        expectIssuerRefusal(await ask(json), 400)
      }
    })
  },
})

export const scenarios = [...malformedRequest, ...nonsense, identifiers]
