import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

const hex = (digit: string, length: number) => `0x${digit.repeat(length)}`

const member = (name: string) => ({
  did: `did:org:uc-pre:z1${name}`,
  attributeId: 'a'.repeat(64),
  privateKey: hex('1', 64),
  vMethodId: 'v'.repeat(43),
})

const organization = (organizationIdentifier: string) => ({
  organizationIdentifier,
  organization: 'An organization',
  representative: { email: 'representative@example.org', userIdentifier: 'user-1' },
  authorizedPowers: [
    { type: 'domain', domain: 'portal', function: 'onboarding', action: ['read'] },
  ],
})

/** A complete `testbed.json` whose addresses all lead to one server. */
export function createTestbedFile(origin: string): TestbedFile {
  const client = { clientId: 'client', clientSecret: 'secret', redirectUri: `${origin}/callback` }
  const account = { username: 'user', password: 'password' }
  return {
    schemaVersion: 1,
    pid: 4242,
    startedAt: '2026-11-21T10:00:00.000Z',
    control: { url: `${origin}/control`, token: 'control-token' },
    consoleUrl: origin,
    mail: { smtpUrl: 'smtp://127.0.0.1:4025', apiUrl: `${origin}/mail` },
    environments: {
      pre: {
        didPrefix: 'did:org:uc-pre:',
        chain: {
          rpcUrl: origin,
          chainId: '0x7a69',
          didRegistryAddress: hex('2', 40),
          tirAddress: hex('3', 40),
        },
        didRegistryBaseUrl: origin,
        tirBaseUrl: `${origin}/trusted-issuers-registry`,
        issuerBaseUrl: origin,
        credentialIssuerUrl: origin,
        idpBaseUrl: origin,
        verifierBaseUrl: origin,
        verifierDid: 'did:org:uc-pre:z1verifier',
        tokenIssuerBaseUrl: origin,
        managementApiUrl: origin,
        apiKeys: { tir: 'tir-key', issuer: 'issuer-key', idp: 'idp-key' },
        onboardingNode: { address: hex('4', 40), privateKey: hex('5', 64) },
        operator: { address: hex('6', 40), privateKey: hex('7', 64) },
        trustChain: { rootTao: member('root'), tao: member('tao'), issuer: member('issuer') },
        oidcClient: client,
        tokenIssuerClient: client,
        tokenIssuerAccount: account,
        admin: account,
        organizations: [organization('VATES-A12345678'), organization('VATES-B87654321')],
      },
    },
  }
}
