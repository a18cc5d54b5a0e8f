import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Environment } from '#scenarios/harness/z-testbed-file.ts'
import { send } from '#test/support/http.ts'
import { linkOf } from '#test/support/login-system.ts'
import {
  callControl,
  environmentOf,
  openLogin,
  openTestbedForTest,
  spawnTestbed,
} from '#test/support/running-testbed.ts'
import { startAnsweringServer } from '#test/support/servers.ts'
import { startBearerIssuer } from '#test/support/start-bearer-issuer.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { readServiceSettings } from '#testbed/services/read-configuration.ts'
import {
  type ConfiguredService,
  configSchemas,
  documentVariables,
  ownedSettings,
} from '#testbed/services/service-settings.ts'

const services = Object.keys(configSchemas) as ConfiguredService[]

function writeConfig(text: string): string {
  const file = join(createTemporaryFolder(), 'testbed.yaml')
  writeFileSync(file, text)
  return file
}

const problemsOf = async (text: string, environment = {}) => {
  const file = writeConfig(text)
  const error = await readServiceSettings({ file, environment }).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'invalid_configuration' })
  return String(error.message).replaceAll(file, 'FILE').split('\n')
}

describe('readServiceSettings', () => {
  it('prefers variables to the file, and leaves other settings to the services', async () => {
    const file = writeConfig(`
issuer:
  qrExpirationTime: 120
  mailLanguage: es
idp:
  metricNamespace: of_the_file
mail:
`)
    const environment = { QR_EXPIRATION_TIME: '60', METRIC_NAMESPACE: '', PATH: '/bin' }
    expect(await readServiceSettings({ file, environment })).toEqual({
      issuer: { qrExpirationTime: 60, mailLanguage: 'es' },
      idp: { qrExpirationTime: 60, metricNamespace: 'of_the_file' },
    })
    expect(await readServiceSettings({})).toEqual({})
    expect(await readServiceSettings({ file: writeConfig('# nothing yet\n') })).toEqual({})
  })

  it('lists all problems with their lines, suggestions and reasons', async () => {
    const text = `issuer:
  qrExpirationTme: 60
  baseUrl: https://issuer.example
  statusEntryType: Sometimes
  organizationLanguages:
    VATES-A12345678: xx
ipd:
  pollMilliseconds: 500
token-issuer: 5
verifier:
  verifierPrivateKey: '0x00'
  colour: red
`
    expect(await problemsOf(text, { QR_EXPIRATION_TIME: 'soon', JWKS_URI: 'nowhere' })).toEqual([
      'The configuration has 10 problems:',
      '  FILE:2: issuer.qrExpirationTme: unknown setting. Did you mean qrExpirationTime?',
      '  FILE:3: issuer.baseUrl: cannot be set here: it follows from --port-base, --bind and --public-url',
      '  FILE:4: issuer.statusEntryType: must be BitstringStatusListEntry, StatusList2021Entry or none',
      '  FILE:6: issuer.organizationLanguages.VATES-A12345678: must be en or es',
      '  FILE:8: ipd: unknown service. Did you mean idp?',
      '  FILE:9: token-issuer: must be a mapping of settings',
      expect.stringMatching(/^ {2}FILE:11: verifier.verifierPrivateKey: cannot be set here: /),
      expect.stringMatching(/^ {2}FILE:12: verifier.colour: unknown setting. Available: metricN/),
      expect.stringMatching(/^ {2}JWKS_URI: /),
      expect.stringMatching(/^ {2}QR_EXPIRATION_TIME: /),
    ])
  })

  it.each([
    ['a list', '- issuer', /FILE:1: must be a mapping of services: did-registry, tir/],
    ['no YAML', 'issuer:\n  a: "b\n', /FILE:\d+: /],
    ['a key twice', 'idp:\n  pollMilliseconds: 500\n  pollMilliseconds: 600\n', /FILE:3: /],
    ['inherited names', 'constructor: {}\nissuer: { toString: 1, __proto__: {} }', /3 problems/],
    [
      'aliases that expand exponentially',
      `a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
      /FILE: .*alias/,
    ],
  ])('rejects a file with %s', async (_what, text, problem) => {
    expect((await problemsOf(text)).join('\n')).toMatch(problem)
  })

  it('reports clients with the id of another client or of one of the testbed', async () => {
    const client = (clientId: string) =>
      `    - clientId: ${clientId}\n      clientSecret: a secret for tests\n      redirectUris: [http://localhost/]\n`
    const clients = ['my-app', 'my-app', 'relying-party'].map(client)
    expect(await problemsOf(`idp:\n  clients:\n${clients.slice(0, 2).join('')}`)).toContain(
      '  FILE:6: idp.clients.1.clientId: this client id is already used',
    )
    expect(await problemsOf(`idp:\n  clients:\n${clients.slice(1).join('')}`)).toContain(
      '  FILE:6: idp.clients.1.clientId: the testbed has a client with this id',
    )
  })

  it('says which file it could not read', async () => {
    const reading = readServiceSettings({ file: '/nowhere/testbed.yaml' })
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('/nowhere/testbed.yaml'),
    })
  })

  it('contains only existing settings in its tables', async () => {
    for (const service of services) {
      const { shape } = await configSchemas[service]()
      expect(Object.keys(shape)).toEqual(
        expect.arrayContaining(Object.keys(ownedSettings[service])),
      )
    }
    for (const targets of Object.values(documentVariables)) {
      for (const [service, key] of targets) {
        expect(Object.keys((await configSchemas[service as ConfiguredService]()).shape)).toContain(
          key,
        )
        expect(Object.keys(ownedSettings[service as ConfiguredService])).not.toContain(key)
      }
    }
  })
})

