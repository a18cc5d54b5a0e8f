import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { zCredentialTypes } from '#core/lear-credential/credential-type.ts'
import { environmentVariableOf, loadConfig, readJsonFile } from '#kit/load-config.ts'
import { zConnectorProfiles } from '#services/issuer/config.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const schema = z.object({
  baseUrl: z.url(),
  metricNamespace: z.string().default('issuer'),
  qrExpirationTime: z.number().int().positive().default(300),
  apiKeys: z.array(z.string()).min(1),
})

describe('loadConfig', () => {
  it('reads variables, parses structured values as JSON, and fills in defaults', () => {
    const config = loadConfig(schema, {
      BASE_URL: 'http://127.0.0.1:1',
      QR_EXPIRATION_TIME: '60',
      API_KEYS: '["one","two"]',
      METRIC_NAMESPACE: '1234',
    })
    expect(config).toEqual({
      baseUrl: 'http://127.0.0.1:1',
      metricNamespace: '1234',
      qrExpirationTime: 60,
      apiKeys: ['one', 'two'],
    })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('reports all problems together, by the names of the variables', () => {
    const load = () => loadConfig(schema, { BASE_URL: 'nowhere', QR_EXPIRATION_TIME: '-1' })
    expect(load).toThrow(/BASE_URL[\s\S]*QR_EXPIRATION_TIME[\s\S]*API_KEYS/)
  })

  it('uses the documented names of the variables', () => {
    expect(environmentVariableOf('metricNamespace')).toBe('METRIC_NAMESPACE')
    expect(environmentVariableOf('jwksUri')).toBe('JWKS_URI')
  })
})

const typesSchema = z.object({ credentialTypes: zCredentialTypes })

function writeTypes(text: string): string {
  const path = join(createTemporaryFolder(), 'types.json')
  writeFileSync(path, text)
  return path
}

/** The error for a file with these lines. */
function problemsOf(...lines: string[]): string {
  const path = writeTypes(lines.join('\n'))
  try {
    loadConfig(typesSchema, { CREDENTIAL_TYPES_FILE: path })
    return 'no problem'
  } catch (error) {
    return (error as Error).message.replaceAll(path, 'FILE')
  }
}

describe('a configuration file', () => {
  it('provides the value of the key that its variable names', () => {
    const path = writeTypes(
      '[\n\t{ "vcType": "Machine", "inheritedTypes": ["VerifiableCredential"] }\n]',
    )
    expect(loadConfig(typesSchema, { CREDENTIAL_TYPES_FILE: path }).credentialTypes).toEqual([
      {
        vcType: 'Machine',
        inheritedTypes: ['VerifiableCredential'],
        connectorProfile: 'default',
        validitySeconds: 31_536_000,
      },
    ])
  })

  it.each([
    [
      'a value of the wrong type',
      ['[{', '  "vcType": "A",', '  "validitySeconds": "1y"', '}]'],
      3,
      '0.validitySeconds',
    ],
    [
      'a key that is spelled wrong',
      ['[', '{ "vcType": "A",', '  "conectorProfile": "b" }', ']'],
      3,
      '0',
    ],
    [
      'a key that is missing',
      ['[', '{ "vcType": "A" },', '{ "validitySeconds": 1 }]'],
      3,
      '1.vcType',
    ],
    ['a name given twice', ['[', '{ "vcType": "A" },', '{', '"vcType": "A" }]'], 4, '1.vcType'],
    [
      'a chain without its root',
      ['[{ "vcType": "A",', '"inheritedTypes":', '["B"] }]'],
      3,
      '0.inheritedTypes.0',
    ],
    ['another value altogether', ['{', '}'], 1, ''],
  ])('reports the line and the key of %s', (_, lines, line, key) => {
    const problems = problemsOf(...lines)
    expect(problems).toContain(`FILE:${line}: ${key === '' ? '' : `${key}: `}`)
    expect(problems.split('FILE')).toHaveLength(2)
  })

  it('reports the line of a JSON syntax error, and of a duplicate key', () => {
    expect(problemsOf('[', '{ "vcType": "A",', '}', ']')).toBe('FILE:3: not valid JSON')
    expect(problemsOf('[', '{ "vcType": "A" },,', ']')).toBe('FILE:2: not valid JSON')
    expect(problemsOf('[{ "vcType": "A",', '"vcType": "B" }]')).toBe('FILE:2: duplicate key')
  })

  it('has the form that the documentation shows', () => {
    const documented = (name: string) =>
      resolve(import.meta.dirname, '../../../docs/guides/issuance', name)
    const config = loadConfig(
      z.object({ credentialTypes: zCredentialTypes, connectorProfiles: zConnectorProfiles }),
      {
        CREDENTIAL_TYPES_FILE: documented('credential-types.json'),
        CONNECTOR_PROFILES_FILE: documented('connector-profiles.json'),
      },
    )
    const profiles = config.connectorProfiles.map(({ name }) => name)
    expect(config.credentialTypes.map(({ connectorProfile }) => connectorProfile)).toEqual(profiles)
  })

  it('that does not exist is reported with its name', () => {
    expect(() => readJsonFile('/nowhere/types.json')).toThrow('/nowhere/types.json')
  })

  it('cannot be combined with its variable', () => {
    const path = writeTypes('[{ "vcType": "A" }]')
    const both = { CREDENTIAL_TYPES_FILE: path, CREDENTIAL_TYPES: '[{ "vcType": "A" }]' }
    expect(() => loadConfig(typesSchema, both)).toThrow(/CREDENTIAL_TYPES_FILE/)
  })
})

const program = resolve(import.meta.dirname, '../../../services/mail/main.ts')

/** Starts only the mail service; it ends with the test. */
function startMail(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? '', BASE_URL: 'http://127.0.0.1:1', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs only the mail service, until it exits. */
async function runMail(environment: Readonly<Record<string, string>>) {
  const child = startMail(environment)
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, lines: stderr.trimEnd().split('\n') }
}

describe('a single service', () => {
  it('reports in one line that its port is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const { code, lines } = await runMail({ PORT: String(port) })
    expect(code).toBe(3)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`port ${port} of 127.0.0.1 is in use`)
    expect(lines[0]).not.toContain('stack')
  })

  it('reports in one line that the port of SMTP is in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void blocker.close())
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const { code, lines } = await runMail({ SMTP_PORT: String(port) })
    expect({ code, lines: lines.length }).toEqual({ code: 3, lines: 1 })
    expect(lines[0]).toContain(`port ${port} of 127.0.0.1 is in use`)
    expect(lines[0]).not.toContain('stack')
  })

  it.each([
    { LOG_LEVEL: 'loud' },
    { DATABASE_URL: 'mysql://me:hidden@127.0.0.1/x' },
    { DATABASE_URL: 'postgres' },
    { ALLOWED_HOSTS: 'testbed,http://x' },
  ])('exits with code 2 for %j, which it names', async (environment) => {
    const { code, lines } = await runMail(environment)
    expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 })
    expect(lines[0]).toContain(`${Object.keys(environment)[0]}`)
    expect(lines[0]).not.toMatch(/stack|hidden/)
  })

  it('listens on 127.0.0.1 if HOST is empty', async () => {
    const child = startMail({ HOST: '', PORT: '' })
    const [line] = await once(createInterface(child.stderr), 'line')
    expect(JSON.parse(line)).toMatchObject({
      msg: 'listening',
      address: { address: '127.0.0.1' },
    })
  })

  it.each(['70000', '1.5'])('exits with code 2 for the port %s', async (port) => {
    const { code, lines } = await runMail({ PORT: port })
    expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 })
    expect(lines[0]).toContain('did not start: PORT is not a port number')
  })
})
