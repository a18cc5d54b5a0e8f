import type { OpenPlan, OpenPlanOptions } from '#conformance/kit/plan.ts'
import { openIssuerPlan } from '#conformance/plans/issuer/open-issuer-plan.ts'
import {
  bearerClaims,
  type IssuerTarget,
  personClaims,
  zIssuerTarget,
} from '#conformance/plans/issuer/z-target.ts'
import { zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { defaultCredentialType } from '#core/lear-credential/lear-credential.ts'
import type { Power } from '#core/power/power.ts'
import { createLog } from '#kit/log.ts'
import { createControlClient } from '#scenarios/harness/control-client.ts'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { startTestbed } from '#testbed/start-testbed.ts'

/** Seconds; shorter than an access token lives, so that its expiry can be observed. */
const cNonceLifetimeSeconds = 600

/** The names of the others only resemble the first one, so that a lenient look-up shows. */
const types = [
  defaultCredentialType,
  `${defaultCredentialType}Extension`,
  defaultCredentialType.toLowerCase(),
]

/** Opens the plan against the issuer and the connector of a separate testbed, in memory. */
export async function openSelf(options: OpenPlanOptions): Promise<OpenPlan> {
  const credentialTypes = zCredentialTypes.parse(types.map((vcType) => ({ vcType })))
  const testbed = await startTestbed({
    issuance: { credentialTypes, cNonceLifetimeSeconds },
    log: createLog({ level: 'silent' }),
  })
  options.exchanges.hide(testbed.file.control.token)
  await addSimilarOrganization(testbed.file, options.signal)
  const plan = await openIssuerPlan(createTarget(testbed.file), options)
  return {
    ...plan,
    async close() {
      await plan.close()
      await testbed.close()
    },
  }
}

/** Its identifier is the beginning of the first one's, so that a lenient comparison shows. */
const similarTo = (organizationIdentifier: string) => organizationIdentifier.slice(0, -1)

/** With every action allowed, so that a policy shows that is compared literally. */
const withWildcard = (powers: readonly Power[] = []): readonly Power[] =>
  powers.map((power) => ({ ...power, action: ['*'] }))

/** Lets the other organization also act under an identifier that is similar to the first one's. */
async function addSimilarOrganization(
  { control, environments }: TestbedFile,
  signal: AbortSignal,
): Promise<void> {
  const [name = 'pre', environment] = Object.entries(environments)[0] ?? []
  const [organization, other] = environment?.organizations ?? []
  const client = createControlClient({
    ...control,
    environment: name,
    scenarioId: () => 'conformance',
    signal,
  })
  await client.putOrganization(similarTo(organization?.organizationIdentifier ?? ''), {
    authorized_powers: withWildcard(other?.authorizedPowers),
  })
}

/** The testbed as a target, controlled through its control interface. */
function createTarget({ control, environments, mail }: TestbedFile): IssuerTarget {
  const [name = 'pre', environment] = Object.entries(environments)[0] ?? []
  const [organization, other] = environment?.organizations ?? []
  if (!environment || !organization || !other)
    throw new TypeError('A testbed has an environment with organizations.')
  const headers = { authorization: `Bearer ${control.token}` }
  const offer = (json: unknown) => ({
    url: `${control.url}/${name}/offers`,
    headers,
    json,
  })
  const similar = similarTo(organization.organizationIdentifier)
  const bearerToken = (organizationIdentifier: string, claims: object = {}) => ({
    url: `${control.url}/${name}/bearer-tokens`,
    headers,
    json: {
      organization_identifier: organizationIdentifier,
      omit: ['{omit}'],
      expires_in: '{expires_in}',
      claims: {
        ...claims,
        ...Object.fromEntries(
          [...bearerClaims, ...personClaims].map((name) => [name, `{${name}}`]),
        ),
      },
    },
  })
  const clock = { url: `${control.url}/clock`, headers }
  return zIssuerTarget.parse({
    plan: 'issuer',
    name: "The testbed's own issuer",
    credentialIssuer: environment.credentialIssuerUrl,
    environment: name,
    didRegistryBaseUrl: environment.didRegistryBaseUrl,
    tirBaseUrl: environment.tirBaseUrl,
    rootDids: [environment.trustChain.rootTao.did],
    portal: {
      issuerBaseUrl: environment.issuerBaseUrl,
      organizationIdentifier: organization.organizationIdentifier,
      power: organization.authorizedPowers,
      'create-bearer-token': bearerToken(organization.organizationIdentifier),
      mailbox: {
        email: 'employee@example.org',
        'read-mail': { url: `${mail.apiUrl}/api/v2/search?kind=to&query={email}&limit=1` },
      },
      other: {
        organizationIdentifier: similar,
        power: other.authorizedPowers,
        'create-bearer-token': bearerToken(other.organizationIdentifier, {
          organization_identifier: similar,
        }),
      },
    },
    adapter: {
      'create-offer': offer({}),
      'create-offer-with-pin': offer({ tx_code: { length: 6 } }),
      'create-offer-by-reference': offer({ by: 'reference' }),
      'create-deferred-offer': offer({ deferred_seconds: 30 }),
      'create-offer-of-several': offer({ vc_types: types }),
      'advance-clock': { ...clock, json: { advance_seconds: '{seconds}' } },
      'reset-clock': { ...clock, method: 'DELETE' },
    },
  })
}
