import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toBuffer } from 'qrcode'
import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { explain } from '#testbed/library/explain.ts'
import { nameOptions } from '#testbed/library/name-options.ts'
import { runSuites } from '#testbed/library/run-suites.ts'
import { startTestbed } from '#testbed/library/start-testbed.ts'
import { describeScenarios } from '#testbed/library/vitest.ts'

it('explains the QR code on an image, and reports an image without one as not a message', async () => {
  const link = 'openid-credential-offer://?credential_offer=%7B%7D'
  const read = await explain(new Uint8Array(await toBuffer(link)))
  expect([read.kind, read.verdict]).toEqual(['credential-offer', 'broken'])
  const none = await explain(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0))
  expect(none.verdict).toBe('unrecognised')
})

it('queries the given registries, and reports if they do not respond', async () => {
  const world = createTrustWorld()
  const explanation = await explain(world.issue(), {
    now: world.now,
    // Nothing listens there.
    registries: { pre: { didRegistryBaseUrl: 'http://127.0.0.1:9' } },
  })
  expect(explanation.verdict).toBe('not-checked')
  const unchecked = (name: string) =>
    explanation.rules.find(({ rule }) => rule === name)?.findings.map((each) => each.unchecked)
  expect(unchecked('credential.issuer-document')).toEqual(['unavailable'])
  expect(unchecked('credential.terms-of-use')).toEqual(['not-asked'])
})

it('uses only the given time', async () => {
  const world = createTrustWorld()
  const brokenAt = async (now: number) =>
    (await explain(world.issue(), { now })).rules
      .filter(({ verdict }) => verdict === 'broken')
      .map(({ rule }) => rule)
  expect(await brokenAt(world.now)).toEqual([])
  expect(await brokenAt(world.now + 10 * 365 * 86_400)).toEqual(['credential.expiry'])
})

it.each([
  // With none, every scenario would be left out without a failure.
  [{ parallelism: 0 }, 'parallelism must be at least 1'],
  [{ parallelism: Number.NaN }, 'parallelism'],
  [{ pattern: /login/ }, 'pattern must be a string'],
  [{ testbed: {} }, 'testbed.schemaVersion'],
  [{ testbde: {} }, 'testbde'],
  [{ scenarios: [{}] }, 'scenarios.0 must be created by defineScenario'],
])('the options of runSuites are checked without TypeScript: %j', async (options, named) => {
  await expect(runSuites(options as object)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(named),
  })
})

it('results of own scenarios say how to repeat each, which the program cannot', async () => {
  const texts = { title: 'Nothing happens', category: 'Own', description: 'Nothing.' }
  const references = [{ document: 'Our handbook', section: '1' }]
  const scenario = defineScenario({ id: 'own/idle', ...texts, references, run: async () => {} })
  const { scenarios } = await runSuites({ scenarios: [scenario], pattern: 'ES256K', seed: 'x' })
  expect(scenarios.map(({ repeat }) => repeat)).toEqual([
    "runSuites({ scenarios, pattern: '^own/idle/ES256K$', seed: 'x' })",
  ])
})

describe('the options of startTestbed', () => {
  it.each([
    [{ environments: ['dev'] }, 'environments.0'],
    [{ environments: [] }, 'environments'],
    [{ environments: 'pre' }, 'environments'],
    [{ portBase: '4000' }, 'portBase'],
    [{ portBase: 80_000 }, 'portBase'],
    [{ portBase: 80 }, 'portBase must be 0 or at least 1024'],
    [{ mining: 'fast' }, 'mining must be auto, manual or a number of milliseconds'],
    [{ mining: 0 }, 'mining must be'],
    [{ holderSuites: ['RS256'] }, 'holderSuites.0'],
    [{ dataFolder: '' }, 'dataFolder'],
    [{ sed: 'misspelled' }, 'sed'],
    [{ chainRpcUrl: 'localhost:8545' }, 'chainRpcUrl is not'],
    [{ allowedHosts: ['testbed', 'http://x'] }, 'allowedHosts contains "http://x"'],
    [{ allowedHosts: [''] }, 'allowedHosts contains ""'],
  ])('are checked without TypeScript: %j', async (options, named) => {
    await expect(startTestbed(options as object)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(named),
    })
  })

  it.each([
    [
      { environments: ['pre', 'pro'], databaseUrl: 'postgres://h/d' },
      'invalid_option',
      'Omit databaseUrl,',
    ],
    [{ bind: '192.0.2.1' }, 'port_refused', 'Use bind with'],
    [{ dataFolder: '/dev/null/folder' }, 'data_folder_refused', 'folder with dataFolder.'],
  ] as const)('have their own names in errors: %j', async (options, code, named) => {
    await expect(startTestbed(options)).rejects.toMatchObject({
      code,
      hints: [expect.stringContaining(named)],
    })
  })

  it('may be undefined, for example an environment variable that is not set', async () => {
    const { NOT_SET } = process.env
    await using testbed = await startTestbed({
      seed: NOT_SET,
      publicUrl: NOT_SET,
      dataFolder: NOT_SET,
      chainRpcUrl: NOT_SET,
      databaseUrl: NOT_SET,
      configFile: NOT_SET,
      environments: undefined,
      portBase: undefined,
      mining: undefined,
      holderSuites: undefined,
    })
    const selected = { testbed: testbed.file, pattern: '^trust-chain/own-chain$' }
    const options = { shard: NOT_SET, seed: NOT_SET, reportFolder: NOT_SET, signal: undefined }
    const { scenarios } = await runSuites({ ...selected, ...options })
    expect(scenarios.map(({ verdict }) => verdict)).toContain('passed')
  })

  it('include a file with settings of services', async () => {
    const configFile = join(createTemporaryFolder(), 'testbed.yaml')
    writeFileSync(configFile, 'issuer: { managementApiUrl: https://management.example }\n')
    await using testbed = await startTestbed({ configFile })
    expect(testbed.file.environments.pre?.managementApiUrl).toBe('https://management.example')

    writeFileSync(configFile, 'issuer: { managementApi: https://management.example }\n')
    await expect(startTestbed({ configFile })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('testbed.yaml:1: issuer.managementApi: unknown setting'),
    })
  })

  it('keep their names in commands and lists', () => {
    const command = `Or delete its contents: ${programCommand} reset --data x`
    const hints = [command, 'A second testbed needs both (--data DIR --port-base N).']
    const error = new TestbedError({ code: 'c', status: 500, message: 'Omit --seed.', hints })
    expect(nameOptions(error)).toMatchObject({
      message: 'Omit seed.',
      hints: [command, 'A second testbed needs both (dataFolder and portBase).'],
    })
  })
})

it('a misspelt option of describeScenarios is reported without TypeScript', async () => {
  const options = { pattern: 'login', reportFoldr: 'reports' }
  await expect(describeScenarios(options)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining('reportFoldr'),
  })
})

describe('describeScenarios', () => {
  it.each([
    [{ scenarios: [{}] }, 'scenarios.0 must be created by defineScenario'],
    [{ scenarios: [] }, 'There are no scenarios.'],
    [{ pattern: 5 }, 'pattern must be a string or a RegExp'],
    [{ folder: 'missing' }, 'missing does not exist'],
    [{ folder: import.meta.dirname }, 'contains no scenario SUITE/NAME.ts'],
    [{ pattern: 'issuence' }, /^No scenario matches issuence\. Did you mean issuance.* list\.$/],
  ])('says why there is nothing to run: %j', async (options, reason) => {
    await expect(describeScenarios(options as object)).rejects.toThrow(reason)
  })
})
