import { findJsonProblem } from '#core/json/read-json.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

/** What wallets send in the wild; none of it is a reason to answer no JSON. */
const acceptHeaders = [
  'application/json',
  '*/*',
  'text/html,application/xhtml+xml;q=0.9',
  'application/xml',
  'application/json;q=0.1, text/plain',
  '',
  'nonsense',
]

export const scenario = defineScenario({
  id: 'issuance/metadata',
  title: "The issuer's metadata, for strict and for careless readers",
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
Every wallet begins here, and each has another JSON reader and other habits. The metadata needs no
authentication, is sound JSON (no byte order mark, no name twice, UTF-8), has every documented member,
and comes whatever \`Accept\` says: real issuers were found to answer 406 or 500 to an unusual one.`,
  references: [
    { document: 'Document 1', section: 'Issuer metadata, rows 1 to 3' },
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 1, 3' },
    { document: 'Document 1', section: 'Supported curves, row 4' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { credentialIssuerUrl } = environment
    const url = `${credentialIssuerUrl}/.well-known/openid-credential-issuer`
    const read = (headers: Readonly<Record<string, string>> = {}) =>
      httpAs('wallet').request(url, { headers })

    const metadata = await step('Anybody reads the metadata', async () => {
      const answer = await read()
      const problem = findJsonProblem(Buffer.from(answer.bytes))
      expectEqual('what a strict reader finds wrong', problem, undefined)
      return expectJson(answer, 200)
    })
    await step('It names the issuer and its endpoints', () => {
      expectEqual('credential_issuer', metadata.credential_issuer, credentialIssuerUrl)
      expectEqual(
        'credential_endpoint',
        metadata.credential_endpoint,
        `${credentialIssuerUrl}/credential`,
      )
    })
    await step('Each entry of credentials_supported is complete', () => {
      const entries = metadata.credentials_supported as Record<string, unknown>[]
      expectTrue('there is one at least', Array.isArray(entries) && entries.length > 0, entries)
      for (const entry of entries) {
        expectIncludes(`the entry ${entry.id}`, entry, {
          format: 'jwt_vc_json',
          cryptographic_binding_methods_supported: ['did:key', 'did:jwk'],
          cryptographic_suites_supported: ['ES256K', 'EdDSA'],
        })
        expectMatch('its id', entry.id, /./)
        const types = entry.types as unknown[]
        expectTrue('its types have VerifiableCredential', types.includes('VerifiableCredential'))
      }
      const ids = entries.map(({ id }) => id)
      expectEqual('ids that stand twice', ids.length - new Set(ids).size, 0)
      expectTrue('the LEAR credential is there', ids.includes('OrgPortalLearCredential'), ids)
    })
    await step('It comes to whoever asks, whatever they accept', async () => {
      for (const accept of acceptHeaders) {
        expectEqual(`for ${accept}`, expectJson(await read({ accept }), 200), metadata)
      }
      const head = await httpAs('wallet').request(url, { method: 'HEAD' })
      expectMatch('the type of a HEAD', head.contentType, /^application\/json\b/)
      expectEqual('the status of a HEAD', head.status, 200)
    })
    await step('It is no place to write to', async () => {
      const answer = await httpAs('wallet').request(url, { method: 'POST', json: {} })
      expectTrue('a POST is a 4xx', answer.status >= 400 && answer.status < 500, answer.status)
      expectStatus(await read({ 'if-none-match': '"nothing"' }), 200)
    })
  },
})
