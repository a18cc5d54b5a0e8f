import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '#kit/load-config.ts'
import { zConnectorConfig } from '#services/connector/config.ts'
import { createConnectorService } from '#services/connector/create-connector-service.ts'
import { zIssuerConfig } from '#services/issuer/config.ts'
import { createIssuerService } from '#services/issuer/create-issuer-service.ts'
import { createManagementService } from '#services/management/create-management-service.ts'
import { validateAgainstSchema, verifyIssuedCredential } from '#test/support/foreign-verifiers.ts'
import { send } from '#test/support/http.ts'
import { readQrPng } from '#test/support/images.ts'
import {
  accreditationUrl,
  askIssuer,
  collectCredential,
  connectorApiKey,
  issuerApiKey,
  issuerDid,
  issuerPrivateKey,
  issuerVMethodId,
  listRecords,
  offerOf,
} from '#test/support/issuance.ts'
import { createStandingRuntime, type RunningService, startService } from '#test/support/services.ts'
import { type BearerIssuer, startBearerIssuer } from '#test/support/start-bearer-issuer.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const chain = ['VerifiableCredential', 'Mandate', 'MachineMandate', 'OrgMachineCredential']
const power = { type: 'machine', domain: 'ORG', function: 'Metering', action: ['submit'] }

/** The configuration of an operator for a second type, without any change of code. */
const credentialTypes = [
  { vcType: 'OrgPortalLearCredential' },
  {
    vcType: 'OrgMachineCredential',
    inheritedTypes: chain.slice(0, -1),
    connectorProfile: 'machines',
    validitySeconds: 86_400,
    schema: {
      title: 'A machine that acts for an organization',
      type: 'object',
      required: ['type', 'credentialSubject'],
      properties: {
        type: { const: chain },
        credentialSubject: {
          properties: {
            mandate: {
              properties: {
                power: { items: { properties: { type: { const: 'machine' } } } },
              },
            },
          },
        },
      },
    },
  },
]

interface ConfiguredSystem {
  readonly tokenIssuer: BearerIssuer
  readonly issuer: RunningService
  readonly machines: RunningService
}

/** Issuer and two Connectors, configured only by environment variables and files. */
async function startFromFiles(): Promise<ConfiguredSystem> {
  const folder = createTemporaryFolder()
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value, null, 2))
    return join(folder, name)
  }
  const typesFile = write('credential-types.json', credentialTypes)
  // Issuer and Connector each read the clock.
  const runtime = createStandingRuntime()
  const signing = {
    ISSUER_DID: issuerDid,
    ISSUER_PRIVATE_KEY: issuerPrivateKey,
    ISSUER_VMETHOD_ID: issuerVMethodId,
    CREDENTIAL_TYPES_FILE: typesFile,
  }
  const tokenIssuer = await startBearerIssuer('ES256')
  const organizations = [{ organizationIdentifier: 'VATES-A12345678', authorizedPowers: [power] }]
  const management = await startService((baseUrl) =>
    createManagementService({ baseUrl, organizations }, runtime),
  )
  const connectors: RunningService[] = []
  const startConnector = async (profile: string, issuerUrl: string) => {
    const connector = await startService((baseUrl) =>
      createConnectorService(
        loadConfig(zConnectorConfig, {
          ...signing,
          BASE_URL: baseUrl,
          API_KEYS: JSON.stringify([connectorApiKey]),
          ISSUER_URL: issuerUrl,
          ISSUER_API_KEY: issuerApiKey,
          PROFILE: profile,
          ACCREDITATION_URL: accreditationUrl,
        }),
        runtime,
      ),
    )
    connectors.push(connector)
    return { name: profile, url: connector.baseUrl, apiKey: connectorApiKey }
  }
  const issuer = await startService(async (baseUrl) => {
    const profiles = [
      await startConnector('default', baseUrl),
      await startConnector('machines', baseUrl),
    ]
    return createIssuerService(
      loadConfig(zIssuerConfig, {
        ...signing,
        BASE_URL: baseUrl,
        JWKS_URI: tokenIssuer.jwksUri,
        API_KEYS: JSON.stringify([issuerApiKey]),
        MANAGEMENT_API_URL: management.baseUrl,
        CONNECTOR_PROFILES_FILE: write('connector-profiles.json', profiles),
        REPRESENTATIVE_VC_TYPE: 'OrgMachineCredential',
        SMTP_URL: 'smtp://127.0.0.1:1',
      }),
      runtime,
    )
  })
  const [, machines] = connectors
  if (!machines) throw new Error('no connector')
  onTestFinished(async () => {
    for (const service of [issuer, ...connectors, management]) await service.stop()
    await tokenIssuer.stop()
  })
  return { tokenIssuer, issuer, machines }
}

describe('a second credential type', () => {
  // @row 1.endpoints/credential-issuer.13 1.endpoints/credential-issuer.6
  it('is issued from configuration files only', async () => {
    const { tokenIssuer, issuer, machines } = await startFromFiles()
    const authorization = `Bearer ${await tokenIssuer.mint()}`
    const asked = { issuer, tokenIssuer }
    const identifiers = await askIssuer(asked, 'identifiers', { subject_id: 'anybody' })
    expect(identifiers.body).toEqual({
      vc_types: ['OrgPortalLearCredential', 'OrgMachineCredential'],
    })

    const qr = await send(`${issuer.baseUrl}/issuance/representative`, {
      headers: { authorization },
      json: { power: [power] },
    })
    expect(qr.status).toBe(200)
    const link = new URL(readQrPng(await qr.arrayBuffer()))
    expect(offerOf(link)).toMatchObject({
      credential_issuer: machines.baseUrl,
      credentials: ['OrgMachineCredential'],
    })
    const metadata = await fetch(`${machines.baseUrl}/.well-known/openid-credential-issuer`)
    expect(await metadata.json()).toMatchObject({
      credentials_supported: [{}, { id: 'OrgMachineCredential', types: chain }],
    })

    const answer = await collectCredential(link, { types: chain })
    expect(answer.status).toBe(200)
    const { payload } = await verifyIssuedCredential(String(answer.body.credential))
    expect(payload.vc.type).toEqual(chain)
    expect(Number(payload.exp) - Number(payload.nbf)).toBe(86_400)

    const schema = await (await fetch(payload.vc.credentialSchema.id)).json()
    expect(schema).toMatchObject({ title: 'A machine that acts for an organization' })
    expect(validateAgainstSchema(schema as object, payload.vc)).toEqual([])

    await expect
      .poll(() => listRecords(asked))
      .toMatchObject([
        { vc_type: 'OrgMachineCredential', status: 'issued', credential_id: payload.jti },
      ])
  })
})
