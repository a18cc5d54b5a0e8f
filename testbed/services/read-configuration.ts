import { z } from 'zod'
import { nearestName } from '#conformance/targets/target-problem.ts'
import type { HolderSuite } from '#core/crypto/suites.ts'
import { isJsonObject } from '#core/json/json-object.ts'
import { plainIssues } from '#core/json/plain-issues.ts'
import { type CredentialType, zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { type ConfigurationFile, loadConfig, readVariable, readYamlFile } from '#kit/load-config.ts'
import { type ConnectorProfile, zConnectorProfiles } from '#services/issuer/config.ts'
import { invalidConfiguration } from '#testbed/errors.ts'
import {
  type ConfiguredService,
  configSchemas,
  documentVariables,
  ownedSettings,
  type ServiceSettings,
  seededClients,
} from './service-settings.ts'

const services = Object.keys(configSchemas) as ConfiguredService[]

/** Settings by service, and the problems of invalid settings. */
interface Read {
  readonly settings: Map<ConfiguredService, Record<string, unknown>>
  readonly problems: string[]
}

/**
 * Reads the settings of services from a YAML file and from the profile's environment variables,
 * which take precedence over the file.
 * @throws TestbedError `invalid_configuration` with all problems, those of the file by line
 */
export async function readServiceSettings(from: {
  readonly file?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
}): Promise<ServiceSettings> {
  const read: Read = { settings: new Map(), problems: [] }
  if (from.file !== undefined) await readFile(readYamlFile(from.file), read)
  await readVariables(from.environment ?? {}, read)
  const { settings, problems } = read
  if (problems.length === 0) return Object.fromEntries(settings)
  throw invalidConfiguration(problems)
}

function set({ settings }: Read, service: ConfiguredService, key: string, value: unknown): void {
  settings.set(service, { ...settings.get(service), [key]: value })
}

type Report = (path: readonly PropertyKey[], message: string) => void

async function readFile({ value, describe }: ConfigurationFile, read: Read): Promise<void> {
  const report: Report = (path, message) =>
    read.problems.push(describe({ code: 'custom', path: [...path], message, input: undefined }))
  if (value === null) return
  if (!isJsonObject(value)) {
    report([], `must be a mapping of services: ${services.join(', ')}`)
    return
  }
  for (const [name, given] of Object.entries(value)) {
    const service = services.find((each) => each === name)
    if (service === undefined) {
      report([name], `unknown service. ${suggest(name, services)}`)
    } else if (isJsonObject(given)) {
      await readSection(service, given, read, report)
    } else if (given !== null) {
      report([name], 'must be a mapping of settings')
    }
  }
  reportSeededClients(read, report)
}

async function readSection(
  service: ConfiguredService,
  given: Readonly<Record<string, unknown>>,
  read: Read,
  report: Report,
): Promise<void> {
  const { shape } = await configSchemas[service]()
  const owned = ownedSettings[service]
  const settable = Object.keys(shape).filter((key) => !Object.hasOwn(owned, key))
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(owned, key)) {
      report([service, key], `cannot be set here: ${owned[key]}`)
    } else if (!Object.hasOwn(shape, key)) {
      report([service, key], `unknown setting. ${suggest(key, settable)}`)
    } else {
      const result = (shape as Readonly<Record<string, z.ZodType>>)[key]?.safeParse(
        value,
        plainIssues,
      )
      if (result?.success) set(read, service, key, result.data)
      for (const { path, message } of result?.error?.issues ?? []) {
        report([service, key, ...path], message)
      }
    }
  }
}

/** The clients of a file are added to those of the testbed, and cannot replace them. */
function reportSeededClients({ settings }: Read, report: Report): void {
  const clients = settings.get('idp')?.clients as NonNullable<ServiceSettings['idp']>['clients']
  clients?.forEach(({ clientId }, index) => {
    if (Object.values<string>(seededClients).includes(clientId)) {
      report(['idp', 'clients', index, 'clientId'], 'the testbed has a client with this id')
    }
  })
}

async function readVariables(
  environment: Readonly<Record<string, string | undefined>>,
  read: Read,
): Promise<void> {
  for (const [variable, targets] of Object.entries(documentVariables)) {
    const text = environment[variable]
    if (text === undefined || text === '') continue
    const found = new Set<string>()
    for (const [service, key] of targets) {
      const { shape } = await configSchemas[service]()
      const member = (shape as Readonly<Record<string, z.ZodType>>)[key]
      const result = member?.safeParse(readVariable(member, text), plainIssues)
      if (result?.success) set(read, service, key, result.data)
      for (const { message } of result?.error?.issues ?? []) found.add(`${variable}: ${message}`)
    }
    read.problems.push(...found)
  }
}

function suggest(name: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  return near === undefined ? `Available: ${known.join(', ')}` : `Did you mean ${near}?`
}

/** What a testbed issues, and its Connectors in addition to its own. */
export interface IssuanceConfiguration {
  /** Default: only OrgPortalLearCredential. */
  readonly credentialTypes?: readonly CredentialType[] | undefined
  /** A profile named `default` replaces the testbed's own Connector. */
  readonly connectorProfiles?: readonly ConnectorProfile[] | undefined
  /**
   * Signature suites of holders' keys that issuer and verifier accept. Default: those of the
   * profile.
   */
  readonly holderSuites?: readonly HolderSuite[] | undefined
  /** `c_nonce_expires_in`. Default: the lifetime of access tokens. */
  readonly cNonceLifetimeSeconds?: number | undefined
}

const zIssuanceConfiguration = z.object({
  credentialTypes: zCredentialTypes.optional(),
  connectorProfiles: zConnectorProfiles.optional(),
})

/**
 * Reads the files that describe credential types and Connector profiles.
 * @throws TestbedError `invalid_configuration` with line and key of each problem
 */
export function readIssuanceConfiguration(files: {
  readonly credentialTypes?: string | undefined
  readonly connectorProfiles?: string | undefined
}): IssuanceConfiguration {
  return loadConfig(zIssuanceConfiguration, {
    CREDENTIAL_TYPES_FILE: files.credentialTypes,
    CONNECTOR_PROFILES_FILE: files.connectorProfiles,
  })
}
