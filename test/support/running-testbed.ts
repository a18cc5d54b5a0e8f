import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createLog } from '#kit/log.ts'
import { createHttpBrowser, type HttpPage } from '#scenarios/harness/http-browser.ts'
import {
  type Environment,
  type TestbedFile,
  zTestbedFile,
} from '#scenarios/harness/z-testbed-file.ts'
import type { TestbedOptions } from '#testbed/services/options.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import { callRpc } from './chain.ts'
import { type Call, callJson } from './http.ts'
import { createPanel, sessionOf } from './login-system.ts'

const program = resolve(import.meta.dirname, '../../bin/testbed')

export interface TestbedProcess {
  readonly child: ChildProcess
  readonly folder: string
  /** Everything on stdout so far. */
  stdout(): string
  stderr(): string
  /** Settles when the testbed has reported that it is healthy. */
  readonly healthy: Promise<TestbedFile>
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/** Runs `testbed up` as a separate process on free ports; killed with the running test. */
export function spawnTestbed(folder: string, ...options: string[]): TestbedProcess {
  const child = spawn(
    process.execPath,
    [program, 'up', '--port-base', '0', '--data', folder, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let stdout = ''
  let stderr = ''
  let isHealthy = false
  const healthy = Promise.withResolvers<TestbedFile>()
  healthy.promise.catch(() => {})
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    // Later output may arrive after the file has been removed.
    if (isHealthy || !/Ctrl-C stops everything/.test(stderr)) return
    isHealthy = true
    healthy.resolve(readTestbedFile(folder))
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    healthy.reject(new Error(`The testbed ended with ${code ?? signal}:\n${stderr}`))
    return code ?? signal
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    folder,
    stdout: () => stdout,
    stderr: () => stderr,
    healthy: healthy.promise,
    ended,
  }
}

export function readTestbedFile(folder: string): TestbedFile {
  return zTestbedFile.parse(JSON.parse(readFileSync(join(folder, 'testbed.json'), 'utf8')))
}

/** The environment of a testbed that has no other. */
export function environmentOf({ environments }: TestbedFile): Environment {
  if (environments.pre === undefined) throw new Error('there is no environment pre')
  return environments.pre
}

/** Calls the control interface of a running testbed with its token. */
export const callControl = ({ control }: TestbedFile, path: string, call: Call = {}) =>
  callJson(`${control.url}${path}`, {
    ...call,
    headers: { authorization: `Bearer ${control.token}`, ...call.headers },
  })

/** A testbed in this process, by default in memory and silent; the caller closes it. */
export async function openTestbed(options: TestbedOptions = {}) {
  const testbed = await startTestbed({ log: createLog({ level: 'silent' }), ...options })
  const { file } = testbed
  return {
    testbed,
    file,
    pre: environmentOf(file),
    control: (path: string, call?: Call) => callControl(file, path, call),
    /** Calls an address of the console with the token of the control interface. */
    callConsole: (method: string, path: string, json?: object) =>
      callJson(`${file.consoleUrl}${path}`, {
        method,
        json,
        headers: { authorization: `Bearer ${file.control.token}` },
      }),
    /** Orders an offer at the control interface; returns its link. */
    order: async (members: object = {}): Promise<string> =>
      (await callControl(file, '/pre/offers', { json: members })).body.offer_uri,
  }
}

export type OpenTestbed = Awaited<ReturnType<typeof openTestbed>>

/** Opens a testbed that closes with the running test. */
export async function openTestbedForTest(options?: TestbedOptions): Promise<OpenTestbed> {
  const opened = await openTestbed(options)
  onTestFinished(() => opened.testbed.close())
  return opened
}

/** A testbed for all tests of a file; its members are available once they run. */
export function shareTestbed(options?: TestbedOptions): OpenTestbed {
  const shared = {} as OpenTestbed
  beforeAll(async () => {
    Object.assign(shared, await openTestbed(options))
  })
  afterAll(() => shared.testbed?.close())
  return shared
}

/** The IDP's page with the QR code of a login. */
export function openLogin(
  { idpBaseUrl, oidcClient: { clientId, redirectUri } }: Environment,
  browser = createHttpBrowser([redirectUri]),
): Promise<HttpPage> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid openid-vp-lear',
    state: 'a-state',
  })
  return browser.get(`${idpBaseUrl}/accounts/authorize?${query}`)
}

/** The result of the login of such a page, for example `SUCCESS`. */
export async function loginStatus({ idpBaseUrl }: Environment, page: HttpPage): Promise<unknown> {
  const session = `${idpBaseUrl}/idp/api/auth/requests?session=${sessionOf(page)}`
  return (await callJson(session)).body.status
}