/** The page with the QR code of a login at the IDP, and the request behind it. */
async function readLogin(environment: Environment) {
  const page = await openLogin(environment)
  const requestUri = new URL(linkOf(page)).searchParams.get('request_uri') ?? ''
  const [, payload = ''] = (await (await fetch(requestUri)).text()).split('.')
  return { text: page.text, request: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
}

describe('testbed up', () => {
  // @row 1.what-the-service-does.5 1.limits.1
  // @row 1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7
  it('follows QR_EXPIRATION_TIME, METRIC_NAMESPACE and OID_CREDENTIAL', async () => {
    vi.stubEnv('QR_EXPIRATION_TIME', '4000')
    vi.stubEnv('METRIC_NAMESPACE', 'acme')
    vi.stubEnv('OID_CREDENTIAL', 'AnotherCredential')
    onTestFinished(() => void vi.unstubAllEnvs())
    const file = await spawnTestbed(createTemporaryFolder()).healthy
    const environment = environmentOf(file)

    const { text, request } = await readLogin(environment)
    expect(text).toMatch(/data-remaining="(4000|3999|3998)"/)
    expect(request.dcql_query.credentials[0].meta.vct_values).toEqual(['AnotherCredential'])
    for (const url of [environment.issuerBaseUrl, environment.idpBaseUrl]) {
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^acme_http_requests_total/m)
    }

    const { body } = await callControl(file, '/pre/offers', { json: {} })
    const offer = JSON.parse(new URL(body.offer_uri).searchParams.get('credential_offer') ?? '')
    const [grant] = Object.entries<Record<string, string>>(offer.grants)
    const redeem = async () => {
      const answer = await fetch(`${environment.issuerBaseUrl}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: grant?.[0] ?? '',
          'pre-authorized_code': grant?.[1]['pre-authorized_code'] ?? '',
        }),
      })
      return answer.status
    }
    await callControl(file, '/clock', { json: { advance_seconds: 4001 } })
    expect(await redeem()).toBe(400)
    await callControl(file, '/clock', { method: 'DELETE' })
    expect(await redeem()).toBe(200)
  })

  // @row 1.resources-and-their-fields/power-object.6 1.authentication.1
  it('follows --config, MANAGEMENT_API_URL and JWKS_URI', async () => {
    const organizationIdentifier = 'VATES-A12345678'
    const power = { type: 'Domain', domain: 'ELSEWHERE', function: 'Sales', action: ['Execute'] }
    const management = await startAnsweringServer(({ path }) =>
      path === `/managements/organization/${organizationIdentifier}`
        ? {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: {
              organization_identifier: organizationIdentifier,
              role: { type: 'LEGAL_REPRESENTATIVE', policies: [power] },
            },
          }
        : { status: 404 },
    )
    const tokenIssuer = await startBearerIssuer()
    onTestFinished(() => tokenIssuer.stop())
    const myApp = { clientId: 'my-app', redirectUri: 'http://127.0.0.1:9/callback' }
    const settings = await readServiceSettings({
      file: writeConfig(`
idp:
  pollMilliseconds: 700
  clients:
    - clientId: ${myApp.clientId}
      clientSecret: a secret for tests
      redirectUris: [${myApp.redirectUri}]
      name: My application
connector:
  # A slash at the end is taken away.
  credentialIssuerUrl: https://wallets.example/
issuer:
  managementApiUrl: https://overridden.example
mail:
  maxMessageBytes: 4096
`),
      environment: { MANAGEMENT_API_URL: management.url, JWKS_URI: tokenIssuer.jwksUri },
    })
    const { testbed, pre: environment, control } = await openTestbedForTest({ settings })
    const { addresses } = testbed

    expect((await readLogin(environment)).text).toContain('data-poll="700"')
    const oidcClient = { ...environment.oidcClient, ...myApp }
    expect((await readLogin({ ...environment, oidcClient })).text).toContain('My application')
    expect(environment.managementApiUrl).toBe(management.url)
    expect(addresses.map(({ url }) => url)).toContain(management.url)
    expect(environment.credentialIssuerUrl).toBe('https://wallets.example')

    const request = (token: string) =>
      send(`${environment.issuerBaseUrl}/issuance/representative`, {
        headers: { authorization: `Bearer ${token}` },
        json: { power: [power] },
      })
    const qr = await request(
      await tokenIssuer.mint({ organization_identifier: organizationIdentifier }),
    )
    expect([qr.status, qr.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(management.requests).toHaveLength(1)

    const { body } = await control('/pre/bearer-tokens', {
      json: { organization_identifier: organizationIdentifier },
    })
    expect((await request(body.access_token)).status).toBe(401)
    expect(await control('/pre/organizations')).toMatchObject({
      status: 409,
      body: { error: 'foreign_management_api' },
    })
  })

  it('exits with code 2 for an invalid file, before it starts anything', async () => {
    const file = writeConfig('idp:\n  baseUrl: https://idp.example\n')
    const testbed = spawnTestbed(createTemporaryFolder(), '--config', file)
    expect(await testbed.ended).toBe(2)
    expect(testbed.stderr()).toContain(`${file}:2: idp.baseUrl: cannot be set here`)
    expect(testbed.stderr()).not.toContain('    at ')
  })
})
