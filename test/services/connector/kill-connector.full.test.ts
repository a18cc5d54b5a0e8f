import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callJson } from '#test/support/http.ts'
import {
  accreditationUrl,
  connectorApiKey,
  createCredentialRequestBody,
  grantType,
  type IssuanceSystem,
  issuerApiKey,
  issuerDid,
  issuerPrivateKey,
  issuerVMethodId,
  makeOffer,
  payloadOf,
  readIssuance,
  readRecordStatus,
  startIssuanceSystem,
} from '#test/support/issuance.ts'
import { temporaryDatabase } from '#test/support/temporary-folder.ts'

/** An issuer with an open offer, and a function that starts its connector as a process. */
async function startWithOffer() {
  const databaseUrl = temporaryDatabase()
  const system = await startIssuanceSystem({ connector: { databaseUrl } })
  const made = await makeOffer(system)
  await system.connector.stop()
  const spawnConnector = (killPoint?: KillPoint) =>
    spawnService(
      'connector',
      {
        BASE_URL: system.connector.baseUrl,
        DATABASE_URL: databaseUrl,
        API_KEYS: JSON.stringify([connectorApiKey]),
        ISSUER_URL: system.issuer.baseUrl,
        ISSUER_API_KEY: issuerApiKey,
        ISSUER_DID: issuerDid,
        ISSUER_PRIVATE_KEY: issuerPrivateKey,
        ISSUER_VMETHOD_ID: issuerVMethodId,
        ACCREDITATION_URL: accreditationUrl,
        RETRY_MILLISECONDS: '50',
      },
      killPoint,
    )
  return { system, made, spawnConnector }
}

function askForCredential(
  { connector }: IssuanceSystem,
  address: string,
  accessToken: unknown,
  cNonce: unknown,
) {
  return callJson(`${address}/credential`, {
    json: createCredentialRequestBody(connector.baseUrl, cNonce),
    headers: {
      authorization: `Bearer ${accessToken}`,
    },
  })
}

const signing = /^insert into "credentials"/

// @row 1.states-and-transitions.1
describe('kill -9 of the connector while it issues', () => {
  it.each([
    {
      point: 'between signing and keeping the credential',
      killPoint: { when: 'before', statement: signing, parameter: 'signed' },
      answered: false,
      left: { state: 'redeemed', credential_id: null },
    },
    {
      point: 'between keeping the credential and answering',
      killPoint: { when: 'committed', statement: signing, parameter: 'signed' },
      answered: false,
      left: { state: 'signed' },
    },
    {
      point: 'between answering and keeping the confirmation',
      killPoint: { when: 'before', statement: /^insert into "notifications"/ },
      answered: true,
      left: { state: 'signed' },
    },
  ] as const)(
    '$point: the record is pending, and a repeated request yields one credential',
    async (at) => {
      const { system, made, spawnConnector } = await startWithOffer()
      const first = await spawnConnector(at.killPoint)
      const { body: token } = await callJson(`${first.address}/token`, {
        form: {
          grant_type: grantType,
          'pre-authorized_code': made.code,
        },
      })
      const ask = (address: string, cNonce: unknown) =>
        askForCredential(system, address, token.access_token, cNonce)
      const answer = await ask(first.address, token.c_nonce).catch(() => undefined)
      expect(await first.ended).toBe('SIGKILL')
      expect(answer?.status).toBe(at.answered ? 200 : undefined)

      const { address } = await spawnConnector()
      expect(await readIssuance(address, made.subjectId)).toMatchObject(at.left)
      expect(await readRecordStatus(system, made.subjectId)).toBe('pending')

      let again = await ask(address, token.c_nonce)
      if (at.left.state === 'signed') {
        expect(again.body.error).toBe('invalid_nonce')
        again = await ask(address, again.body.c_nonce)
      }
      expect(again.status).toBe(200)
      expect(payloadOf(again.body.credential).jti).toBe(made.credentialId)
      if (answer) expect(again.body.credential).toBe(answer.body.credential)
      await expect.poll(() => readRecordStatus(system, made.subjectId)).toBe('issued')
    },
  )
})

interface ServiceProcess {
  /** The address on which it listens, possibly not its public address. */
  readonly address: string
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/**
 * The point at which a process ends: before or after a statement, with a certain parameter, or after
 * the transaction that the statement belongs to.
 */
interface KillPoint {
  readonly when: 'before' | 'after' | 'committed'
  readonly statement: RegExp
  readonly parameter?: string
}

/** Runs a service from its main.ts in a separate process; killed with the running test. */
async function spawnService(
  name: string,
  environment: Readonly<Record<string, string>>,
  killPoint?: KillPoint,
): Promise<ServiceProcess> {
  const program = resolve(import.meta.dirname, `../../../services/${name}/main.ts`)
  const hook = killPoint
    ? ['--import', resolve(import.meta.dirname, '../../support/kill-at-statement.ts')]
    : []
  const child = spawn(process.execPath, [...hook, program], {
    env: { ...inherited(), ...environment, ...variablesOf(killPoint) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const said: string[] = []
  for await (const line of createInterface(child.stderr)) {
    said.push(line)
    const port = /"port":(\d+).*"listening"/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { address: `http://127.0.0.1:${port}`, ended }
  }
  throw new Error(`The service ${name} did not start: ${said.join('\n')}`)
}

/** Nothing that configures a service. Without the cache, a start compiles every module again. */
function inherited(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}

function variablesOf(killPoint: KillPoint | undefined): Record<string, string> {
  if (!killPoint) return {}
  const { when, statement, parameter } = killPoint
  return {
    KILL_WHEN: when,
    KILL_STATEMENT: statement.source,
    ...(parameter === undefined ? {} : { KILL_PARAMETER: parameter }),
  }
}