/** The state of a testbed that is visible from outside, and how to change each part of it. */
export interface TestbedState {
  readonly pre: Environment
  control(path: string, call?: Call): ReturnType<typeof callJson>
  /** Sends an email to the testbed's mail server. */
  sendMail(subject: string): Promise<void>
  /** Reads the whole state through its interfaces; reading does not change it. */
  read(): Promise<Record<string, unknown>>
  /** Changes each part of the state. */
  changeAll(): Promise<void>
}

const organization = 'VATES-A12345678'

/** Opens the state of a running testbed; an administrator logs in at the IDP. */
export async function openTestbedState(file: TestbedFile): Promise<TestbedState> {
  const pre = environmentOf(file)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const control = (path: string, call?: Call) => callControl(file, path, call)
  const operator = { 'x-api-key': pre.apiKeys.operator ?? '' }
  const apiKeys = `${pre.apiKeysBaseUrl}/api-keys`
  const panel = createPanel({ baseUrl: pre.idpBaseUrl })
  await panel.logIn(pre.admin)
  const { body: token } = await control('/pre/bearer-tokens', {
    json: { organization_identifier: organization, expires_in: 3600 },
  })

  const chain = async () => {
    const ask = async (method: string, ...params: unknown[]) =>
      (await callRpc(pre.chain.rpcUrl, method, ...params)).result
    return Promise.all([
      ask('eth_getBlockByNumber', 'latest', true),
      ask('eth_getTransactionCount', pre.operator.address, 'pending'),
      ask('eth_getTransactionCount', pre.onboardingNode.address, 'pending'),
      ask('eth_getLogs', { fromBlock: '0x0' }),
      ask('eth_getProof', pre.chain.didRegistryAddress, ['0x0', '0x1'], 'latest'),
    ])
  }

  return {
    pre,
    control,
    async sendMail(subject) {
      const transport = createTransport({ url: file.mail.smtpUrl })
      await transport.sendMail({ from: 'a@test.example', to: 'b@test.example', subject, text: '' })
      transport.close()
    },
    async read() {
      const get = async (url: string, headers = {}) => (await callJson(url, { headers })).body
      return {
        chain: await chain(),
        dids: await get(`${pre.didRegistryBaseUrl}/api/v1/identifiers?pageSize=100`),
        didEvents: await get(`${pre.didRegistryBaseUrl}/api/v1/explorer/events`),
        issuers: await get(`${pre.tirBaseUrl}/v1/explorer/issuers`),
        records: (
          await callJson(`${pre.issuerBaseUrl}/issuance/credential`, {
            json: { organization_identifiers: [organization] },
            headers: bearer(token.access_token),
          })
        ).body,
        clients: (await panel.get('/admin/clients')).text,
        apiKeys: await get(apiKeys, operator),
        mails: await get(`${file.mail.apiUrl}/api/v2/messages`),
        organizations: (await control('/pre/organizations')).body,
        managementFailure: (await control('/pre/management-failure')).body,
        faults: (await control('/pre/faults')).body,
      }
    },
    async changeAll() {
      const expectDone = async (what: Promise<{ status: number }>) => {
        const { status } = await what
        if (status >= 300) throw new Error(`a change was refused with ${status}`)
      }
      // Registers DIDs and accreditations, and makes records and an offer.
      const json = { defect: 'accreditation-revoked' }
      await expectDone(control('/pre/defective-credentials', { json }))
      await expectDone(control('/pre/offers', { json: {} }))
      await panel.submit('/admin/clients', {
        client_id: 'added',
        name: 'Added',
        authentication: 'client_secret_basic',
        redirect_uris: 'https://added.example/callback',
      })
      const [seeded] = (await callJson(apiKeys, { headers: operator })).body.items
      await expectDone(
        callJson(apiKeys, { json: { name: 'added', scope: 'tir' }, headers: operator }),
      )
      const key = `${apiKeys}/${seeded.id}`
      await expectDone(callJson(key, { method: 'DELETE', headers: operator }))
      await expectDone(callJson(`${file.mail.apiUrl}/api/v1/messages`, { method: 'DELETE' }))
      await expectDone(control(`/pre/organizations/${organization}`, { method: 'DELETE' }))
      const failure = { failure: 'error' }
      await expectDone(control('/pre/management-failure', { method: 'PUT', json: failure }))
      await expectDone(control('/pre/faults/notification-lost', { method: 'PUT' }))
      await expectDone(control('/clock', { json: { advance_seconds: 600 } }))
      await expectDone(control('/pre/mining', { method: 'POST' }))
    },
  }
}
